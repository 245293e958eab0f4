/** Other machines reach the engine API, which only a token protects. */
import { isUnpublished, reachOf } from '../facts/reach.js';
import { advise } from '../fix/proposal/fix.js';
import { bindLocally } from '../judge/access/bind-locally.js';
import { engineSecret } from '../judge/access/severity.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { reachBlindSpot } from '../judge/live/blind-spots.js';
import type { LiveEngine } from '../judge/live/interfaces.js';
import type { Live } from '../judge/live/live.js';
import { wideBinds } from '../judge/live/parts.js';
import { type Draft, foundInEach, geth, type Rule } from '../judge/rule/rule.js';
import { bindBlindSpots, listenersOn, placeOfBind } from '../judge/settings/listeners.js';

export const engineReach: Rule = {
  id: 'engine-reach',
  needs: ({ interfaces }) => interfaces.tokenless !== undefined,
  severity: 'medium',
  title: 'Other machines reach the engine API.',
  why: `The engine API decides which chain the node follows. It is open by default, on localhost:8551, and answers 401 to a caller without a token that the JWT secret signs. The secret is its only protection: one that a public stack prints in its examples, or that lies in a public repository, protects nothing (critical; high where the repository is not known to be public), and without TLS, anyone on the path can read what is asked and answered.`,
  fix: 'Bind it to an address that only the consensus client reaches, and let a firewall limit the rest.',
  ignore:
    'If only the machine of the consensus client reaches the port; --assume-reach authrpc=private says so.',
  sources: [
    geth('node/defaults.go'),
    'https://github.com/ethereum/execution-apis/blob/main/src/engine/authentication.md',
  ],
  examples: {
    bad: { command: 'geth --authrpc.addr 192.0.2.1' },
    good: { command: 'geth --authrpc.addr 127.0.0.1' },
  },
  on: 'exposure',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'authrpc').flatMap((listener) => {
      const reach = reachOf(listener);
      const { host, port } = listener;
      if (host === null || reach.reach === 'loopback' || isUnpublished(listener)) return [];
      const known = engineSecret(settings);
      const power = 'whoever has it decides which chain the node follows';
      const protection = known === null ? 'protected by its token alone' : `${known.says}: ${power}`;
      return [
        exposureDraft('authrpc', reach, {
          about: host,
          severity: known?.severity ?? 'medium',
          at: placeOfBind(settings, listener),
          message: `the engine API listens on ${host}:${port ?? '?'}, ${protection}`,
          fix: bindLocally(settings, listener),
          evidence: { host, port, ...(known === null ? {} : { secret: known.evidence }) },
        }),
      ];
    }),
    blindSpots: bindBlindSpots(settings, 'authrpc'),
  }),
  ofLive: (live) =>
    foundInEach(
      live.engine.filter(({ answer }) => answer.state === 'seen'),
      {
        findings: (one) => bound(live, one),
        blindSpots: (one) =>
          one.reach.lowerBound ? [reachBlindSpot({ name: one.url, bind: one.bind })] : [],
      },
    ),
};

function bound({ nodeKind }: Live, one: LiveEngine): Draft[] {
  const flag = nodeKind?.interfaces.flags.authrpc.addr ?? null;
  const by = flag === null ? '' : ` with --${flag}`;
  return wideBinds(one).map(({ host, about }) =>
    exposureDraft('authrpc', one.reach, {
      about,
      severity: 'medium',
      at: { endpoint: one.url },
      message: `the engine API is bound to ${host}, protected by its token alone`,
      fix: advise(`Bind it to 127.0.0.1${by} and restart the node.`),
      evidence: { bind: host, reachBy: one.reach.by },
    }),
  );
}
