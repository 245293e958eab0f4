/** Changes of one file, each tried in memory and judged again. */
import type { Conf, Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { type Reading, readingOf } from '../sources/reading.js';
import { apply } from './apply.js';
import { became, isNoWorse, startsAs } from './compare.js';
import type { Proposal } from './merge.js';
import { type Judge, type Judged, nodeState, type State, stateOf } from './state.js';

/** What a proposal makes of a file that gets no worse by it. */
export interface Outcome {
  readonly text: string;
  readonly starts: 'same' | 'changed' | 'unknown';
  became(finding: Finding): 'gone' | 'eased' | 'same';
}

/** This many characters are read again at most for one node: a large file is tried less often. */
const budget = 8_000_000;

/** Tries changes of the file that a node was read from; null where that is not known, or cannot be edited. */
export class Trials {
  readonly reading: Reading;
  private readonly facts: Facts;
  private readonly judge: Judge;
  private readonly node: number;
  private readonly states = new Map<string, State>();
  private left = budget;

  private constructor(reading: Reading, facts: Facts, judge: Judge, node: number) {
    this.reading = reading;
    this.facts = facts;
    this.judge = judge;
    this.node = node;
  }

  /** `judged`: what the facts come to, so that what is known already is not judged again. */
  static of(facts: Facts, judged: Judged, judge: Judge): Trials | null {
    const conf = facts.conf?.state === 'seen' ? facts.conf.value : null;
    const reading = conf === null ? null : readingOf(conf);
    if (conf === null || reading === null) return null;
    const trials = new Trials(
      reading,
      facts,
      judge,
      reading.confs.findIndex((one) => sameSource(one, conf)),
    );
    if (facts.live === null && reading.confs.length === 1)
      trials.states.set(reading.text, [nodeState(conf, judged)]);
    return trials;
  }

  /** What these edits come to; null: they change nothing, do not fit, or something gets worse. */
  outcome({ edits }: Proposal): Outcome | null {
    if (edits.some(({ file }) => file !== this.reading.confs[this.node]?.settings.source.path)) return null;
    const text = apply(this.reading.text, edits);
    if (text === null || text === this.reading.text) return null;
    const [before, after] = [this.state(this.reading.text), this.state(text)];
    const [was, is] = [before?.[this.node], after?.[this.node]];
    if (was === undefined || is === undefined || !isNoWorse(before, after)) return null;
    return {
      text,
      get starts() {
        return startsAs(before, after);
      },
      became: (finding) => became(finding, was, is),
    };
  }

  private state(text: string): State {
    const known = this.states.get(text);
    if (known !== undefined) return known;
    this.left -= text.length * this.reading.confs.length;
    const state = this.left < 0 ? null : stateOf(this.reading, text, this.facts, this.judge);
    this.states.set(text, state);
    return state;
  }
}

function sameSource(a: Conf, b: Conf): boolean {
  return a.settings.source === b.settings.source;
}
