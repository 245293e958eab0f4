/** The engine API answers a caller without a token. */
import { blindSpot, indeterminate, isMoot, isRefused } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import type { LiveEngine } from '../judge/live/interfaces.js';
import type { Live } from '../judge/live/live.js';
import { engineNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, geth, type Rule } from '../judge/rule/rule.js';

export const openEngine: Rule = {
  id: 'open-engine',
  needs: ({ interfaces }) => interfaces.tokenless !== undefined,
  severity: 'critical',
  title: 'The engine API answers without a token.',
  why: `Whoever calls the engine API decides which chain the node follows. Its port refuses every request without a token that the JWT secret signs. An answer without one means that a proxy adds the token for its callers, or that another server took the port.`,
  fix: 'Remove the proxy that adds the token, or let it pass the consensus client alone.',
  ignore: 'Never: the consensus client has the secret and needs no other way in.',
  sources: [geth('node/jwt_handler.go'), geth('node/rpcstack.go')],
  examples: {
    bad: engineNode('rpc_modules without a token is answered', {
      refusal: null,
      modules: { engine: '1.0', eth: '1.0', rpc: '1.0' },
    }),
    good: engineNode('rpc_modules without a token gets HTTP 401', { refusal: 401 }),
  },
  on: 'live',
  check: (live) =>
    foundInEach(
      live.engine.filter(({ answer }) => !isMoot(answer) && !isRefused(answer)),
      { findings: draft, blindSpots: (one) => notJudged(live, one) },
    ),
};

function draft({ url, answer, reach }: LiveEngine): Draft[] {
  if (answer.state !== 'seen' || answer.value.refusal !== null) return [];
  const { modules } = answer.value;
  return [
    {
      subject: 'engine login',
      at: { endpoint: url },
      message: `the engine API answers without a token; ${reach.because}.`,
      fix: advise('Remove what adds the token for its callers, and restart the node with a new secret.'),
      evidence: { interface: 'authrpc', modules: Object.keys(modules ?? {}), reach: reach.reach },
    },
  ];
}

/** A release answers one status; a proxy may answer the other. */
function notJudged({ nodeKind }: Live, { url, answer }: LiveEngine) {
  if (answer.state !== 'seen') return [blindSpot(url, answer)];
  const { refusal } = answer.value;
  const expected = nodeKind?.interfaces.tokenless ?? [];
  if (refusal === null || refusal === 401 || expected.includes(refusal)) return [];
  return [indeterminate(url, `HTTP ${refusal} does not show that the engine API asks for a token`)];
}
