/** From a node's URL to a store of the surveys on its chain. */
import { KaiactlError } from '../../errors.js';
import type { Storage } from '../store/storage.js';
import { accountKeys } from './account-key.js';
import { ChainStore } from './chain-store.js';
import type { GroupPlace } from './events.js';
import { madeBy } from './factory.js';
import type { Spending } from './fees.js';
import { storedMemory } from './index-memory.js';
import { httpRpc, type Rpc } from './rpc.js';
import { Sender, type SenderSettings } from './sender.js';
import { hasServed, ServedSurveys } from './served.js';

export interface ChainOptions {
  readonly rpcUrl: string;
  /** 0x-hex private key of the surveys' manager; null: members only. */
  readonly managerKey: string | null;
  /** Null: found for each survey. */
  readonly fromBlock: number | null;
  /** Null: whatever chain the node is on. */
  readonly chainId: number | null;
  readonly surveys: readonly string[];
  /** Contracts whose surveys are served too. */
  readonly factories: readonly string[];
  readonly spending: Spending;
  readonly storage: Storage;
  /** For one answer of the node, and for a list of members, in milliseconds. */
  readonly rpcTimeoutMs: number;
  /** For a join to be sent and mined. */
  readonly minedMs: number;
  readonly onWriterError: SenderSettings['onError'];
}

/**
 * @throws {KaiactlError} when the node does not answer (exit 3); when it is on another chain, the key is not one, or
 * anybody's contract could make the manager pay (exit 2)
 */
export async function openChain(options: ChainOptions): Promise<ChainStore> {
  await refuseUnnamed(options);
  const rpc = httpRpc(options.rpcUrl, options.rpcTimeoutMs);
  const found = await rpc('eth_chainId', []).catch((error: unknown) => {
    throw new KaiactlError('the chain’s node (--rpc-url) does not answer', { exitCode: 3, cause: error });
  });
  const chainId = Number(found);
  if (options.chainId !== null && options.chainId !== chainId) {
    throw new KaiactlError(`the node is on chain ${chainId}, not on ${options.chainId} (--chain-id)`);
  }
  const { fromBlock, storage, surveys, factories, managerKey } = options;
  const any = managerKey === null && surveys.length + factories.length === 0;
  const served = new ServedSurveys({ storage, chainId, any, surveys, isMade: madeBy(rpc, factories) });
  const keyOf = await accountKeys(rpc).catch((error: unknown) => {
    throw new KaiactlError('the chain’s node (--rpc-url) does not answer as it should', {
      exitCode: 3,
      cause: error,
      hint: 'To kaia_getAccountKey it answers with a key, or that there is no such method (-32601).',
    });
  });
  const memory = (place: GroupPlace) => storedMemory(storage, chainId, place);
  const sender = openSender(options, rpc, chainId);
  const patienceMs = options.rpcTimeoutMs;
  return new ChainStore({ rpc, chainId, sender, fromBlock, served, keyOf, memory, patienceMs });
}

/** Surveys that an operator has added are named in the store. */
async function refuseUnnamed({ managerKey, surveys, factories, storage }: ChainOptions): Promise<void> {
  if (managerKey === null || surveys.length + factories.length > 0 || (await hasServed(storage))) return;
  throw new KaiactlError('a server with a manager’s key must know which surveys that key pays for', {
    hint: 'Name them with --survey, or the contract that makes them with --factory.',
  });
}

function openSender(options: ChainOptions, rpc: Rpc, chainId: number): Sender | null {
  if (options.managerKey === null) return null;
  try {
    return new Sender(rpc, options.managerKey, {
      chainId,
      timeoutMs: options.minedMs,
      spending: options.spending,
      storage: options.storage,
      onError: options.onWriterError,
    });
  } catch {
    throw new KaiactlError('the manager’s key is not a private key: 64 hexadecimal digits');
  }
}
