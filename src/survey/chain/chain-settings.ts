/** What a store on a chain is made of. */
import type { KeyOf } from './account-key.js';
import type { GroupPlace } from './events.js';
import type { IndexMemory } from './index-memory.js';
import type { Rpc } from './rpc.js';
import type { Sender } from './sender.js';
import type { ServedSurveys } from './served.js';

export interface ChainSettings {
  readonly rpc: Rpc;
  readonly chainId: number;
  /** Null: members are listed, nobody can join. */
  readonly sender: Sender | null;
  /** Null: found for each survey. */
  readonly fromBlock: number | null;
  readonly served: ServedSurveys;
  /** Null: accounts have the keys their addresses were made from. */
  readonly keyOf: KeyOf | null;
  /** How long one who asks for members waits for a node that is slow, in milliseconds. */
  readonly patienceMs: number;
  /** Where a group's leaves are kept between runs. */
  memory(place: GroupPlace): IndexMemory;
}
