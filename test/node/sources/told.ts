/** A reading as text: everything that was read, where it stands and what it comes from, but for what is by default. */

import type { Loaded } from '../../../src/node/deployment/load-options.js';
import type { Alternative, Conf } from '../../../src/node/facts/facts.js';
import { publishedBy } from '../../../src/node/facts/reach.js';
import type { Listener, Origin, Setting, Settings, StartProblem } from '../../../src/node/facts/settings.js';
import type { ConfShell } from '../../../src/node/facts/shell.js';
import type { Span } from '../../../src/node/facts/span.js';
import { foundName, rangeName } from '../../../src/node/kinds/release.js';

/** Every node of a source with its settings, then what could not be read. */
export function told({ nodes, problems, notes }: Loaded): string {
  const lines = [
    ...nodes.flatMap(({ name, conf }) => [`node ${name ?? ''}`.trimEnd(), ...ofConf(conf)]),
    ...problems.map(({ message }) => `problem: ${message}`),
    ...notes.map((note) => `note: ${note}`),
  ];
  return lines.map((line) => `${line.replaceAll('\uFDD0', '�')}\n`).join('');
}

function ofConf(conf: Conf): string[] {
  const { settings, shell, alternatives = [] } = conf;
  const at = placed(settings.source.path);
  const own = [
    ...head(settings, at),
    ...release(settings),
    ...(settings.start === null ? [] : [words(settings.start, at)]),
    ...values(settings, at),
    ...keys(settings, at),
    ...settings.listeners.filter(({ state, reason }) => state !== 'off' || reason !== null).map(listener(at)),
    ...settings.problems.map(problem(at)),
    ...(shell === null ? [] : ofShell(shell, at)),
  ].map((line) => `  ${line}`);
  const others = alternatives.flatMap((one) => {
    const lines = changed(own, ofConf(one.conf));
    const added = one.unless === undefined ? lines : lines.filter((line) => line.startsWith('  +'));
    return [`  ${whenOf(one)}:`, ...added];
  });
  return [...own, ...others];
}

/** The release, where anything but the settings tells it. */
function release({ release }: Settings): string[] {
  if (release === undefined || release.by === 'none' || release.by === 'settings') return [];
  return [`release ${foundName(release)} by ${release.by}`];
}

/** The lines that are not the same, as a patch has them. */
function changed(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `  - ${line.slice(2)}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `  + ${line.slice(2)}`),
  ];
}

type At = (span: Span | null) => string;

/** `3:14-20`, or `3:14-4:2` over several lines, in front of it the file where it is another one. */
const placed =
  (path: string): At =>
  (span) => {
    if (span === null) return 'nowhere';
    const { file, line, column, endLine, endColumn } = span;
    const end = endLine === line ? endColumn : `${endLine}:${endColumn}`;
    return `${file === path ? '' : `${file}:`}${line}:${column}-${end}`;
  };

function head({ launcher, package: from, by, packageBy, ...rest }: Settings, at: At): string[] {
  const { source, startable, name, at: place, unread = [] } = rest;
  const others = Object.entries(source.others ?? {}).map(
    ([file, lines]) => `${file} (${lines.length} lines)`,
  );
  // What a fixture is marked with is the business of rules.
  const comments = source.comments.filter((one) => !one.text.startsWith('# expect'));
  return [
    `${launcher} by ${by}, ${from} by ${packageBy}, of ${source.kind} ${source.path}`,
    ...(name === undefined ? [] : [`called ${name}`]),
    ...(place === undefined ? [] : [`at ${at(place)}`]),
    ...(startable ? [] : ['does not start']),
    ...list('unread', unread, at),
    ...(others.length === 0 ? [] : [`with ${others.join(', ')}`]),
    ...list('comments', comments, (one) => `${one.text.slice(0, 20)}@${at(one.at)}`),
    ...list('over lines', source.multiline, at),
  ];
}

function list<T>(what: string, all: readonly T[], text: (one: T) => string): string[] {
  return all.length === 0 ? [] : [`${what} ${all.map(text).join(' ')}`];
}

function words(start: NonNullable<Settings['start']>, at: At): string {
  const all = start.map(({ text, variable, at: place }) => {
    const by = variable === null ? '' : `<${variable}`;
    return `${text === null ? '?' : JSON.stringify(text).slice(1, -1)}${by}${place === null ? '' : `@${at(place)}`}`;
  });
  return ['words', ...all].join(' ');
}

/** What is alike for very many flags is counted, whatever they are by default. */
function values({ values: all }: Settings, at: At): string[] {
  const from = ({ value, shadowed, ...setting }: Setting) => {
    const own = shadowed.filter(({ origin }) => origin.kind !== 'default');
    const over = own
      .map((one) => `, over ${one.value === null ? '?' : `${text(one.value)} ${origin(one.origin, at)}`}`)
      .join('');
    return `= ${text(value)} ${whence(setting, at)}${over}`;
  };
  const packaged = Object.entries(all).filter(([, one]) => one.origin.kind === 'packaged');
  const set = Object.entries(all)
    .filter(([, one]) => !/^(?:default|packaged)$/.test(one.origin.kind) || one.indeterminate)
    .map(([name, setting]) => ({ name, setting, line: from(setting) }));
  const counts = new Map<string, number>();
  for (const { line } of set) counts.set(line, (counts.get(line) ?? 0) + 1);
  const many = [...counts].filter(([, count]) => count > 20);
  const few = set.filter(({ line }) => many.every(([other]) => other !== line));
  return [
    ...list('packaged', packaged, ([name, { value }]) => `${name}=${text(value)}`),
    ...few.map(({ name, setting, line }) => {
      const over = setting.shadowed.find(({ origin }) => origin.kind === 'default');
      return `${name} ${line}${over === undefined ? '' : `, over ${text(over.value)} by default`}`;
    }),
    ...many.map(([line, count]) => `${count} flags ${line}`),
  ];
}

const text = (value: unknown): string =>
  value === null || value === undefined ? '?' : (JSON.stringify(value) as string);

function whence(setting: Pick<Setting, 'origin' | 'indeterminate'>, at: At): string {
  const why = setting.indeterminate === null ? '' : ` (${setting.indeterminate})`;
  return `${origin(setting.origin, at)}${why}`;
}

function origin(from: Origin, at: At): string {
  switch (from.kind) {
    case 'assignment':
      return `${from.variable} --${from.flag} ${at(from.at)}`;
    case 'flag':
      return `${from.on ?? 'ADDITIONAL'} --${from.flag} ${at(from.at)}`;
    case 'environment':
      return `environment ${from.variable} ${at(from.at)}`;
    case 'launcher':
      return `launcher --${from.flag}`;
    case 'packaged':
      return `packaged ${from.variable}`;
    case 'yaml':
      return `yaml ${from.path} ${at(from.at)}`;
    case 'toml':
      return `toml ${from.path} ${from.key ?? '?'} ${at(from.at)}`;
    case 'default':
      return 'default';
  }
}

/** `!`: the value at its place decides alone; `~`: a line was meant to set it and does not. */
function keys({ keys: all }: Settings, at: At): string[] {
  const set = Object.values(all).filter(({ at: place, malformed }) => place !== null || malformed);
  return list('keys', set, ({ name, value, at: place, alone, malformed }) => {
    const marks = `${alone ? '!' : ''}${malformed ? '~' : ''}`;
    return `${name}=${text(value)}@${at(place)}${marks}`;
  });
}

const listener =
  (at: At) =>
  (listener: Listener): string => {
    const { kind, state, reason, host, port, path, listed, modules } = listener;
    const { builtInList, origins, vhosts, container } = listener;
    const lists = [
      ['listed', listed?.map(({ name, at: place }) => `${name}@${at(place)}`) ?? null],
      ['offers', modules],
      ['origins', origins],
      ['vhosts', vhosts],
    ] as const;
    const published = publishedBy(listener);
    return [
      `${kind} ${state}${reason === null ? '' : ` (${reason})`} ${path ?? `${host ?? '?'}:${port ?? '?'}`}`,
      ...lists.flatMap(([what, list]) => (list === null ? [] : [`${what} ${list.join(',')}`])),
      ...(builtInList ? ['built in'] : []),
      ...(container === undefined ? [] : [`within ${container.network}`]),
      ...(published === null
        ? []
        : [
            `${published.because}: ${published.host ?? '?'}:${published.port ?? '?'} ${at(published.at)} instead ${published.instead}`,
          ]),
    ].join('; ');
  };

const problem =
  (at: At) =>
  ({ kind, fatal, message, at: place, variable, flags }: StartProblem): string =>
    `${fatal ? 'fatal' : 'warns'} ${kind} ${at(place)} ${variable ?? '-'} [${flags.join(' ')}] ${message}`;

function ofShell(shell: ConfShell, at: At): string[] {
  const { assignments, variables } = shell;
  const last = new Map(assignments.filter(({ effective }) => effective).map((one) => [one.variable, one]));
  const others = Object.entries(variables).filter(
    ([name, value]) => (last.has(name) || value === null) && last.get(name)?.value !== value,
  );
  const gone = [...last.keys()].filter((name) => !(name in variables));
  const switches = Object.entries(shell.switches).filter(([, on]) => on !== false);
  return [
    ...assignments.map(({ variable, value, kind, indeterminate, ...one }) => {
      const why = indeterminate === null ? '' : ` (${indeterminate})`;
      const marks = `${one.effective ? '' : ' idle'}${one.conditional ? ' conditional' : ''}`;
      return `${kind} ${variable} = ${text(value)}${why} ${at(one.at)} value ${at(one.valueAt)}${marks}`;
    }),
    ...list('variables', others.slice(0, 20), ([name, value]) => `${name}=${text(value)}`),
    ...list('unset', gone, (name) => name),
    ...list('exported', shell.exported, (name) => name),
    ...list('switches', switches, ([name, on]) => (on === null ? `${name}?` : name)),
    ...list('read', Object.entries(shell.readers), ([name, all]) => `${name}:${all.length}`),
    ...shell.syntaxIssues.map(
      ({ kind, at: place, variable, likelyMistake }) =>
        `issue ${kind} ${at(place)} ${variable ?? '-'}${likelyMistake ? ' mistake' : ''}`,
    ),
    ...shell.indeterminate.map(
      ({ variable, reason, at: place }) => `unknown ${variable ?? 'anything'} ${at(place)}: ${reason}`,
    ),
  ];
}

function whenOf({ when, unless, releases = [] }: Alternative): string {
  const clauses = [...releases.map(rangeName), ...(when === null ? [] : [when])];
  return [
    ...(clauses.length === 0 ? [] : [`when ${clauses.join(' and ')}`]),
    ...(unless === undefined ? [] : [`unless ${unless}`]),
  ].join(', ');
}
