/** Compares the command line and environment that follow from the settings with those of the running process. */
import { redact, redactWords } from '../../../util/redact.js';
import type { LiveFacts, ProcessFacts } from '../../facts/live.js';
import type { SettingValue } from '../../facts/settings.js';
import { canonicalModule, type NodeSettings } from '../../kinds/node.js';

/** Flag, without dashes, → its values in order; a switch has none. */
type Flags = ReadonlyMap<string, readonly string[]>;

/** One flag that differs; null if it is not given on that side. */
export interface FlagDifference {
  readonly flag: string;
  readonly conf: string | null;
  readonly process: string | null;
}

/**
 * Flags that differ between settings and process, in the order of the settings: of the command line, then of the
 * environment that the settings name. Null if they cannot be compared: no process was seen, or the settings cannot be
 * resolved offline.
 */
export function flagDifferences(
  settings: NodeSettings,
  live: Pick<LiveFacts, 'process'>,
): FlagDifference[] | null {
  if (live.process.state !== 'seen') return null;
  if (settings.start === null) return null;
  const words = settings.start.map(({ text }) => text);
  if (words.some((text) => text === null)) return null;
  const planned = flagsOf(redact(words.join(' ')).split(' '));
  const running = flagsOf(live.process.value.argv.slice(1).join(' ').split(' '));
  const names = [...new Set([...planned.keys(), ...running.keys()])];
  const added = settings.nodeKind.launchers?.ownFlags ?? [];
  const variables = variableDifferences(settings, live.process.value, (flag) => names.includes(flag));
  if (variables === null) return null;
  return [
    ...names
      .filter((name) => !added.includes(name) && lastValue(planned, name) !== lastValue(running, name))
      .map((flag) => ({ flag, conf: lastValue(planned, flag), process: lastValue(running, flag) })),
    ...variables,
  ];
}

/**
 * Flags that a variable of the settings sets otherwise than the environment of the process. The command line overrides
 * variables. Other variables of the process may have another source than this file. Null: a variable is not known offline.
 */
function variableDifferences(
  settings: NodeSettings,
  { environment, settings: started }: ProcessFacts,
  isOnCommandLine: (flag: string) => boolean,
): FlagDifference[] | null {
  if (environment.state !== 'seen' || started === null) return [];
  const differences: FlagDifference[] = [];
  for (const [flag, { value, origin, indeterminate }] of Object.entries(settings.values)) {
    if (origin.kind !== 'environment' || isOnCommandLine(flag)) continue;
    if (indeterminate !== null) return null;
    const { variable } = origin;
    const [own = ''] = redactWords([`${variable}=${shown(value) ?? ''}`]);
    const conf = own.slice(variable.length + 1) || null;
    const setting = started.values[flag];
    const process = setting?.origin.kind === 'environment' ? shown(setting.value) : null;
    if (conf !== process) differences.push({ flag, conf, process });
  }
  return differences;
}

/** A value as a flag has it; null for a switch that is off, or for no value. */
function shown(value: SettingValue | null): string | null {
  return value === true ? 'on' : value === false || value === null ? null : String(value);
}

/** Whether the file of the settings would start the process with other flags than it runs with. */
export function isRestartPending(settings: NodeSettings, live: Pick<LiveFacts, 'process'>): boolean {
  if (settings.source.kind === 'process') return false;
  return flagDifferences(settings, live)?.some((one) => hasEffect(settings, one)) === true;
}

/** Flags that change only the log, or nothing (v2.2.1). */
const withoutEffect = /^(?:verbosity|vmodule|log\..*|srvtype|rpc\.concurrencylimit|backtrace|debug)$/;

/** Whether the difference changes what the node does: not an alias of a module, another order or another log level. */
export function hasEffect(settings: NodeSettings, { flag, conf, process }: FlagDifference): boolean {
  if (withoutEffect.test(flag)) return false;
  const { http, ws } = settings.nodeKind.interfaces.flags;
  const isList = flag === http.api || flag === ws.api;
  return !isList || conf === null || process === null || asSet(settings, conf) !== asSet(settings, process);
}

function asSet(settings: NodeSettings, list: string): string {
  const names = list.split(',').map((name) => canonicalModule(settings, name.trim()));
  return [...new Set(names)].sort().join(',');
}

/** The last value of a flag; `on` for a switch, null if it is absent. */
function lastValue(flags: Flags, name: string): string | null {
  const values = flags.get(name);
  return values === undefined ? null : (values.at(-1) ?? 'on');
}

/** The process's last value of a flag. */
export function processFlag(live: Pick<LiveFacts, 'process'>, name: string): string | null {
  if (live.process.state !== 'seen') return null;
  return lastValue(flagsOf(live.process.value.argv.slice(1)), name);
}

function flagsOf(words: readonly string[]): Flags {
  const flags = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const word of words.filter((one) => one !== '')) {
    const [, name, inline] = /^--?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      current?.push(word);
      current = null;
      continue;
    }
    current = flags.get(name) ?? [];
    flags.set(name, current);
    if (inline !== undefined) current.push(inline);
  }
  return flags;
}
