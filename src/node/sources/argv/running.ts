/** What a running node opens, by its command line and environment. */
import { basename } from 'node:path';
import type { ProcessFacts } from '../../facts/live.js';
import type { Listener } from '../../facts/settings.js';
import { flagsOf } from '../../kinds/kaia/flags.js';
import { binaryOf, type Launcher, launchers } from '../../kinds/kaia/names.js';
import type { ReplayWord } from '../conf/replay.js';
import { parseWords } from './argv.js';
import { listenersOf } from './listeners.js';
import { type EnvironmentVariable, settle } from './settings.js';

export interface Running {
  readonly launcher: Launcher;
  readonly listeners: readonly Listener[];
  /** Ports of the peer-to-peer protocol, which no JSON-RPC is ever sent to; null: they cannot be known. */
  readonly peerPorts: readonly number[] | null;
}

/** null for a program that no launcher starts. */
export function running(node: Pick<ProcessFacts, 'argv' | 'environment'>): Running | null {
  const [program = '', ...words] = node.argv;
  const launcher = launchers.find((one) => binaryOf(one) === basename(program));
  if (launcher === undefined) return null;
  const flags = flagsOf(launcher);
  const first = words.findIndex((word) => word.startsWith('-'));
  const given = first < 0 ? [] : words.slice(first).map(asWord);
  const settled = settle(flags, parseWords(given, flags), environmentOf(node));
  const { settings } = settled;
  const value = (flag: string): number | null => {
    const setting = settings[flag];
    if (setting === undefined || setting.indeterminate !== null) return null;
    const number = Number(setting.value);
    return Number.isInteger(number) ? number : null;
  };
  const peers = [value('port'), value('subport')];
  return {
    launcher,
    listeners: listenersOf({ launcher, settings, words: given, locate: () => null }),
    peerPorts: peers.includes(null) && launcher !== 'kbnd' ? null : peers.filter((port) => port !== null),
  };
}

function asWord(text: string): ReplayWord {
  return { text, variable: null, at: null, cause: null, causeAt: null, indeterminate: null, maybe: null };
}

function environmentOf({ environment }: Pick<ProcessFacts, 'environment'>): Map<string, EnvironmentVariable> {
  const given = environment.state === 'seen' ? Object.entries(environment.value) : [];
  return new Map(
    given.map(([variable, value]) => [
      variable,
      { value, indeterminate: null, origin: { kind: 'environment', variable, at: null } },
    ]),
  );
}
