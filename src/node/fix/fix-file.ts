/** Applies all fixes of the nodes of one file: merges them, verifies the result, and repeats on the new texts. */
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { atLeast } from '../facts/severity.js';
import { orderFindings } from '../judge/finding.js';
import { sharesInterface } from '../judge/gates.js';
import { type Editable, type Editables, editablesOf, type Texts } from '../sources/text/editable.js';
import { merge } from './edits.js';
import type { Judge, Version } from './trial/state.js';
import { type Outcome, Trials } from './trial/trials.js';

/** A file before and after the fixes. */
export interface Changed {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface FixedFile extends Omit<Changed, 'path'> {
  /** The changed texts of other files that the nodes are read from. */
  readonly others: readonly Changed[];
  /** The facts with the new texts; the same objects when nothing changed. */
  readonly facts: readonly Facts[];
  /** The files with the new texts. */
  readonly editables: Editables;
  /** The fixed findings, in order. */
  readonly fixed: readonly Finding[];
}

export interface FixFileOptions {
  /** True to also apply fixes that change how the node starts. */
  readonly unsafe: boolean;
  /** The findings to fix, with verified edits. */
  findings(facts: Facts, editables: Editables): Promise<readonly Finding[]>;
  readonly judge: Judge;
}

/** Each step leaves fewer findings, so only a malicious file needs more steps. */
const maxSteps = 50;

/** Applies fixes to the files of these nodes, in memory; null when their file is unknown or cannot be edited. */
export async function fixFile(
  facts: readonly Facts[],
  editables: Editables,
  options: FixFileOptions,
): Promise<FixedFile | null> {
  const first = fileOf(facts, editables);
  if (first === null) return null;
  let [now, files] = [facts, editables];
  let [after, others]: [string, Texts] = [first.text, new Map()];
  const fixed: Finding[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    const found = await Promise.all(now.map((one) => options.findings(one, files)));
    const done = together(
      now,
      files,
      found.map((all) => all.filter((one) => isApplicable(one, options, all))),
      options.judge,
    );
    if (done === null) break;
    after = done.version.text;
    others = new Map([...others, ...done.version.others]);
    const read = first.read(after, {}, others);
    if (read.length !== now.length) return null;
    const changed = others;
    files = editablesOf({
      text: after,
      others: new Map([...first.others, ...changed]),
      confs: read,
      alike: null,
      read: (text, as, more = new Map()) => first.read(text, as, new Map([...changed, ...more])),
    });
    now = now.map((one, at) => ({ ...one, conf: seen(read[at] as (typeof read)[number]) }));
    fixed.push(...done.fixed);
  }
  const changes = [...others].map(([path, text]) => ({
    path,
    before: first.others.get(path) ?? '',
    after: text,
  }));
  return { before: first.text, after, others: changes, facts: now, editables: files, fixed };
}

/** The file of these nodes; null when it also starts other nodes, or cannot be edited. */
function fileOf(facts: readonly Facts[], editables: Editables): Editable | null {
  const files = facts.map(({ conf }) =>
    conf?.state === 'seen' ? editables.get(conf.value.settings.source) : undefined,
  );
  const [first = null] = files;
  return first !== null && first.confs.length === facts.length && files.every((one) => one === first)
    ? first
    : null;
}

/**
 * Whether the edits of one of these findings of a node may be applied. An address that clients may need is closed only
 * where no edit removes what its interface offers, or where its address alone is a grave finding.
 */
export function isApplicable(
  one: Finding,
  { unsafe }: { readonly unsafe: boolean },
  all: readonly Finding[],
): boolean {
  const { suppressed, safety, severity, evidence } = one;
  const isAllowed = suppressed === null && (safety === 'safe' || (unsafe && safety === 'unsafe'));
  if (!isAllowed || evidence?.closes !== true || atLeast(severity, 'high')) return isAllowed;
  return all.some(
    (other) =>
      other.suppressed === null &&
      (other.safety ?? null) === null &&
      atLeast(other.severity, 'medium') &&
      sharesInterface(one, other),
  );
}

interface Step {
  readonly version: Version;
  readonly fixed: readonly Finding[];
}

/** One change that fixes as many findings as are compatible; null when there is none. */
function together(
  facts: readonly Facts[],
  editables: Editables,
  found: readonly (readonly Finding[])[],
  judge: Judge,
): Step | null {
  const at = found.findIndex((all) => all.length > 0);
  const node = facts[at];
  const trials = node === undefined ? null : Trials.of(node, editables, judge(node), judge);
  if (trials === null) return null;
  const proposals = orderFindings(found[at] ?? []).map((finding) => ({
    finding,
    edits: finding.edits ?? [],
  }));
  const outcomeOf = (some: typeof proposals): { step: Step; outcome: Outcome } | null => {
    const { edits, taken } = merge(some);
    const outcome = trials.outcome({ edits });
    const gone = taken.every(({ finding }) => outcome?.became(finding) === 'gone');
    // Each of two duplicate lines may be removed, but not both.
    const safe = taken.every(({ finding }) => finding.safety === 'safe');
    const unfit = outcome === null || !gone || (safe && outcome.starts !== 'same');
    return unfit || outcome.missing(taken.map(({ finding }) => finding)).length > 0
      ? null
      : { outcome, step: { version: outcome.version, fixed: taken.map(({ finding }) => finding) } };
  };
  const whole = outcomeOf(proposals);
  if (whole !== null) return whole.step;
  let [kept, step]: [typeof proposals, Step | null] = [[], null];
  for (const one of proposals) {
    const more = outcomeOf([...kept, one]);
    if (more === null) continue;
    kept = [...kept, one];
    step = more.step;
  }
  return step;
}
