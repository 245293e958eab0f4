/** Tries edits of a node's files in memory and judges the result. */
import { type Asked, type Conf, type Editable, editable, type Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import type { Settings } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';
import { became, isNoWorse, startsAs } from './compare.js';
import type { Proposal } from './edits.js';
import { applyTo } from './edits.js';
import { type Judge, type Judged, nodeState, type State, stateOf, subjectOf, type Version } from './state.js';

/** The result of an edit that makes no node of its file worse. */
export interface Outcome {
  readonly version: Version;
  readonly starts: 'same' | 'changed' | 'unknown';
  became(finding: Finding): 'gone' | 'eased' | 'same';
  /** The options needed before an edit for these findings is certain; empty when it is right for every possible launcher. */
  missing(findings: readonly AppliedTo[]): Missing[];
}

/** The finding that an edit fixes. */
type AppliedTo = Pick<Finding, 'rule' | 'subject' | 'suppressed' | 'safety'>;

/** An option that replaces a guess. */
export type Missing = '--launcher' | '--package';

/** Characters to read and judge again per node, so that a large file is tried less often. */
const budget = 4_000_000;

/** The cost of a finding in characters. */
const findingCost = 500;

/** Tries edits of the files that a node was read from. */
export class Trials {
  readonly file: Editable;
  private readonly facts: Facts;
  private readonly judge: Judge;
  private readonly node: number;
  /** The files as they are. */
  private readonly asRead: Version;
  /** The states of versions, by the assumed launcher and package. */
  private readonly states = new Map<Asked, Map<string, State>>();
  private readonly settings: Settings;
  private readonly guesses: readonly Guess[];
  private left = budget;
  /** The cost of judging, in characters. */
  private readonly judging: number;

  private constructor(file: Editable, facts: Facts, judge: Judge, conf: Conf, judged: Judged) {
    this.file = file;
    this.facts = facts;
    this.judge = judge;
    this.node = file.confs.findIndex((one) => sameSource(one, conf));
    this.settings = conf.settings;
    this.asRead = { text: file.text, others: new Map() };
    this.guesses = guessesOf(conf.settings, judged.kind);
    this.judging = judged.findings.length * findingCost;
  }

  /** @param judged the result for `facts`, which is not judged again */
  static of(facts: Facts, judged: Judged, judge: Judge): Trials | null {
    const conf = facts.conf?.state === 'seen' ? facts.conf.value : null;
    const file = conf?.[editable];
    if (conf === null || file === undefined) return null;
    const trials = new Trials(file, facts, judge, conf, judged);
    if (facts.live === null && file.confs.length === 1)
      trials.states.set(inferred, new Map([[keyOf(trials.asRead), [nodeState(conf, judged)]]]));
    return trials;
  }

  /** The result of these edits; null when they change nothing, conflict, or make a node worse. */
  outcome({ edits }: Proposal): Outcome | null {
    const { path } = this.settings.source;
    const changed = applyTo((file) => (file === path ? this.file.text : this.file.others.get(file)), edits);
    if (changed === null || changed.size === 0) return null;
    const others = new Map([...changed].filter(([file]) => file !== path));
    const version = { text: changed.get(path) ?? this.file.text, others };
    const [before, after] = this.compared(version, inferred);
    const [was, is] = [before?.[this.node], after?.[this.node]];
    if (was === undefined || is === undefined || !isNoWorse(before, after)) return null;
    return {
      version,
      get starts() {
        return startsAs(before, after);
      },
      became: (finding) => became(finding, was, is),
      missing: (findings) =>
        this.guesses
          .filter(({ instead }) => instead?.every((as) => this.holdsAs(as, version, findings)) !== true)
          .map(({ option }) => option),
    };
  }

  /** A sentence that names the missing options; empty when none is missing. */
  whatIsGuessed(missing: readonly Missing[]): string[] {
    const { launcher, package: from } = this.settings;
    const reader = { '--launcher': launcher, '--package': `the ${from} package` };
    const who = missing.map((option) => reader[option]).join(' of ');
    return missing.length === 0
      ? []
      : [`kaiactl guesses that ${who} reads the file: give ${missing.join(' and ')} to get an edit.`];
  }

  /**
   * True when the version is also right for this launcher and package: no node gets worse, and the start stays the same if
   * the fix must keep it or has nothing to fix.
   */
  private holdsAs(as: Asked, version: Version, findings: readonly AppliedTo[]): boolean {
    const [before, after] = this.compared(version, as);
    if (!isNoWorse(before, after, 'rules')) return false;
    const node = before?.[this.node];
    const isFound = (one: AppliedTo) => node?.findings.has(subjectOf(one)) === true;
    // Few rules apply when the launcher refuses to start.
    const refuses = node?.conf.settings.start === null;
    const fixes = findings.some((one) => one.safety !== 'safe' && (refuses || isFound(one)));
    return fixes || startsAs(before, after) === 'same';
  }

  private compared(version: Version, as: Asked): readonly [State, State] {
    return [this.state(this.asRead, as), this.state(version, as)];
  }

  private state(version: Version, as: Asked): State {
    const key = keyOf(version);
    const states = this.states.get(as) ?? new Map<string, State>();
    this.states.set(as, states);
    const known = states.get(key);
    if (known !== undefined) return known;
    this.left -= version.text.length * this.file.confs.length + this.judging;
    const state = this.left < 0 ? null : stateOf(this.file, version, this.facts, this.judge, as);
    states.set(key, state);
    return state;
  }
}

function keyOf({ text, others }: Version): string {
  return others.size === 0 ? text : JSON.stringify([text, ...others]);
}

/** The launcher and package with which the file was read. */
const inferred: Asked = {};

/** A guess that an option would replace. */
interface Guess {
  readonly option: Missing;
  /** Other possible launchers and packages; null for any. */
  readonly instead: readonly Asked[] | null;
}

function guessesOf(settings: Settings, kind: Kind | null): Guess[] {
  const { source, launcher, by, package: from, packageBy } = settings;
  const { names = [], packages = [] } = kind?.launchers ?? {};
  if (source.guessed === true) return [{ option: '--launcher', instead: null }];
  const likely = packageBy === 'guess' ? packages : [from];
  const as = (one: string) => likely.map((package_) => ({ launcher: one, package: package_ }));
  const elsewhere = by === 'guess' ? names.filter((one) => one !== launcher) : [];
  return [
    { option: '--launcher', instead: elsewhere.flatMap(as) },
    { option: '--package', instead: as(launcher).filter((one) => one.package !== from) },
  ];
}

function sameSource(a: Conf, b: Conf): boolean {
  return a.settings.source === b.settings.source;
}
