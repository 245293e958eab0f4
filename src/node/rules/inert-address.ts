/** Settings of an interface whose switch is missing. */
import { joinWords } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import { advise } from '../fix/proposal/fix.js';
import { type Draft, decideVerdict, geth, type Rule } from '../judge/rule/rule.js';
import { placeOfFlags } from '../judge/settings/setting.js';
import { isScripted } from '../kinds/find.js';
import type { NodeSettings } from '../kinds/node.js';

export const inertAddress: Rule = {
  id: 'inert-address',
  needs: (kind) => !isScripted(kind),
  severity: 'low',
  title: 'An interface has settings and is off.',
  why: `A switch such as --http opens an interface; an address, a port or a list alone opens nothing. In geth’s file of --config an address opens http and ws, and --http.addr then changes it only together with --http. A list that waits for its switch is easily forgotten.`,
  fix: 'Add the switch of the interface, or remove its settings.',
  ignore: 'If another file or a script adds the switch.',
  sources: [geth('cmd/utils/flags.go')],
  examples: {
    bad: { command: 'geth --http.addr 127.0.0.1 --http.api eth' },
    good: { command: 'geth --http --http.addr 127.0.0.1 --http.api eth' },
  },
  on: 'settings',
  check: (settings) =>
    decideVerdict(
      (['http', 'ws', 'metrics', 'pprof'] as const).flatMap((kind) => ofInterface(settings, kind)),
    ),
};

function ofInterface(settings: NodeSettings, kind: 'http' | 'ws' | 'metrics' | 'pprof'): Draft[] {
  const { enable, ...others } = settings.nodeKind.interfaces.flags[kind];
  const inUse = new Set(
    settings.listeners.flatMap(({ kind: other, state, decidedBy }) =>
      other === kind || state === 'off' ? [] : decidedBy,
    ),
  );
  const set = Object.values(others).filter(
    (flag) => flag !== null && isSet(settings, flag) && !inUse.has(flag),
  );
  const [first] = set;
  const switched = enable === null ? undefined : settings.values[enable];
  // A switch may be on by default, and another flag may turn the interface on.
  const isOpen = settings.listeners.some((one) => one.kind === kind && one.state !== 'off');
  if (first === undefined || switched?.origin.kind !== 'default' || isOpen) return [];
  const flags = set.map((flag) => `--${flag}`);
  const have = flags.length === 1 ? 'has' : 'have';
  return [
    {
      subject: kind,
      at: placeOfFlags(settings, first),
      message: `${kind} is off without --${enable}, so ${joinWords(flags)} ${have} no effect.`,
      fix: advise(`Add --${enable}, or remove ${joinWords(flags)}.`),
      evidence: { interface: kind, flags: set },
    },
  ];
}

/** The file of --config may hold every setting, as `dumpconfig` writes it. */
function isSet({ values }: Settings, flag: string): boolean {
  return ['flag', 'environment'].includes(values[flag]?.origin.kind ?? '');
}
