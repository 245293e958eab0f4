/** The survey contract and the Semaphore contract, and calls to them. */
import { Interface } from 'ethers/abi';
import type { Rpc } from './rpc.js';

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
