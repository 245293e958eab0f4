/** What the chain says about a survey's group, and whether a list agrees with it. Reads only. */
import { Contract } from 'ethers/contract';
import { exit, KaiactlError } from '../../errors.js';
import type { GroupInfo } from '../protocol/wire.js';
import { semaphoreContract, surveyContract } from './contracts.js';
import { openProvider, Unanswered } from './provider.js';

/** A group as its contract knows it, at one block. */
export interface ChainGroup {
  readonly chainId: number;
  readonly block: number;
  readonly groupId: string;
  /** Slots of the tree, removed members included. */
  readonly size: number;
  readonly root: bigint;
}

export interface ChainReader {
  /** @throws {KaiactlError} when the node cannot be asked (exit 3) or the survey is none (exit 2) */
  group(): Promise<ChainGroup>;
  /** Whether the contract has the commitment as a member; same errors. */
  hasMember(commitment: bigint): Promise<boolean>;
}

/** Reads the group of `survey` (the Semaphore contract is found through it) over JSON-RPC at `rpc`. */
export function chainReader(rpc: URL, survey: string, signal: AbortSignal): ChainReader {
  const where = { rpc: rpc.host, survey };
  const opened = once(() => openProvider(rpc, signal));
  const located = once(async () => {
    const { provider } = await opened();
    const contract = new Contract(survey, surveyContract, provider);
    const [semaphore, groupId] = await Promise.all([call(contract, 'semaphore'), call(contract, 'groupId')]);
    return {
      semaphore: new Contract(semaphore as string, semaphoreContract, provider),
      groupId: groupId as bigint,
    };
  });
  return {
    group: () =>
      asked(where, async () => {
        const { provider, chainId } = await opened();
        const [{ semaphore, groupId }, block] = await Promise.all([located(), provider.getBlockNumber()]);
        const [root, size] = await Promise.all([
          call(semaphore, 'getMerkleTreeRoot', groupId, { blockTag: block }),
          call(semaphore, 'getMerkleTreeSize', groupId, { blockTag: block }),
        ]);
        return { chainId, block, groupId: String(groupId), size: Number(size), root: root as bigint };
      }),
    hasMember: (commitment) =>
      asked(where, async () => {
        const { semaphore, groupId } = await located();
        return (await call(semaphore, 'hasMember', groupId, commitment)) as boolean;
      }),
  };
}

/**
 * Why the list is not the chain's group, one clause each; empty when group id, size and root agree.
 * Sizes that are the page size of an index are named: such a list ends where the page did.
 */
export function disagreements(list: GroupInfo, root: bigint, chain: ChainGroup): string[] {
  const length = list.members.length;
  const found: string[] = [];
  if (list.groupId !== chain.groupId) {
    found.push(`the list is of group ${list.groupId}, the survey’s group is ${chain.groupId}`);
  }
  if (length !== chain.size) {
    const wall = length < chain.size && length > 0 && length % 100 === 0;
    const cut = wall ? `: the API’s source gives out ${length} at a time and the rest is missing` : '';
    found.push(`the list has ${length} entries, the contract ${chain.size}${cut}`);
  } else if (root !== chain.root) {
    found.push(`the list’s root is ${root}, the contract’s ${chain.root}`);
  }
  return found;
}

async function call(contract: Contract, method: string, ...values: unknown[]): Promise<unknown> {
  return contract.getFunction(method).staticCall(...values);
}

/** Asks the chain; whatever goes wrong becomes a sentence. */
async function asked<T>(where: { rpc: string; survey: string }, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'BAD_DATA' || code === 'CALL_EXCEPTION') {
      throw new KaiactlError(`there is no survey contract at ${where.survey} on the chain of ${where.rpc}`, {
        hint: 'Check the address, and that --rpc-url is a node of the chain the survey lives on.',
        cause: error,
      });
    }
    const why = error instanceof Unanswered ? error.message : 'its answer is not what a node gives';
    throw new KaiactlError(`the node at ${where.rpc} could not be asked: ${why}`, {
      exitCode: exit.unseen,
      hint: 'Check --rpc-url.',
      cause: error,
    });
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
