/** The state of a file: its nodes and their findings with one text of the file. */
import { isDeepStrictEqual } from 'node:util';
import { KaiactlError } from '../../../errors.js';
import { groupBy } from '../../../util/group-by.js';
import type { Conf, Facts } from '../../facts/facts.js';
import type { Finding, Undetermined } from '../../facts/report.js';
import { seen } from '../../facts/seen.js';
import { givenIn, type SettingValue, type StartProblem } from '../../facts/settings.js';
import { compareSeverity, type Severity } from '../../facts/severity.js';
import { worldsOf } from '../../facts/worlds.js';
import { moduleFlags } from '../../judge/settings/module-lists.js';
import type { Kind } from '../../kinds/kind.js';
import type { Editable, ReadAs, Texts } from '../../sources/text/editable.js';

/** The result of judging one node. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Pick<Undetermined, 'rule' | 'code' | 'about'>[];
  /** The kind of the node; null if it is not known. */
  readonly kind: Kind | null;
}

/** Judges offline. The fixes are proposals of the rules. */
export type Judge = (facts: Facts) => Judged;

/** The nodes in the file's order; null when the text starts none. */
export type State = readonly NodeState[] | null;

export interface NodeState {
  /** What names it, with its launcher and package. */
  readonly name: readonly (string | null)[];
  /** The severities of the findings of each subject, most severe first. */
  readonly findings: ReadonlyMap<string, readonly Severity[]>;
  /** The same by rule. */
  readonly rules: ReadonlyMap<string, readonly Severity[]>;
  readonly open: readonly Pick<Undetermined, 'rule' | 'code' | 'about'>[];
  readonly startable: boolean;
  readonly refusals: readonly Pick<StartProblem, 'kind' | 'variable' | 'flags'>[];
  /** False when the launcher refuses to start the node. */
  readonly starts: boolean;
  /** Its network, data folder and key. */
  readonly identity: readonly (SettingValue | null)[];
  /** The flags and the environment it starts with; null when a value cannot be known. */
  readonly start: readonly unknown[] | null;
  readonly kind: Kind | null;
  /** The values of each flag with a module list, and of its key in the file. */
  readonly lists: Readonly<Record<string, readonly (SettingValue | null | undefined)[]>>;
}

/** The files with these texts: `others` differ from those that were read. */
export interface Version {
  readonly text: string;
  readonly others: Texts;
  /** The nodes that the text starts, by their places among those of the file; absent for all of them. */
  readonly nodes?: readonly number[];
}

/**
 * The state of the files in a version, read as inferred or as `as`. Nodes that the text does not hold are as in `before`,
 * and so are, where it was read as inferred, those that read the same.
 */
export function stateOf(
  file: Editable,
  version: Version,
  facts: Facts,
  judge: Judge,
  as: ReadAs = {},
  before: State = null,
): State {
  const isInferred = Object.keys(as).length === 0;
  const isAsRead = version.text === file.text && version.others.size === 0 && isInferred;
  const confs = isAsRead ? file.confs : readAgain(file, version, as);
  if (confs === null) return null;
  const { nodes = confs.map((_, at) => at) } = version;
  const states = confs.map((conf, at) => {
    const [was, state] = [file.confs[nodes[at] ?? -1], before?.[nodes[at] ?? -1]];
    return isInferred && state !== undefined && isSame(was, conf)
      ? state
      : nodeState(conf, judge({ ...offline(facts), conf: seen(conf) }));
  });
  if (version.nodes === undefined) return states;
  if (before === null || states.length !== nodes.length) return null;
  return before.map((one, at) => states[nodes.indexOf(at)] ?? one);
}

/** The nodes that the files start with these texts; null if they are no settings. */
export function readAgain(
  file: Editable,
  { text, others }: Version,
  as: ReadAs = {},
): readonly Conf[] | null {
  try {
    return file.read(text, as, others);
  } catch (error) {
    if (error instanceof KaiactlError) return null;
    throw error;
  }
}

/** Whether an edit left the node as it was: the same values at the same places. */
export function isSame(a: Conf | undefined, b: Conf | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && isDeepStrictEqual(withoutText(a), withoutText(b)));
}

/** Everything that is read of a node, with its places, but for the text of its files. */
function withoutText({ settings, shell, releases, alternatives = [] }: Conf): object {
  const { source, ...others } = settings;
  return {
    shell,
    releases,
    settings: { ...others, source: { ...source, lines: [], others: {} } },
    alternatives: alternatives.map((one) => ({ ...one, conf: withoutText(one.conf) })),
  };
}

/** The facts to judge offline; keeps the reach that the operator states. */
function offline(facts: Facts): Facts {
  return { ...facts, conf: null, live: null };
}

export function nodeState(conf: Conf, { findings, undetermined, kind }: Judged): NodeState {
  const { settings } = conf;
  const first = worldsOf(conf).flatMap(({ isFirst, conf }) => (isFirst ? [conf.settings] : []));
  const own = first.at(-1) ?? settings;
  const problems = first.flatMap((one) => one.problems);
  const fatal = problems.filter(({ fatal }) => fatal);
  return {
    name: [settings.name ?? null, settings.launcher, settings.package],
    findings: severitiesBy(findings, subjectOf),
    rules: severitiesBy(findings, ({ rule }) => rule),
    open: undetermined.map(({ rule, code, about }) => ({ rule, code, about })),
    startable: settings.startable,
    refusals: fatal.map(({ kind, variable, flags }) => ({ kind, variable, flags })),
    starts: settings.start !== null,
    identity: kind?.flags.identity.map((flag) => own.values[flag]?.value ?? null) ?? [],
    start: startOf(conf),
    kind,
    lists: Object.fromEntries(
      (kind === null ? [] : moduleFlags(kind)).map((flag) => [
        flag,
        [own.values[flag]?.value, own.keys[flag]?.value],
      ]),
    ),
  };
}

/** Identifies the subject of a finding, independent of its place. */
export function subjectOf({
  rule,
  subject,
  suppressed,
}: Pick<Finding, 'rule' | 'subject' | 'suppressed'>): string {
  return `${rule} ${suppressed === null ? 'open' : 'accepted'} ${subject}`;
}

function severitiesBy(
  findings: readonly Finding[],
  key: (finding: Finding) => string,
): ReadonlyMap<string, readonly Severity[]> {
  const groups = groupBy(findings, key);
  return new Map(
    [...groups].map(([name, all]) => [name, all.map(({ severity }) => severity).sort(compareSeverity)]),
  );
}

/**
 * The value of every given flag and exported variable; when the launcher refuses to start, the variables it reads. null
 * when a value cannot be known. Compares values, not words: of a flag given twice the last one wins.
 */
function startOf({ settings: { start, values }, shell }: Conf): NodeState['start'] {
  const valuesOf = (names: readonly string[] = []) =>
    names.map((name) => [name, shell?.variables[name]] as const);
  const exported = valuesOf(shell?.exported);
  if (start === null) {
    const read = [...valuesOf(shell?.reads), ...exported];
    return shell === null || read.some(([, value]) => value === null) ? null : read;
  }
  const unknown =
    start.some(({ text }) => text === null) ||
    Object.values(values).some(({ indeterminate }) => indeterminate !== null) ||
    exported.some(([, value]) => value === null);
  if (unknown) return null;
  const given = givenIn(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [given.map(([flag, { value }]) => [flag, value]), exported];
}
