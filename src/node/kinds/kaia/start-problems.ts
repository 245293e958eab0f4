/** Addresses, ports and accounts that keep a node from starting. */

import { go } from '../../dialect/go/index.js';
import { badValue, type Listener, type Setting, type StartProblem } from '../../facts/settings.js';
import { numberOf } from '../listening.js';
import { isBootNode, type Launcher } from './names.js';

type Settings = Readonly<Record<string, Setting>>;

/** Why the node cannot listen, and listeners whose port cannot be known. */
export function bindProblems(
  launcher: Launcher,
  settings: Settings,
  listeners: readonly Listener[],
): StartProblem[] {
  const on = listeners.filter(({ kind, state }) => state === 'on' && (kind === 'http' || kind === 'ws'));
  const own = isBootNode(launcher) ? [] : nodePorts(settings);
  return [
    ...(['http', 'ws'] as const).flatMap((kind) => hostProblem(settings, kind)),
    ...on.flatMap((listener) =>
      portProblems(settings, portFlags[listener.kind as 'http' | 'ws'], listener.port),
    ),
    ...clashes(
      [...on.map(({ kind, host, port }) => ({ flag: portFlags[kind as 'http' | 'ws'], host, port })), ...own],
      settings,
    ),
    ...rewardProblem(settings),
  ];
}

const portFlags = { http: 'rpcport', ws: 'wsport' } as const;
const addressFlags = { http: ['rpc', 'rpcaddr'], ws: ['ws', 'wsaddr'] } as const;

function hostProblem(settings: Settings, kind: 'http' | 'ws'): StartProblem[] {
  const [enable, flag] = addressFlags[kind];
  const value = settings[flag]?.value;
  const why = typeof value === 'string' ? go.unbindable(value) : null;
  if (settings[enable]?.value !== true || why === null) return [];
  return [badValue(settings, flag, `--${flag} ${value} cannot be bound: ${why}; the node does not start`)];
}

function portProblems(settings: Settings, flag: string, port: number | null): StartProblem[] {
  if (port === null || (port > 0 && port <= 65_535)) return [];
  const random = port === 0;
  const what = random
    ? 'lets the system choose a port, which cannot be known in advance'
    : 'is not a port: the node does not start';
  return [badValue(settings, flag, `--${flag} ${port} ${what}`, !random)];
}

interface Bound {
  readonly flag: string;
  readonly host: string | null;
  readonly port: number | null;
}

/** The ports for peers, on every address; the second one only with --multichannel. */
function nodePorts(settings: Settings): Bound[] {
  const flags = settings.multichannel?.value === true ? ['port', 'subport'] : ['port'];
  return flags.map((flag) => ({ flag, host: '', port: numberOf(settings[flag]) }));
}

function clashes(all: readonly Bound[], settings: Settings): StartProblem[] {
  return all.flatMap((one, at) => {
    const other = all.slice(at + 1).find((next) => clash(one, next));
    if (other === undefined) return [];
    const message = `--${one.flag} and --${other.flag} are both ${one.port}: the node cannot listen twice and does not start`;
    return [{ ...badValue(settings, one.flag, message), flags: [one.flag, other.flag] }];
  });
}

function clash(a: Bound, b: Bound): boolean {
  if (a.port === null || a.port === 0 || a.port !== b.port || a.host === null || b.host === null)
    return false;
  return a.host === b.host || [a.host, b.host].some((host) => ['', '0.0.0.0', '[::]'].includes(host));
}

/** --rewardbase takes an address, or the index of one in the key store. */
function rewardProblem(settings: Settings): StartProblem[] {
  const value = settings.rewardbase?.value;
  if (typeof value !== 'string' || /^(?:(?:0x)?[0-9a-f]{40}|\d*)$/i.test(value)) return [];
  const message = `--rewardbase ${value} is neither an address nor an index: the node does not start`;
  return [badValue(settings, 'rewardbase', message)];
}

/** `ken console` starts a node as `ken` does (cmd/utils/nodecmd/consolecmd.go, localConsole). */
export const consoles = ['console'];

/** Commands of the program that start no node; flags may precede them. */
const commands = new Set(
  'account attach db-migration dumpgenesis export h help import init license removedb snapshot util version'.split(
    ' ',
  ),
);

/** False for the words of a command such as `--datadir /d init genesis.json`. `takesValue`: by the name of a flag. */
export function startsNode(words: readonly string[], takesValue: (flag: string) => boolean): boolean {
  const command = go.commandIn(words, takesValue);
  if (command === null || consoles.includes(command)) return true;
  return !/^[a-z]/.test(words[0] ?? '') && !commands.has(command);
}
