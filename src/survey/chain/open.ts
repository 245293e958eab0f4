/** Opens the store of surveys on a chain. */
import { Wallet } from 'ethers/wallet';
import { exit, KaiactlError } from '../../errors.js';
import { httpRpc } from '../../jsonrpc/rpc.js';
import type { Storage } from '../store/storage.js';
import { accountKeys } from './account-key.js';
import { ChainStore } from './chain-store.js';
import type { GroupPlace } from './contracts.js';
import type { Spending } from './fees.js';
import { storedMemory } from './follow.js';
import { Nodes } from './nodes.js';
import { Sender, type SenderSettings } from './sender.js';
import { hasServed, madeBy, servedSurveys } from './served.js';

export interface ChainOptions {
  /** Nodes of one chain, the preferred one first. */
  readonly rpcUrls: readonly string[];
  /** 0x-hex private key of the surveys' manager; null if joins are off. */
  readonly managerKey: string | null;
  /** Null: searched for each survey. */
  readonly fromBlock: number | null;
  /** Null: any. */
  readonly chainId: number | null;
  readonly surveys: readonly string[];
  readonly factories: readonly string[];
  readonly spending: Spending;
  readonly storage: Storage;
  /** Timeout for one answer of the node, and for a member list, in milliseconds. */
  readonly rpcTimeoutMs: number;
  /** Timeout for a join to be sent and mined, in milliseconds. */
  readonly minedMs: number;
  readonly onWriterError: SenderSettings['onError'];
}

/** @throws {KaiactlError} when the node does not answer (exit 3), or is not the one of the options (exit 2) */
export async function openChain(options: ChainOptions): Promise<ChainStore> {
  const { fromBlock, storage, surveys, factories, managerKey } = options;
  const isNamed = surveys.length + factories.length > 0;
  // Any contract could make the manager pay.
  if (managerKey !== null && !isNamed && !(await hasServed(storage)))
    throw new KaiactlError('--manager-key-file needs --survey or --factory: the key pays for their joins', {
      hint: 'Name the surveys with --survey, or the contract that creates them with --factory.',
    });
  const wallet = managerKey === null ? null : walletOf(managerKey);
  const nodes = new Nodes(
    options.rpcUrls.map((url) => httpRpc(url, options.rpcTimeoutMs)),
    options.chainId,
    options.minedMs,
  );
  const { rpc } = nodes;
  const failed = (did: string, hint: string) => (cause: unknown) => {
    throw new KaiactlError(`the chain’s node (--rpc-url) ${did}`, { exitCode: exit.unseen, cause, hint });
  };
  const later = 'Start the server again when the node answers JSON-RPC at this URL.';
  const found = await rpc('eth_chainId', []).catch(failed('does not answer', later));
  const chainId = Number(found);
  if (options.chainId !== null && options.chainId !== chainId)
    throw new KaiactlError(`the node is on chain ${chainId}, not on ${options.chainId} (--chain-id)`);
  const any = managerKey === null && !isNamed;
  const served = servedSurveys({ storage, chainId, any, surveys, isMade: madeBy(rpc, factories) });
  const key = 'kaia_getAccountKey must return a key, or the error “method not found” (-32601).';
  const keyOf = await accountKeys(rpc).catch(failed('gave an unexpected answer', key));
  const memory = (place: GroupPlace) => storedMemory(storage, chainId, place);
  const sender = wallet === null ? null : openSender(wallet, options, nodes, chainId);
  const patienceMs = options.rpcTimeoutMs;
  return new ChainStore({ rpc, chainId, sender, fromBlock, served, keyOf, memory, patienceMs, nodes });
}

function openSender(
  wallet: Wallet,
  options: ChainOptions,
  { rpc, everywhere }: Nodes,
  chainId: number,
): Sender {
  const { minedMs: timeoutMs, spending, storage, onWriterError: onError } = options;
  return new Sender(rpc, wallet, { chainId, timeoutMs, spending, storage, everywhere, onError });
}

function walletOf(key: string): Wallet {
  try {
    return new Wallet(key);
  } catch {
    throw new KaiactlError('the manager’s key is not a private key of 64 hexadecimal digits');
  }
}
