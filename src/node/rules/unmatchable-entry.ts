/** An entry of an access list matches nothing, so the callers it is meant for are rejected. */
import { type AccessList, entryMatch } from '../facts/access.js';
import type { Listener } from '../facts/settings.js';
import { advise } from '../fix/proposal/fix.js';
import { conf, type Draft, decideVerdict, kaia, type Rule, rfc } from '../judge/rule/rule.js';
import { listenersOn } from '../judge/settings/listeners.js';
import { placeOfFlags, writtenName } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const unmatchableEntry: Rule = {
  id: 'unmatchable-entry',
  severity: 'low',
  title: 'An entry of an access list matches nothing.',
  why: `An origin consists of a scheme, a host and optionally a port, such as https://app.example, and is compared as text. Which entries may contain * differs by interface. A Host name is compared without its port and in lower case. An entry that matches nothing fails silently, and operators often replace it with *.`,
  fix: 'Write origins as https://app.example and Host names as node.example.',
  ignore: 'Never: the entry has no effect, so correct it or delete it.',
  sources: [kaia('networks/rpc/http.go'), kaia('networks/rpc/websocket.go'), rfc(6454, '6.2')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="app.example"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="https://app.example"'),
  },
  on: 'settings',
  /** The wildcard rules report lists that are not known. */
  check: (settings) =>
    decideVerdict(
      listenersOn(settings, 'http', 'ws')
        .flatMap((listener) => [
          ...draft(settings, listener.kind === 'ws' ? 'ws' : 'cors', listener.origins, listener),
          ...draft(settings, 'vhosts', listener.vhosts, listener),
        ])
        .concat(listenersOn(settings, 'authrpc').flatMap((listener) => ofEngine(settings, listener))),
    ),
};

function ofEngine(settings: NodeSettings, listener: Listener): Draft[] {
  const { vhosts } = settings.nodeKind.interfaces.flags.authrpc;
  const { value } = settings.values[vhosts ?? ''] ?? {};
  return draft(
    settings,
    'vhosts',
    typeof value === 'string' ? value.split(',').map((one) => one.trim()) : null,
    listener,
  );
}

function flagOf(settings: NodeSettings, list: AccessList, kind: Listener['kind']): string | null {
  const { http, ws, authrpc } = settings.nodeKind.interfaces.flags;
  return {
    cors: http.origins,
    ws: ws.origins,
    vhosts: kind === 'authrpc' ? (authrpc.vhosts ?? null) : http.vhosts,
  }[list];
}

/** One finding per list. */
function draft(
  settings: NodeSettings,
  list: AccessList,
  entries: readonly string[] | null,
  { kind }: Listener,
): Draft[] {
  const dead = (entries ?? []).filter((one) => entryMatch(list, one).matches === 'none');
  const [first] = dead;
  const flag = flagOf(settings, list, kind);
  if (first === undefined || flag === null) return [];
  const name = writtenName(settings, flag);
  const others = dead.length === 1 ? '' : ` (and ${dead.length - 1} more)`;
  return [
    {
      subject: name,
      at: placeOfFlags(settings, flag),
      message: `${name} contains ${first}${others}, which matches nothing: ${entryMatch(list, first).because}.`,
      fix: advise(`Correct the entry in ${name}, or remove it.`),
      evidence: { interface: kind, entries: dead },
    },
  ];
}
