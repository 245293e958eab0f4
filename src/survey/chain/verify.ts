/** Reads a survey's group from the chain, and compares a member list with it. */
import { exit, KaiactlError } from '../../errors.js';
import type { GroupInfo } from '../protocol/wire.js';
import { semaphoreContract, surveyContract, view } from './contracts.js';
import { httpRpc, quantity, type Rpc, RpcError, Unreachable } from './rpc.js';

/** A group as its contract knows it, at one block. */
export interface ChainGroup {
  readonly chainId: number;
  readonly block: number;
  readonly groupId: string;
  /** Slots of the tree, removed members included. */
  readonly size: number;
  readonly root: bigint;
}

/** For one answer of the node. */
const timeoutMs = 15_000;

export interface ChainReader {
  /** @throws {KaiactlError} when the node cannot be asked (exit 3) or the survey is not one (exit 2) */
  group(): Promise<ChainGroup>;
  /** Whether the contract has the commitment as a member; same errors. */
  hasMember(commitment: bigint): Promise<boolean>;
}

/** Reads the group of `survey`, and finds its Semaphore contract, over JSON-RPC at `url`. */
export function chainReader(url: URL, survey: string, signal: AbortSignal): ChainReader {
  const where = { rpc: url.host, survey };
  const rpc = httpRpc(url.href, timeoutMs, signal);
  const ofSurvey = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
  const located = once(async () => {
    const [to, groupId] = await Promise.all([ofSurvey<string>('semaphore'), ofSurvey<bigint>('groupId')]);
    return { to, groupId };
  });
  const ofGroup = async <T>(name: string, more: { args?: readonly unknown[]; block?: string } = {}) => {
    const { to, groupId } = await located();
    const args = [groupId, ...(more.args ?? [])];
    return view<T>(rpc, { to, contract: semaphoreContract, name, args, block: more.block ?? 'latest' });
  };
  return {
    group: () =>
      asked(where, async () => {
        const [chainId, block] = await Promise.all([
          number(rpc, 'eth_chainId'),
          number(rpc, 'eth_blockNumber'),
        ]);
        const at = { block: quantity(block) };
        const [root, size] = await Promise.all([
          ofGroup<bigint>('getMerkleTreeRoot', at),
          ofGroup<bigint>('getMerkleTreeSize', at),
        ]);
        const { groupId } = await located();
        return { chainId, block, groupId: String(groupId), size: Number(size), root };
      }),
    hasMember: (commitment) => asked(where, () => ofGroup<boolean>('hasMember', { args: [commitment] })),
  };
}

async function number(rpc: Rpc, method: 'eth_chainId' | 'eth_blockNumber'): Promise<number> {
  const answer = await rpc(method, []);
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer);
  throw new Unreachable(
    method === 'eth_chainId' ? 'it does not tell its chain id' : 'it does not tell its block',
  );
}

/**
 * How the list differs from the chain's group, one clause each; empty when group id, size and root agree.
 * A size that is a multiple of 100 suggests that the API's source returned one page only.
 */
export function disagreements(list: GroupInfo, root: bigint, chain: ChainGroup): string[] {
  const length = list.members.length;
  const found: string[] = [];
  if (list.groupId !== chain.groupId) {
    found.push(`the list is of group ${list.groupId}, the survey’s group is ${chain.groupId}`);
  }
  if (length !== chain.size) {
    const wall = length < chain.size && length > 0 && length % 100 === 0;
    const cut = wall ? `: the API’s source probably returns only its first ${length}` : '';
    found.push(`the list has ${length} entries, the contract ${chain.size}${cut}`);
  } else if (root !== chain.root) {
    found.push(`the list’s root is ${root}, the contract’s ${chain.root}`);
  }
  return found;
}

/** Runs a request; maps every failure to a KaiactlError. */
async function asked<T>(where: { rpc: string; survey: string }, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isNoSurvey(error)) {
      throw new KaiactlError(`there is no survey contract at ${where.survey} on the chain of ${where.rpc}`, {
        hint: 'Check the address, and that --rpc-url is a node of the chain the survey lives on.',
        cause: error,
      });
    }
    const why =
      error instanceof Unreachable
        ? error.message
        : error instanceof RpcError
          ? `it answered with error ${error.code}`
          : 'its answer is not valid';
    throw new KaiactlError(`the node at ${where.rpc} could not be asked: ${why}`, {
      exitCode: exit.unseen,
      hint: 'Check --rpc-url.',
      cause: error,
    });
  }
}

/** A call that reverted (3, or -32000 on older nodes), or whose result a survey cannot return. */
function isNoSurvey(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === 3 || error.code === -32000;
  return (error as { code?: string }).code === 'BAD_DATA';
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
