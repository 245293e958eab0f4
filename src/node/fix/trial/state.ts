/** The state of a file: its nodes and their findings with one text of the file. */
import { KaiactlError } from '../../../errors.js';
import { groupBy } from '../../../util/group-by.js';
import {
  type Asked,
  type Conf,
  type Editable,
  type Facts,
  repairedOf,
  type Texts,
} from '../../facts/facts.js';
import type { Finding, Undetermined } from '../../facts/report.js';
import { seen } from '../../facts/seen.js';
import { compareSeverity, type Severity } from '../../facts/severity.js';
import type { Kind } from '../../kinds/kind.js';

/** The result of judging one node. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Pick<Undetermined, 'rule' | 'code' | 'about'>[];
  /** The kind of the node; null: not known. */
  readonly kind: Kind | null;
}

/** Judges offline. The fixes are proposals of the rules. */
export type Judge = (facts: Facts) => Judged;

/** The nodes in the file's order; null when the text starts none. */
export type State = readonly NodeState[] | null;

export interface NodeState {
  readonly name: string;
  /** The severities of the findings of each subject, most severe first. */
  readonly findings: ReadonlyMap<string, readonly Severity[]>;
  /** The same by rule. */
  readonly rules: ReadonlyMap<string, readonly Severity[]>;
  readonly open: ReadonlySet<string>;
  readonly startable: boolean;
  readonly refusals: readonly string[];
  readonly conf: Conf;
  readonly kind: Kind | null;
}

/** The files with these texts: `others` differ from those that were read. */
export interface Version {
  readonly text: string;
  readonly others: Texts;
}

/** The state of the files in a version, read as inferred or as `as`. */
export function stateOf(
  file: Editable,
  { text, others }: Version,
  facts: Facts,
  judge: Judge,
  as: Asked = {},
): State {
  try {
    const known = text === file.text && others.size === 0 && Object.keys(as).length === 0;
    const confs = known ? file.confs : file.read(text, as, others);
    return confs.map((conf) => nodeState(conf, judge({ ...offline(facts), conf: seen(conf) })));
  } catch (error) {
    if (error instanceof KaiactlError) return null;
    throw error;
  }
}

/** The facts to judge offline; keeps the reach that the operator states. */
function offline(facts: Facts): Facts {
  return { ...facts, conf: null, live: null };
}

export function nodeState(conf: Conf, { findings, undetermined, kind }: Judged): NodeState {
  const { settings } = conf;
  const problems = [...settings.problems, ...(repairedOf(conf)?.settings.problems ?? [])];
  const fatal = problems.filter(({ fatal }) => fatal);
  return {
    name: JSON.stringify([settings.name ?? null, settings.launcher, settings.package]),
    findings: severitiesBy(findings, subjectOf),
    rules: severitiesBy(findings, ({ rule }) => rule),
    open: new Set(undetermined.map(({ rule, code, about }) => JSON.stringify([rule, code, about]))),
    startable: settings.startable,
    refusals: fatal.map(({ kind, variable, flags }) => JSON.stringify([kind, variable, flags])),
    conf,
    kind,
  };
}

/** Identifies the subject of a finding, independent of its place. */
export function subjectOf({
  rule,
  subject,
  suppressed,
}: Pick<Finding, 'rule' | 'subject' | 'suppressed'>): string {
  return JSON.stringify([rule, subject, suppressed !== null]);
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
