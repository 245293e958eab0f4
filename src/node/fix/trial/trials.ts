/** Tries edits of a node's files in memory and judges the result. */
import { isDeepStrictEqual } from 'node:util';
import type { Conf, Facts } from '../../facts/facts.js';
import type { Finding } from '../../facts/report.js';
import type { Settings } from '../../facts/settings.js';
import type { KindScripts } from '../../kinds/kind.js';
import type { Editable, Editables, ReadAs } from '../../sources/text/editable.js';
import type { Proposal } from '../edits.js';
import { applyTo } from '../edits.js';
import { became, isNoWorse, startsAs } from './compare.js';
import { Parts } from './parts.js';
import {
  isSame,
  type Judge,
  type Judged,
  nodeState,
  readAgain,
  type State,
  stateOf,
  subjectOf,
  type Version,
} from './state.js';

/** The result of an edit that makes no node of its file worse. */
export interface Outcome {
  readonly version: Version;
  readonly starts: 'same' | 'changed' | 'unknown';
  became(finding: Finding): 'gone' | 'eased' | 'same';
  /**
   * The options needed before an edit for these findings is certain; empty when it is right for every possible launcher,
   * `together` with others or alone.
   */
  missing(findings: readonly AppliedTo[], together?: Proposal): Missing[];
}

/** The finding that an edit fixes. */
export type AppliedTo = Pick<Finding, 'rule' | 'subject' | 'suppressed' | 'safety'>;

/** An option that replaces a guess. */
export type Missing = '--launcher' | '--package';

/** Characters to read and judge again per file, about 7 s. */
const usualBudget = 8_000_000;

/** What judging a node, and each of its findings, costs, counted in characters of text. */
const [nodeCost, findingCost] = [100, 500];

type States = { readonly as: ReadAs; readonly state: State | 'untried' }[];

/** A version that was tried. */
interface TriedVersion extends Version {
  readonly edits: Proposal['edits'];
  /** By launcher and package; `untried` where the budget does not last. */
  readonly states: States;
}

/** A version; null where its edits change nothing, or conflict. */
interface Made {
  readonly edits: readonly unknown[];
  readonly version: TriedVersion | null;
}

/** What was tried of a file. */
interface Tried {
  readonly asRead: TriedVersion;
  /** By the line of the first edit. */
  readonly versions: Map<number | undefined, Made[]>;
  /** Which nodes an edit reaches; absent until it is asked. */
  parts?: Parts;
  /** What is left of the budget. */
  left: number;
}

/** What was tried, and what it depends on. */
interface Remembered {
  readonly by: readonly unknown[];
  readonly tried: Tried;
}

/** Equal files share trials if they are as small as this, in characters, and among the newest of so many. */
const [maxShared, maxFiles] = [50_000, 50];

/**
 * What the trials of all nodes of a file share, and those of equal files: each version is read and judged once. Every
 * judge that uses it has the same rules and the same policy.
 */
export class TrialMemory {
  readonly #budget: number;
  readonly #files = new WeakMap<Editable, Remembered[]>();
  readonly #shared: Remembered[] = [];

  /** @param budget - characters to read and judge again per file */
  constructor(budget = usualBudget) {
    this.#budget = budget;
  }

  /** Rules depend on what is known beside the settings, and on the day. */
  of(file: Editable, { name: _, conf, live: __, gatheredAt, ...facts }: Facts): Tried {
    const isShared = file.alike !== null && file.text.length <= maxShared;
    const all = isShared ? this.#shared : (this.#files.get(file) ?? []);
    if (!isShared) this.#files.set(file, all);
    const secrets = conf?.state === 'seen' ? conf.value.settings.secretFiles : null;
    const by = [...(isShared ? [file.alike, file.text, secrets] : []), gatheredAt.slice(0, 10), facts];
    const at = all.findIndex((one) => one.by.every((part, place) => isDeepStrictEqual(part, by[place])));
    // The newest comes last.
    const [known = { by, tried: newlyTried(file, this.#budget) }] = at < 0 ? [] : all.splice(at, 1);
    all.push(known);
    if (all.length > maxFiles) all.shift();
    return known.tried;
  }
}

function newlyTried({ text }: Editable, left: number): Tried {
  return {
    asRead: { text, others: new Map(), edits: [], states: [] },
    versions: new Map(),
    left,
  };
}

/** Tries edits of the files that a node was read from. */
export class Trials {
  readonly file: Editable;
  private readonly facts: Facts;
  private readonly judge: Judge;
  private readonly node: number;
  private readonly tried: Tried;
  private readonly settings: Settings;
  private readonly guesses: readonly Guess[];
  /** The costs of reading the other files, and of judging a node, in characters. */
  private readonly costs: { readonly others: number; readonly node: number };

  private constructor(
    file: Editable,
    facts: Facts,
    judge: Judge,
    conf: Conf,
    judged: Judged,
    memory: TrialMemory,
  ) {
    this.file = file;
    this.tried = memory.of(file, facts);
    this.facts = facts;
    this.judge = judge;
    this.node = file.confs.findIndex((one) => one.settings.source === conf.settings.source);
    this.settings = conf.settings;
    this.guesses = guessesOf(conf.settings, judged.kind);
    const others = [...file.others.values()].reduce((sum, { length }) => sum + length, 0);
    this.costs = { others, node: nodeCost + judged.findings.length * findingCost };
  }

  /**
   * Returns null if no edits of the node can be tried.
   * @param judged the result for `facts`, which is not judged again
   */
  static of(
    facts: Facts,
    editables: Editables,
    judged: Judged,
    judge: Judge,
    memory = new TrialMemory(),
  ): Trials | null {
    const conf = facts.conf?.state === 'seen' ? facts.conf.value : null;
    const file = conf === null ? undefined : editables.get(conf.settings.source);
    if (conf === null || file === undefined) return null;
    const trials = new Trials(file, facts, judge, conf, judged, memory);
    const { states } = trials.tried.asRead;
    if (facts.live === null && file.confs.length === 1 && stateIn(states, inferred) === undefined)
      states.push({ as: inferred, state: [nodeState(conf, judged)] });
    return trials;
  }

  /** The result of these edits; null when they change nothing, conflict, make a node worse, or are not tried. */
  outcome({ edits }: Proposal): Outcome | null {
    const version = this.versionWith(edits);
    if (version === null) return null;
    const [before, after] = this.compared(version, inferred);
    const [was, is] = [before?.[this.node], after?.[this.node]];
    if (was === undefined || is === undefined || !isNoWorse(before, after)) return null;
    return {
      version,
      get starts() {
        return startsAs(before, after);
      },
      became: (finding) => became(finding, was, is),
      missing: (findings, together) => {
        const all = together === undefined ? null : this.versionWith(together.edits);
        const holds = (as: ReadAs) =>
          (all !== null && this.holdsAs(as, all, findings)) || this.holdsAs(as, version, findings);
        return this.guesses.flatMap(({ option, instead }) => (instead?.every(holds) === true ? [] : option));
      },
    };
  }

  /** null when the edits change nothing, or conflict. */
  private versionWith(edits: Proposal['edits']): TriedVersion | null {
    const { path } = this.settings.source;
    // Equal files share versions, whatever their names.
    const own = edits.map(({ source: _, file, ...edit }) => [file === path || file, edit]);
    const { versions } = this.tried;
    const near = versions.get(edits[0]?.line) ?? [];
    const known = near.find((one) => isDeepStrictEqual(one.edits, own));
    if (known !== undefined) return known.version;
    const changed = this.applied(edits, this.file.text);
    const isChanged = changed !== null && (changed.text !== this.file.text || changed.others.size > 0);
    const version = isChanged ? { ...changed, edits, states: [] } : null;
    versions.set(edits[0]?.line, [...near, { edits: own, version }]);
    return version;
  }

  /** `own`: the text of the file, or what is left of it. */
  private applied(edits: Proposal['edits'], own: string): Version | null {
    const { path } = this.settings.source;
    const changed = applyTo((file) => (file === path ? own : this.file.others.get(file)), edits);
    if (changed === null) return null;
    const others = new Map([...changed].filter(([file]) => file !== path));
    return { text: changed.get(path) ?? own, others };
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
   * Whether the version is also right for this launcher and package: no node gets worse, and the start stays the same if
   * the fix must keep it or has nothing to fix.
   */
  private holdsAs(as: ReadAs, version: TriedVersion, findings: readonly AppliedTo[]): boolean {
    const [before, after] = this.compared(version, as);
    if (!isNoWorse(before, after, 'rules')) return false;
    const node = before?.[this.node];
    const isFound = (one: AppliedTo) => node?.findings.has(subjectOf(one)) === true;
    // Few rules apply when the launcher refuses to start.
    const refuses = node?.starts === false;
    const fixes = findings.some((one) => one.safety !== 'safe' && (refuses || isFound(one)));
    return fixes || startsAs(before, after) === 'same';
  }

  /** Whether these edits were not tried, since the trials of the file took too much. */
  leftOut({ edits }: Proposal): boolean {
    return this.versionWith(edits)?.states.some(({ state }) => state === 'untried') === true;
  }

  private compared(version: TriedVersion, as: ReadAs): readonly [State, State] {
    return [this.state(this.tried.asRead, as), this.state(version, as)];
  }

  private state(version: TriedVersion, as: ReadAs): State {
    const known = stateIn(version.states, as);
    if (known !== undefined) return known === 'untried' ? null : known;
    const { tried, file, facts, judge } = this;
    const isWhole = file.confs.length === 1 || version === tried.asRead;
    const before = isWhole ? null : this.state(tried.asRead, as);
    const cut = before === null ? null : this.partsOf(tried).reachedBy(version.edits, this.node);
    const part = cut === null ? null : this.applied(version.edits, cut.text);
    const reached = cut === null || part === null ? version : { ...part, nodes: cut.nodes };
    const state = this.affords(cut?.length ?? version.text.length, reached.nodes)
      ? stateOf(file, reached, facts, judge, as, before)
      : 'untried';
    version.states.push({ as, state });
    return state === 'untried' ? null : state;
  }

  /** Which nodes an edit reaches: each is read once from its own part alone. */
  private partsOf(tried: Tried): Parts {
    const { file } = this;
    tried.parts ??= new Parts(file, ({ text, length, nodes }) => {
      const confs = this.affords(length, nodes) ? readAgain(file, { text, others: new Map() }) : null;
      return (
        confs?.length === nodes.length && nodes.every((at, place) => isSame(file.confs[at], confs[place]))
      );
    });
    return tried.parts;
  }

  /** Takes the cost of reading and judging a text from the budget; false when it does not last. */
  private affords(length: number, { length: nodes }: readonly unknown[] = this.file.confs): boolean {
    this.tried.left -= length + this.costs.others + nodes * this.costs.node;
    return this.tried.left >= 0;
  }
}

/** The launcher and package with which the file was read. */
const inferred: ReadAs = {};

function stateIn(states: States, as: ReadAs): State | 'untried' | undefined {
  return states.find((one) => one.as.launcher === as.launcher && one.as.package === as.package)?.state;
}

/** A guess that an option would replace. */
interface Guess {
  readonly option: Missing;
  /** Other possible launchers and packages; null for any. */
  readonly instead: readonly ReadAs[] | null;
}

function guessesOf(settings: Settings, kind: KindScripts | null): Guess[] {
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
