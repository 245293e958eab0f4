/** An interface answers although no settings open it. */
import { bySeverityAndReach } from '../facts/reach.js';
import type { ListenerKind } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { advise } from '../fix/proposal/fix.js';
import { accessSeverity } from '../judge/access/severity.js';
import { switchOf } from '../judge/exposure/unsafe-debug.js';
import { isAccessOpen, isOpen, offeredModules } from '../judge/live/answers.js';
import { socketBlindSpot, unmatchedBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveEndpoint, LivePort } from '../judge/live/interfaces.js';
import type { Live } from '../judge/live/live.js';
import { badNode, closedSettings, goodNode, quietSettings } from '../judge/rule/examples.js';
import { type Draft, kaia, type Rule } from '../judge/rule/rule.js';

export const undeclaredInterface: Rule = {
  id: 'undeclared-interface',
  severity: 'high',
  title: 'An interface is open although no settings open it.',
  why: `A change in a file closes nothing until the node restarts. Whoever can call admin, for example over IPC, can open http and ws at run time on any port with any module list; neither the file nor the command line shows this. The severity follows from the modules offered and from who reaches them.`,
  fix: 'Restart the node, or find out which program answers on that port.',
  ignore: 'If an operator opened the interface on purpose and will close it; set until= to that date.',
  sources: [kaia('node/api_admin_network.go')],
  examples: {
    bad: badNode('RPC_ENABLE=0, yet http answers', {}, closedSettings),
    good: goodNode('http is on in the settings and on the node', quietSettings),
  },
  on: 'live',
  check: (live) => {
    const endpoints = live.endpoints.filter((one) => isOpen(one) && isUndeclared(one, one.listener));
    const ports = live.metrics.filter((one) => one.listener?.state === 'off' && isAccessOpen(one.metrics));
    return {
      findings: [...endpoints.map((one) => ofEndpoint(one, live)), ...ports.map((one) => ofPort(one))],
      blindSpots: [
        ...live.sockets
          .filter(({ use }) => use === 'unknown')
          .map((one) => socketBlindSpot(one, live.process)),
        ...unmatchedBlindSpots(live),
      ],
      applicable: live.sockets.length + live.endpoints.length + live.unmatched.length > 0,
    };
  },
};

/** Whether the settings keep it closed, or it is a socket of the process that no settings open. */
function isUndeclared({ source }: LiveEndpoint, listener: LiveEndpoint['listener']): boolean {
  return listener === null ? source === 'process' : listener.state === 'off';
}

function ofEndpoint(endpoint: LiveEndpoint, live: Live): Draft {
  const { name, source, listener, started } = endpoint;
  const modules = offeredModules(endpoint).filter((module) => module !== 'rpc');
  const opener = started ? 'which the command line opens and the conf does not' : 'which no settings open';
  const open = listener === null ? `at ${name}, ${opener}` : 'although the settings close it';
  const more = modules.length === 0 ? '' : ` and offers ${modules.join(', ')}`;
  const says = `answers ${open}${more}`;
  const on = { ...endpoint.endpoint, unsafeDebug: switchOf(endpoint)?.state ?? 'unproven' };
  const worst = accessSeverity(live, modules, on);
  const made = draft(endpoint, on.kind, name, { says, worst, evidence: { source, modules } });
  return listener === null ? { ...made, subject: name } : made;
}

function ofPort(port: LivePort): Draft {
  const says = 'are served although the settings keep the port closed';
  return draft(port, port.kind, port.url, { says, worst: 'medium', evidence: {} });
}

/** Its severity follows from the modules offered and from who reaches them. */
function draft(
  { listener, switchedAt, reach: { reach, because, by } }: LiveEndpoint | LivePort,
  kind: ListenerKind,
  endpoint: string,
  { says, worst, evidence }: { says: string; worst: Severity; evidence: Draft['evidence'] },
): Draft {
  const closed = listener?.state === 'off' && switchedAt !== null;
  return {
    subject: kind,
    severity: bySeverityAndReach(worst, reach),
    at: { endpoint },
    message: `${kind} ${says}; ${because}.`,
    fix: advise('Restart the node, or find out which other program answers there.'),
    ...(closed ? { related: [{ at: switchedAt, note: 'closed by this setting' }] } : {}),
    evidence: { interface: kind, reach, ...evidence, reachBy: by },
  };
}
