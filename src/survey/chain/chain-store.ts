/** Groups on a chain: members from events, joins through the survey's manager. */

import { provesJoin } from '../protocol/receipt.js';
import { Refused, refusedByContract } from '../protocol/refused.js';
import type { Receipt } from '../protocol/wire.js';
import type { Group, GroupStore } from '../store/group-store.js';
import { semaphoreContract, surveyContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { chainRefused } from './failure.js';
import { GroupFollower } from './follow.js';
import { sharedRuns } from './fresh.js';
import type { IndexMemory } from './index-memory.js';
import type { Rpc } from './rpc.js';
import { joinGas, type Sender } from './sender.js';
import { birthBlock, locateGroup } from './survey.js';

export interface ChainSettings {
  readonly rpc: Rpc;
  readonly chainId: number;
  /** Null: members are listed, nobody can join. */
  readonly sender: Sender | null;
  /** Null: found for each survey. */
  readonly fromBlock: number | null;
  /** Checksummed; empty: any survey on the chain. */
  readonly surveys: readonly string[];
  /** Where a group's leaves are kept between runs; null: nowhere. */
  memory(place: GroupPlace): IndexMemory | null;
}

/** One survey that was asked for. */
interface Known {
  readonly place: GroupPlace;
  /** Compares with the chain. */
  check(): Promise<Group>;
  /** Keeps the leaves for the next run. */
  save(): void;
  group: Group | null;
  /** When the last comparison began; 0 after a join of ours, which ends freshness at once. */
  checkedAt: number;
  /** Joins of ours so far. */
  joins: number;
}

/** How long a group counts as fresh, in milliseconds. */
const freshFor = 200;
/** Surveys kept; the one longest unused goes. */
const mostKnown = 256;

export class ChainStore implements GroupStore {
  readonly kind = 'chain';
  readonly chainId: number;
  readonly #chain: ChainSettings;
  readonly #known = new Map<string, Promise<Known>>();
  readonly #joining = new Set<string>();

  constructor(chain: ChainSettings) {
    this.chainId = chain.chainId;
    this.#chain = chain;
  }

  async group(survey: string): Promise<Group> {
    const known = await this.#survey(survey);
    if (known.group !== null && Date.now() - known.checkedAt < freshFor) return known.group;
    return known.check();
  }

  async join(survey: string, commitment: bigint): Promise<Receipt> {
    const { sender } = this.#chain;
    if (sender === null)
      throw new Refused('UNAVAILABLE', 'this server takes no joins', 'it has no manager key');
    const ticket = `${survey} ${commitment}`;
    if (this.#joining.has(ticket)) throw refusedByContract('0x258a195a');
    this.#joining.add(ticket);
    try {
      return await this.#join(survey, commitment, sender);
    } finally {
      this.#joining.delete(ticket);
    }
  }

  async clientError(): Promise<string | null> {
    const id = await this.#chain.rpc('eth_chainId', []).catch(() => null);
    if (id === null) return 'the chain’s node does not answer';
    return Number(id) === this.chainId ? null : 'the node is on another chain now';
  }

  async close(): Promise<void> {
    for (const known of this.#known.values()) (await known.catch(() => null))?.save();
  }

  async #join(survey: string, commitment: bigint, sender: Sender): Promise<Receipt> {
    const known = await this.#survey(survey);
    const { semaphore, groupId } = known.place;
    const data = surveyContract.encodeFunctionData('joinGroup', [commitment]);
    const estimate = await this.#preflight(survey, known.place, commitment, sender.address, data);
    const gas = joinGas(estimate, known.group?.members.length ?? 1 << 20);
    const receipt = await sender.send({ to: survey, data, gas });
    known.joins += 1;
    known.checkedAt = 0;
    if (receipt.status !== 1) {
      const reason = 'the transaction was mined but reverted';
      throw new Refused('CALL_EXCEPTION', 'nothing was joined', reason, { transactionHash: receipt.hash });
    }
    if (!provesJoin(receipt, semaphore, groupId, commitment)) {
      const reason = 'the transaction was mined, but the group says nothing of a new member';
      throw new Refused('CALL_EXCEPTION', 'nothing was joined', reason, { transactionHash: receipt.hash });
    }
    return receipt;
  }

  /** Everything that can be known before gas is spent. @throws {Refused} */
  async #preflight(
    survey: string,
    { semaphore, groupId }: GroupPlace,
    commitment: bigint,
    from: string,
    data: string,
  ): Promise<bigint> {
    const { rpc } = this.#chain;
    const ask = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
    const member = {
      to: semaphore,
      contract: semaphoreContract,
      name: 'hasMember',
      args: [groupId, commitment],
    };
    const estimate = rpc('eth_estimateGas', [{ from, to: survey, data }]);
    const [gas, isMember, finished, manager] = await Promise.allSettled([
      estimate,
      view<boolean>(rpc, member),
      ask<boolean>('finished'),
      ask<string>('manager'),
    ]);
    if (gas.status === 'rejected') throw chainRefused(gas.reason, 'estimateGas');
    if (isMember.status === 'fulfilled' && isMember.value) throw refusedByContract('0x258a195a');
    if (finished.status === 'fulfilled' && finished.value) throw contractWords('Survey is finished');
    if (manager.status === 'fulfilled' && manager.value !== from) {
      throw contractWords('Access denied: Not the manager');
    }
    return BigInt(String(gas.value));
  }

  #survey(survey: string): Promise<Known> {
    const known = this.#known.get(survey) ?? this.#open(survey);
    this.#known.delete(survey);
    this.#known.set(survey, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#forget(oldest);
    known.catch(() => this.#known.delete(survey));
    return known;
  }

  #forget(survey: string): void {
    this.#known.get(survey)?.then(
      (known) => known.save(),
      () => undefined,
    );
    this.#known.delete(survey);
  }

  async #open(survey: string): Promise<Known> {
    const { rpc, fromBlock, surveys } = this.#chain;
    if (surveys.length > 0 && !surveys.includes(survey)) {
      throw new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not serve it');
    }
    const place = await locateGroup(rpc, survey);
    const from = fromBlock ?? (await this.#birth(survey)) ?? 0;
    const follower = new GroupFollower(rpc, place, from, this.#chain.memory(place));
    const check = sharedRuns(() => compare(known, follower));
    const save = () => follower.save();
    const known: Known = { place, check, save, group: null, checkedAt: 0, joins: 0 };
    return known;
  }

  async #birth(survey: string): Promise<number | null> {
    const { rpc } = this.#chain;
    const head = await rpc('eth_blockNumber', []).catch((error: unknown) => {
      throw chainRefused(error, 'call');
    });
    return birthBlock(rpc, survey, Number(head));
  }
}

async function compare(known: Known, follower: GroupFollower): Promise<Group> {
  const [startedAt, joins] = [Date.now(), known.joins];
  const members = await follower.leaves().catch((error: unknown) => {
    throw chainRefused(error, 'call');
  });
  if (known.group?.members !== members) known.group = { groupId: String(known.place.groupId), members };
  if (known.joins === joins) known.checkedAt = startedAt;
  return known.group;
}

/** What the survey contract itself would have said. */
function contractWords(reason: string): Refused {
  return new Refused('CALL_EXCEPTION', `execution reverted: "${reason}"`, reason, { action: 'estimateGas' });
}
