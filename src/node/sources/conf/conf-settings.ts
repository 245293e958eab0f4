/** Derives the settings of a conf as its launcher does, also for conditions that cannot be known. */
import type { Assignment, Shell } from '../../facts/shell.js';
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

/** The settings a launcher derives from a conf. */
export function settingsOfConf(conf: ConfText): ReadConf {
  const undecided = new Map<number, Range>();
  const before = conf.steps.taken;
  const known = read(conf, (test) => {
    if (undecided.size < maxConditions) undecided.set(test.start, test);
    return null;
  });
  const affordable = Math.floor(conf.steps.left / (2 * (conf.steps.taken - before)));
  const tried = [...undecided.values()].slice(0, affordable);
  if (tried.length === 0) return known;
  const text = conf.lineIndex.text;
  const alternatives = tried.flatMap((test) =>
    [true, false].flatMap((holds) => {
      const written = text.slice(test.start, test.end).trim().replace(/\s+/g, ' ');
      const other = read(conf, ({ start }) => (start === test.start ? holds : null));
      return alternativesOf(holds ? written : `not ${written}`, other);
    }),
  );
  return { ...known, alternatives: [...(known.alternatives ?? []), ...alternatives] };
}

/** The limit of unknown conditions that are tried one by one; for a conf that takes many steps fewer are tried. */
const maxConditions = 6;

function read(conf: ConfText, decide: Decide): ReadConf {
  const { kind, lineIndex, launcher, package: from, by, packageBy, env } = conf;
  const template = maskPlaceholders(lineIndex.text);
  const reading = readShell(
    template.text,
    { ...surroundings(conf), decide, steps: conf.steps },
    template.optional,
  );
  const assignments = settledAssignments(reading.shell, lineIndex);
  const left = shellOf(reading.shell, assignments, conf);
  // The launcher's own steps come after: they may change the variables.
  const environment = environmentOf(reading.shell, env, assignments);
  const { worst, ...started } = start(reading, lineIndex, assignments, conf, environment);
  const multiline = assignments.filter(({ at }) => at.endLine > at.line).map(({ at }) => at);
  const keys = keysOf(left, kind.launchers.variablesByFlag(launcher, from), lineIndex.text);
  const source = { ...conf.source, multiline };
  const settings = { launcher, by, package: from, packageBy, source, keys, ...started };
  return withWorst({ settings, shell: left }, worst);
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
function surroundings({ kind: { launchers }, env, packaged, package: from }: ConfText) {
  const preset: Record<string, Value> = {};
  for (const [name, { value, indeterminate }] of env)
    preset[name] = value ?? { unknown: indeterminate ?? 'it cannot be known' };
  const variables = { ...preset, ...launchers.presets(from), ...packaged };
  return { variables, exported: [...env.keys()], isSetting: launchers.isKnownVariable };
}
