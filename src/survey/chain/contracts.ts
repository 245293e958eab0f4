/** The survey contract, the Semaphore contract and its verifier, and what a server reads from them. */
import { Interface } from 'ethers/abi';
import { quantity, type Rpc, RpcError, Unreachable } from '../../jsonrpc/rpc.js';
import { Refused } from '../protocol/refused.js';
import { chainRefused } from './failure.js';

export const surveyContract = new Interface([
  'function semaphore() view returns (address)',
  'function groupId() view returns (uint256)',
  'function manager() view returns (address)',
  'function finished() view returns (bool)',
  'function joinGroup(uint256 identityCommitment)',
  'function getQuestions() view returns (tuple(string question, string[] options)[])',
  'function getAnswers() view returns (tuple(address respondent, uint8[] answers, uint256 merkleTreeDepth, uint256 merkleTreeRoot, uint256 nullifier, uint256[8] points)[])',
]);

export const semaphoreContract = new Interface([
  'function getGroupAdmin(uint256 groupId) view returns (address)',
  'function hasMember(uint256 groupId, uint256 identityCommitment) view returns (bool)',
  'function getMerkleTreeRoot(uint256 groupId) view returns (uint256)',
  'function getMerkleTreeSize(uint256 groupId) view returns (uint256)',
  'function verifier() view returns (address)',
  'function groups(uint256 groupId) view returns (uint256 merkleTreeDuration)',
  'event MemberAdded(uint256 indexed groupId, uint256 index, uint256 identityCommitment, uint256 merkleTreeRoot)',
  'event MembersAdded(uint256 indexed groupId, uint256 startIndex, uint256[] identityCommitments, uint256 merkleTreeRoot)',
  'event MemberUpdated(uint256 indexed groupId, uint256 index, uint256 identityCommitment, uint256 newIdentityCommitment, uint256 merkleTreeRoot)',
  'event MemberRemoved(uint256 indexed groupId, uint256 index, uint256 identityCommitment, uint256 merkleTreeRoot)',
  'event GroupMerkleTreeDurationUpdated(uint256 indexed groupId, uint256 oldMerkleTreeDuration, uint256 newMerkleTreeDuration)',
  'event ProofValidated(uint256 indexed groupId, uint256 merkleTreeDepth, uint256 indexed merkleTreeRoot, uint256 nullifier, uint256 message, uint256 indexed scope, uint256[8] points)',
]);

export const verifierContract = new Interface([
  'function verifyProof(uint256[2] a, uint256[2][2] b, uint256[2] c, uint256[4] signals, uint256 depth) view returns (bool)',
]);

/** The result of a view function at a block. @throws {RpcError} {Unreachable} */
export async function view<T>(
  rpc: Rpc,
  call: { to: string; contract: Interface; name: string; args?: readonly unknown[]; block?: string },
): Promise<T> {
  const data = call.contract.encodeFunctionData(call.name, call.args ?? []);
  const answer = String(await rpc('eth_call', [{ to: call.to, data }, call.block ?? 'latest']));
  return call.contract.decodeFunctionResult(call.name, answer)[0] as T;
}

export interface GroupPlace {
  readonly semaphore: string;
  readonly groupId: bigint;
}

/** The result of a view function of the group's contract; `args` follow the id of the group. @throws as `view` */
export function groupView<T>(
  rpc: Rpc,
  { semaphore, groupId }: GroupPlace,
  call: { name: string; args?: readonly unknown[]; block?: string },
): Promise<T> {
  const args = [groupId, ...(call.args ?? [])];
  return view<T>(rpc, { ...call, to: semaphore, contract: semaphoreContract, args });
}

export async function readGroupPlace(rpc: Rpc, survey: string, block = 'latest'): Promise<GroupPlace> {
  const read = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name, block });
  const [semaphore, groupId] = await Promise.all([read<string>('semaphore'), read<bigint>('groupId')]);
  return { semaphore, groupId };
}

/** @throws {Refused} when there is no contract, the contract is no survey, or the node does not answer */
export async function locateGroup(rpc: Rpc, survey: string): Promise<GroupPlace> {
  try {
    if ((await rpc('eth_getCode', [survey, 'latest'])) === '0x') {
      const reason = 'there is no survey on this chain';
      throw new Refused('BAD_DATA', 'no contract at this address', reason, { value: '0x' });
    }
    return await readGroupPlace(rpc, survey);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof Unreachable) throw chainRefused(error, 'call');
    const data = error instanceof RpcError ? error.data : '0x';
    const facts = { action: 'call', data };
    throw new Refused('CALL_EXCEPTION', 'not a survey', 'the contract has no group', facts);
  }
}

export function isMember(rpc: Rpc, place: GroupPlace, commitment: bigint): Promise<boolean> {
  return groupView(rpc, place, { name: 'hasMember', args: [commitment] });
}

const walletContract = new Interface([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/** The function's own selector is the answer of a wallet that accepts. */
const accepts = '0x1626ba7e';
/** Gas that a wallet's check may use: callers name the account. */
const checkGas = quantity(3_000_000);

/** Whether the account is a contract that accepts the signature (EIP-1271). @throws {Refused} when the node does not answer */
export async function contractAccepts(rpc: Rpc, account: string, digest: string, signature: string) {
  try {
    if ((await rpc('eth_getCode', [account, 'latest'])) === '0x') return false;
    const data = walletContract.encodeFunctionData('isValidSignature', [digest, signature]);
    const answer = String(await rpc('eth_call', [{ to: account, data, gas: checkGas }, 'latest']));
    return answer.length === 66 && answer.startsWith(accepts);
  } catch (error) {
    // The wallet reverts: it does not accept.
    if (error instanceof RpcError) return false;
    throw chainRefused(error, 'call');
  }
}

export type SurveyState = Awaited<ReturnType<typeof surveyState>>;

/** The state that all joins of a survey share, as of the last block; null if the node gave no answer. Never rejects. */
export async function surveyState(rpc: Rpc, survey: string, place: GroupPlace) {
  const ask = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
  const [members, finished, manager] = await Promise.all([
    groupView<bigint>(rpc, place, { name: 'getMerkleTreeSize' }).then(Number, () => null),
    ask<boolean>('finished').catch(() => null),
    ask<string>('manager').catch(() => null),
  ]);
  return { members, finished, manager };
}

/** The block that created a contract; see `firstBlock`. */
export function birthBlock(rpc: Rpc, address: string, head: number): Promise<number | null> {
  return firstBlock(head, async (block) => (await rpc('eth_getCode', [address, block])) !== '0x');
}

/** The first block at which something exists, by binary search; null if the node keeps no old states. */
export async function firstBlock(head: number, exists: (block: string) => Promise<boolean>) {
  let [low, high] = [0, head];
  try {
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await exists(quantity(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw chainRefused(error, 'call');
  }
}
