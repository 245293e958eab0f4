/** Surveys that were asked for: where their groups are, and what was last read of them. */

import { Refused } from '../protocol/refused.js';
import type { Group } from '../store/group-store.js';
import type { ChainSettings } from './chain-settings.js';
import type { GroupPlace } from './events.js';
import { refuseCall } from './failure.js';
import { GroupFollower } from './follow.js';
import { sharedRuns } from './fresh.js';
import { GroupGas } from './gas.js';
import { type SurveyState, surveyState } from './preflight.js';
import { birthBlock, locateGroup } from './survey.js';

/** One survey that was asked for. */
export interface KnownSurvey {
  readonly place: GroupPlace;
  readonly gas: GroupGas;
  /** Reads what joins meet; one reading serves all who ask before it begins. */
  state(): Promise<SurveyState>;
  /** Compares with the chain. */
  check(): Promise<Group>;
  /** Keeps the leaves for the next run. */
  save(): Promise<void>;
  group: Group | null;
  /** When the last comparison began; 0 after a join of ours, which ends freshness at once. */
  checkedAt: number;
  /** Joins of ours so far. */
  joins: number;
}

/** Surveys kept; the one longest unused goes. */
const mostKnown = 256;

type Source = Pick<ChainSettings, 'rpc' | 'fromBlock' | 'served' | 'memory'>;

export class KnownSurveys {
  readonly #chain: Source;
  readonly #known = new Map<string, Promise<KnownSurvey>>();

  constructor(chain: Source) {
    this.#chain = chain;
  }

  /** @throws {Refused} when it is not one, or not served */
  get(survey: string): Promise<KnownSurvey> {
    const known = this.#known.get(survey) ?? this.#open(survey);
    this.#known.delete(survey);
    this.#known.set(survey, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#forget(oldest);
    known.catch(() => this.#known.delete(survey));
    return known;
  }

  #forget(survey: string): void {
    this.#known
      .get(survey)
      ?.then((known) => known.save())
      .catch(() => undefined);
    this.#known.delete(survey);
  }

  async #open(survey: string): Promise<KnownSurvey> {
    const { rpc, fromBlock } = this.#chain;
    if (!(await this.#chain.served.has(survey))) throw unknownSurvey();
    const place = await locateGroup(rpc, survey);
    const from = fromBlock ?? (await this.#birth(survey)) ?? 0;
    const follower = new GroupFollower(rpc, place, from, this.#chain.memory(place));
    const check = sharedRuns(() => compare(known, follower));
    const save = () => follower.save();
    const state = sharedRuns(() => surveyState(rpc, survey, place));
    const read = { group: null, checkedAt: 0, joins: 0 };
    const known: KnownSurvey = { place, gas: new GroupGas(), state, check, save, ...read };
    return known;
  }

  async #birth(survey: string): Promise<number | null> {
    const { rpc } = this.#chain;
    const head = await rpc('eth_blockNumber', []).catch(refuseCall);
    return birthBlock(rpc, survey, Number(head));
  }

  /** Keeps the leaves of all of them for the next run. */
  async save(): Promise<void> {
    for (const known of this.#known.values()) await known.then((one) => one.save()).catch(() => undefined);
  }
}

async function compare(known: KnownSurvey, follower: GroupFollower): Promise<Group> {
  const [startedAt, joins] = [Date.now(), known.joins];
  const members = await follower.leaves().catch(refuseCall);
  if (known.group?.members !== members) known.group = { groupId: String(known.place.groupId), members };
  if (known.joins === joins) known.checkedAt = startedAt;
  return known.group;
}

/** The refusal for a survey that is not served. */
export function unknownSurvey(): Refused {
  return new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not serve it');
}
