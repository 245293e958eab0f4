/** Derives the settings of a conf as its launcher does, also for conditions that cannot be known. */
import type { ReleaseFound } from '../../facts/release.js';
import type { Assignment, Shell } from '../../facts/shell.js';
import type { ScriptedKind } from '../../kinds/kind.js';
import { byRelease } from '../argv/by-release.js';
import { alternativesOf, withWorst } from '../argv/readings.js';
import { readShell } from '../shell/shell.js';
import type { Decide, Shell as ShellState } from '../shell/state.js';
import type { Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { maskPlaceholders } from '../text/placeholders.js';
import { start } from './start.js';
import type { ConfText, ReadConf } from './text.js';
import {
  environmentOf,
  keysOf,
  readersOf,
  settledAssignments,
  switchesOf,
  variablesOf,
} from './variables.js';

/** The settings a launcher derives from a conf, in each of the releases that the node may be. */
export function settingsOfConf(conf: ConfText, found: ReleaseFound): ReadConf {
  return byRelease(conf.kind, found, readerOfConf(conf));
}

/** Reads the text once, also for each condition that cannot be known. */
export function readerOfConf(conf: ConfText): (kind: ScriptedKind, release: ReleaseFound) => ReadConf {
  const undecided = new Map<number, Range>();
  const before = conf.steps.taken;
  const known = reading(conf, (test) => {
    if (undecided.size < maxConditions) undecided.set(test.start, test);
    return null;
  });
  const affordable = Math.floor(conf.steps.left / (2 * (conf.steps.taken - before)));
  const tried = [...undecided.values()].slice(0, affordable);
  const text = conf.lineIndex.text;
  const others = tried.flatMap((test) =>
    [true, false].map((holds) => {
      const written = text.slice(test.start, test.end).trim().replace(/\s+/g, ' ');
      const other = reading(conf, ({ start }) => (start === test.start ? holds : null));
      return { when: holds ? written : `not ${written}`, other };
    }),
  );
  return (kind, release) => {
    const own = known(kind, release);
    const alternatives = others.flatMap(({ when, other }) => alternativesOf(when, other(kind, release)));
    return alternatives.length === 0
      ? own
      : { ...own, alternatives: [...(own.alternatives ?? []), ...alternatives] };
  };
}

/** The limit of unknown conditions that are tried one by one; for a conf that takes many steps fewer are tried. */
const maxConditions = 6;

/** The lines mean the same to the shell in every release; the launcher may take them otherwise. */
function reading(conf: ConfText, decide: Decide): (kind: ScriptedKind, release: ReleaseFound) => ReadConf {
  const { lineIndex, launcher, package: from, by, packageBy, env } = conf;
  const template = maskPlaceholders(lineIndex.text);
  const read = readShell(
    template.text,
    { ...surroundings(conf), decide, steps: conf.steps },
    template.optional,
  );
  const assignments = settledAssignments(read.shell, lineIndex);
  // The launcher's own steps come after: they may change the variables.
  const environment = environmentOf(read.shell, env, assignments);
  const multiline = assignments.filter(({ at }) => at.endLine > at.line).map(({ at }) => at);
  const source = { ...conf.source, multiline };
  return (kind, release) => {
    const left = shellOf(read.shell, assignments, { ...conf, kind });
    const { worst, ...started } = start(
      read,
      lineIndex,
      assignments,
      { ...conf, kind },
      release,
      environment,
    );
    const keys = keysOf(left, kind.launchers.variablesByFlag(launcher, from), lineIndex.text);
    const settings = { launcher, by, package: from, packageBy, source, keys, ...started };
    return withWorst({ settings, shell: left }, worst);
  };
}

/** The state of the shell after the last line of a conf. */
function shellOf(
  shell: ShellState,
  assignments: readonly Assignment[],
  { kind: { launchers }, lineIndex, launcher, package: from, packageBy, env, syntaxIssues }: ConfText,
): Shell {
  const { memory, journal } = shell;
  const spanned = <T extends { readonly at: Range }>(one: T) => ({ ...one, at: lineIndex.span(one.at) });
  const exported = [...memory.all()]
    .filter(([name, one]) => one.exported && (one.value ?? null) !== null && !env.has(name))
    .map(([name]) => name);
  return {
    assignments,
    variables: variablesOf(shell, launchers, from),
    exported: exported.sort(),
    syntaxIssues: [...syntaxIssues, ...journal.syntaxIssues]
      .sort((a, b) => a.at.start - b.at.start)
      .map(spanned),
    indeterminate: journal.indeterminate.map(spanned),
    reads: launchers.readBy(launcher, packageBy === 'guess' ? null : from),
    readers: readersOf(assignments, launchers),
    switches: switchesOf(shell, launchers.switches(launcher, from)),
  };
}

/** The variables that are set before the launcher script sources the conf. */
function surroundings({ kind: { launchers }, env, packaged, package: from, unseen = null }: ConfText) {
  const preset: Record<string, Value> = {};
  for (const [name, { value, indeterminate }] of env)
    preset[name] = value ?? { unknown: indeterminate ?? 'it cannot be known' };
  const variables: Record<string, Value> = { ...preset, ...launchers.presets(from), ...packaged };
  // Unseen flags are not assumed to override the text.
  const rest = unseen === null ? {} : { rest: { unknown: unseen } };
  if (unseen !== null) variables[launchers.extraFlags] ??= '';
  return { variables, ...rest, exported: [...env.keys()], isSetting: launchers.isKnownVariable };
}
