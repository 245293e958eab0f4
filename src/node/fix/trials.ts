/** Changes of one file, each tried in memory and judged again. */
import { type Asked, type Conf, type Editable, editable, type Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import type { Settings } from '../facts/settings.js';
import { kindOf } from '../kinds/index.js';
import { apply } from './apply.js';
import { became, isNoWorse, startsAs } from './compare.js';
import type { Proposal } from './merge.js';
import { type Judge, type Judged, nodeState, type State, stateOf, subjectOf } from './state.js';

/** The result of an edit that makes no node of its file worse. */
export interface Outcome {
  readonly text: string;
  readonly starts: 'same' | 'changed' | 'unknown';
  became(finding: Finding): 'gone' | 'eased' | 'same';
  /** What has to be given before an edit for these findings is certain; empty: it is right whatever the file is for. */
  missing(findings: readonly AppliedTo[]): Missing[];
}

/** The finding that an edit is for, and what the edit is to keep. */
type AppliedTo = Pick<Finding, 'rule' | 'subject' | 'suppressed' | 'safety'>;

/** An option that takes the place of a guess. */
export type Missing = '--launcher' | '--package';

/** For one node this many characters are read again, and findings judged again, at most: a large file is tried less often. */
const budget = 4_000_000;

/** A finding costs as much as so many characters. */
const findingCost = 500;

/** Tries changes of the file that a node was read from; null where that is not known, or cannot be edited. */
export class Trials {
  readonly file: Editable;
  private readonly facts: Facts;
  private readonly judge: Judge;
  private readonly node: number;
  /** The states of texts, by what the file was read as. */
  private readonly states = new Map<Asked, Map<string, State>>();
  private readonly settings: Settings;
  private readonly guesses: readonly Guess[];
  private left = budget;
  /** What a trial costs beside the text. */
  private readonly judging: number;

  private constructor(file: Editable, facts: Facts, judge: Judge, conf: Conf, judged: Judged) {
    this.file = file;
    this.facts = facts;
    this.judge = judge;
    this.node = file.confs.findIndex((one) => sameSource(one, conf));
    this.settings = conf.settings;
    this.guesses = guessesOf(conf.settings);
    this.judging = judged.findings.length * findingCost;
  }

  /** `judged`: what the facts come to, so that what is known already is not judged again. */
  static of(facts: Facts, judged: Judged, judge: Judge): Trials | null {
    const conf = facts.conf?.state === 'seen' ? facts.conf.value : null;
    const file = conf?.[editable];
    if (conf === null || file === undefined) return null;
    const trials = new Trials(file, facts, judge, conf, judged);
    if (facts.live === null && file.confs.length === 1)
      trials.states.set(inferred, new Map([[file.text, [nodeState(conf, judged)]]]));
    return trials;
  }

  /** What these edits come to; null: they change nothing, do not fit, or something gets worse. */
  outcome({ edits }: Proposal): Outcome | null {
    if (edits.some(({ file }) => file !== this.file.confs[this.node]?.settings.source.path)) return null;
    const text = apply(this.file.text, edits);
    if (text === null || text === this.file.text) return null;
    const [before, after] = this.compared(text, inferred);
    const [was, is] = [before?.[this.node], after?.[this.node]];
    if (was === undefined || is === undefined || !isNoWorse(before, after)) return null;
    return {
      text,
      get starts() {
        return startsAs(before, after);
      },
      became: (finding) => became(finding, was, is),
      missing: (findings) =>
        this.guesses
          .filter(({ instead }) => instead?.every((as) => this.holdsAs(as, text, findings)) !== true)
          .map(({ option }) => option),
    };
  }

  /** What has to be given, as a sentence; nothing where nothing is missing. */
  whatIsGuessed(missing: readonly Missing[]): string[] {
    const { launcher, package: from } = this.settings;
    const reader = { '--launcher': launcher, '--package': `the ${from} package` };
    const who = missing.map((option) => reader[option]).join(' of ');
    return missing.length === 0
      ? []
      : [`It is a guess that ${who} reads the file: give ${missing.join(' and ')} for an edit.`];
  }

  /**
   * True when the text is right for this launcher and package too: nothing gets worse, and the start stays the same
   * where the fix is to keep it, or where there is nothing to fix.
   */
  private holdsAs(as: Asked, text: string, findings: readonly AppliedTo[]): boolean {
    const [before, after] = this.compared(text, as);
    if (!isNoWorse(before, after, 'rules')) return false;
    const node = before?.[this.node];
    const isFound = (one: AppliedTo) => node?.findings.has(subjectOf(one)) === true;
    // Of a launcher that refuses to start little is found.
    const refuses = node?.conf.settings.start === null;
    const fixes = findings.some((one) => one.safety !== 'safe' && (refuses || isFound(one)));
    return fixes || startsAs(before, after) === 'same';
  }

  private compared(text: string, as: Asked): readonly [State, State] {
    return [this.state(this.file.text, as), this.state(text, as)];
  }

  private state(text: string, as: Asked): State {
    const states = this.states.get(as) ?? new Map<string, State>();
    this.states.set(as, states);
    const known = states.get(text);
    if (known !== undefined) return known;
    this.left -= text.length * this.file.confs.length + this.judging;
    const state = this.left < 0 ? null : stateOf(this.file, text, this.facts, this.judge, as);
    states.set(text, state);
    return state;
  }
}

/** As the file was read. */
const inferred: Asked = {};

/** What an option would settle. */
interface Guess {
  readonly option: Missing;
  /** What else the file may be for; null: anything. */
  readonly instead: readonly Asked[] | null;
}

function guessesOf({ kind, source, launcher, by, package: from, packageBy }: Settings): Guess[] {
  const { names = [], packages = [] } = kindOf(kind).launchers ?? {};
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
