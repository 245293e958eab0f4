/** Addresses, ports and accounts that keep a node from starting. */

import { go } from '../../dialect/go/index.js';
import { badValue, type Listener, type Setting, type StartProblem } from '../../facts/settings.js';
import { boundBy, clashes, portProblems, type ValueCheck, valueProblems } from '../checks.js';
import { flagsIn } from '../interfaces.js';
import { numberOf } from '../listening.js';
import { rows } from './interfaces.js';
import { isBootNode, type Launcher } from './names.js';

type Settings = Readonly<Record<string, Setting>>;
const flags = flagsIn(rows);

/** Why the node cannot listen, and listeners whose port cannot be known. */
export function bindProblems(
  launcher: Launcher,
  values: Settings,
  listeners: readonly Listener[],
): StartProblem[] {
  const on = boundBy(flags, listeners, ['http', 'ws']);
  const random = 'lets the system choose a port, which cannot be known in advance';
  // The ports for peers are on every address; the second one only with --multichannel.
  const peers = values.multichannel?.value === true ? ['port', 'subport'] : ['port'];
  const own = peers.map((flag) => ({ flag, host: '', port: numberOf(values[flag]) }));
  return [
    ...valueProblems([hostCheck(values, flags.http), hostCheck(values, flags.ws)], values),
    ...portProblems(on, values),
    ...on
      .filter(({ port }) => port === 0)
      .map(({ flag }) => badValue(values, flag, `--${flag} 0 ${random}`, false)),
    ...clashes(isBootNode(launcher) ? on : [...on, ...own], values),
    ...valueProblems([rewardCheck], values),
  ];
}

function hostCheck(values: Settings, { enable, addr }: (typeof flags)['http']): ValueCheck {
  const isOn = values[enable ?? '']?.value === true;
  return [
    addr ?? '',
    (value) => {
      const why = isOn ? go.unbindable(String(value)) : null;
      return why === null ? null : `${value} cannot be bound (${why})`;
    },
  ];
}

/** --rewardbase takes an address, or the index of one in the key store. */
const rewardCheck: ValueCheck = [
  'rewardbase',
  (value) =>
    /^(?:(?:0x)?[0-9a-f]{40}|\d*)$/i.test(String(value))
      ? null
      : `${value} is neither an address nor an index`,
];

/** `ken console` starts a node as `ken` does (cmd/utils/nodecmd/consolecmd.go, localConsole). */
export const consoles = ['console'];

/** Commands of the program that start no node; flags may precede them. */
export const idle: ReadonlySet<string> = new Set(
  'account attach db-migration dumpgenesis export h help import init license removedb snapshot util version'.split(
    ' ',
  ),
);
