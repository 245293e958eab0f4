/** The text output of `node settings`. */
import { table as columned } from '../../terminal/table.js';
import { fold, columns as width, wrap, wrapWords } from '../../terminal/wrap.js';
import { isSecretName, redact, redactWords } from '../../util/redact.js';
import { shellQuoted } from '../../util/shell-word.js';
import { visible } from '../../util/visible.js';
import type { Conf } from '../facts/facts.js';
import {
  isLocal,
  isStartRefused,
  type Listener,
  type Origin,
  type Setting,
  type Settings,
} from '../facts/settings.js';
import type { ConfShell } from '../facts/shell.js';
import type { Span } from '../facts/span.js';
import { kinds } from '../kinds/index.js';
import type { Kind, KindScripts, KindWords } from '../kinds/kind.js';
import { kindOf } from '../kinds/node.js';
import { releaseName } from '../kinds/release.js';

/** With `verbose` also defaults. */
export function settingsText(
  { settings, shell }: Conf,
  { columns, verbose }: { readonly columns: number; readonly verbose: boolean },
): string {
  const wide = Math.min(columns, 160);
  const kind = kindOf(kinds, settings);
  const sections = [
    [wrap(header(settings, kind), wide, 0, 2)],
    listenerLines(settings.listeners, wide),
    table(settings, kind, { wide, verbose }),
    problemLines(settings, shell, wide),
    argvLines(settings, kind, wide),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n')}\n`;
}

function header(settings: Settings, kind: Kind): string {
  const refused = isStartRefused(settings.problems)
    ? 'does not start'
    : `does not start as ${releaseName(kind.release.id)}`;
  const starts = settings.startable ? 'starts' : refused;
  const { source, launcher, by, package: from, packageBy } = settings;
  const packaged = kind.launchers === null ? '' : `, ${from} by ${packageBy}`;
  const program = kind.launchers === null ? kind.label : launcher;
  return `${visible(source.path)} · ${program} by ${by}${packaged} · ${starts}`;
}

function listenerLines(listeners: readonly Listener[], wide: number): string[] {
  const on = listeners.filter(({ state }) => state !== 'off');
  const places = on.map(({ kind, path, host, port }) =>
    isLocal(kind) ? visible(path ?? 'in the data folder') : `${visible(host ?? '?')}:${port ?? '?'}`,
  );
  const placeWidth = Math.max(21, ...places.map(width).filter((one) => one < wide / 2));
  return on.map((one, at) => {
    const start = `${one.kind.padEnd(11)}${(places[at] ?? '').padEnd(placeWidth)}`;
    return fold(`${start} ${offered(one)}`, wide, 4);
  });
}

function offered({ kind, state, reason, modules }: Listener): string {
  if (state === 'unknown') return `unknown: ${visible(reason ?? '', 60)}`;
  if (kind === 'ipc') return 'all modules';
  return modules?.join(' ') ?? (kind === 'http' || kind === 'ws' ? 'modules not known' : '');
}

function table(
  settings: Settings,
  kind: KindScripts,
  { wide, verbose }: { readonly wide: number; readonly verbose: boolean },
): string[] {
  const shown = Object.entries(settings.values).filter(([, { origin }]) => verbose || isShown(origin));
  return shown.length === 0 ? [] : [settingTable(shown, kind, wide)];
}

/** A row for each setting and for each value that it overrides. */
export function settingTable(
  settings: readonly (readonly [name: string, Setting])[],
  { launchers }: KindScripts,
  wide: number,
): string {
  const extraFlags = launchers?.extraFlags ?? 'command line';
  const rows = settings.flatMap(([name, setting]) => settingRows(name, setting, extraFlags));
  return columned(['setting', 'value', 'from'], rows, wide);
}

/** The default and what an unread file may set are most of the flags. */
function isShown(origin: Origin): boolean {
  return 'key' in origin ? origin.key !== null : origin.kind !== 'default';
}

/** A setting, and indented below it the values that it overrides. `extraFlags`: the origin of flags in a conf. */
function settingRows(name: string, setting: Setting, extraFlags: string): string[][] {
  const value =
    setting.indeterminate === null
      ? shownValue(name, setting.value)
      : `unknown: ${visible(setting.indeterminate)}`;
  const hidden = setting.shadowed
    .filter(({ origin }) => origin.kind !== 'default')
    .map((one) => ['  instead of', shownValue(name, one.value), source(one.origin, extraFlags)]);
  return [[name, value, source(setting.origin, extraFlags)], ...hidden];
}

function shownValue(name: string, value: Setting['value']): string {
  const shown = flagValue(name, value);
  return shown === null ? '–' : shown === '' ? '""' : visible(String(shown));
}

function source(origin: Origin, extraFlags: string): string {
  switch (origin.kind) {
    case 'assignment':
      return `${origin.variable} ${place(origin.at)}`;
    case 'flag':
      return `${origin.on ?? extraFlags} ${place(origin.at)}`;
    case 'environment':
      return `$${visible(origin.variable, 40)} ${place(origin.at)}`;
    case 'launcher':
      return 'the launcher';
    case 'packaged':
      return 'the packaged conf';
    case 'yaml':
      return `${origin.key ?? '--conf'} ${place(origin.at)}`;
    case 'toml':
      return `${origin.key ?? '--config'} ${place(origin.at)}`;
    case 'default':
      return 'default';
  }
}

function place(at: Span | null): string {
  return at === null ? '' : `${at.line}:${at.column}`;
}

function problemLines(settings: Settings, shell: ConfShell | null, wide: number): string[] {
  const problems = settings.problems.map(({ kind, fatal, message, at }) => {
    return item(kind === 'unknown-flag' ? 'unknown' : fatal ? 'fatal' : 'note', at, message, wide);
  });
  const unknown = (shell?.indeterminate ?? []).slice(0, 50).map(({ variable, reason, at }) => {
    return item('unknown', at, `${variable === null ? '' : `${variable}: `}${reason}`, wide);
  });
  return [...problems, ...unknown].flat();
}

function item(kind: string, at: Span | null, message: string, wide: number): string[] {
  const head = `${kind.padEnd(9)}${place(at).padEnd(8)}`;
  return [head + wrapWords(visible(redact(message), 500).split(' '), wide, 17, 17).trimStart()];
}

/** The command line, to be pasted into a shell. */
function argvLines(settings: Settings, kind: KindWords, wide: number): string[] {
  const words = commandLine((settings.start ?? []).map(({ text }) => text)).map((word) =>
    word === null ? '‹unknown›' : shellQuoted(visible(word)),
  );
  if (words.length === 0) return [];
  const lines = wrapWords([kind.programOf(settings.launcher), ...words], wide - 6, 0, 0);
  return [lines.replaceAll('\n', ' \\\n    ')];
}

/** Replaces a secret, whatever its length. */
export const mask = '********';

/** The value of a flag, masked if it is secret. */
export function flagValue<T>(flag: string, value: T): T | string {
  return typeof value === 'string' ? (commandLine([`--${flag}`, value])[1] ?? '') : value;
}

/** The value of a variable, masked if it is secret; likely secrets in other values are masked too. */
export function variableValue(name: string, value: string | null): string | null {
  if (value === null || value === '') return value;
  return isSecretName(name) ? mask : redact(value);
}

/** A command line with its secrets masked. Returns null for an unknown word. */
export function commandLine(words: readonly (string | null)[]): (string | null)[] {
  const shown = redactWords(
    words.map((word) => word ?? ''),
    () => mask,
  );
  return words.map((word, at) => (word === null ? null : (shown[at] ?? null)));
}
