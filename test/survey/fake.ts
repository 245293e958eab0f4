/** HTTP servers for tests: a survey API with scripted answers, and a chain with one group. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Interface } from 'ethers';
import { encodeAdded } from '../../src/survey/protocol/events.js';
import { bodyServer } from '../peers/body-server.js';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}
export interface Answer {
  readonly status?: number;
  readonly type?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
export interface Served {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

export type Reply = Answer | ((response: ServerResponse) => void);

/** A server on a free loopback port with scripted answers; `asked` lists its requests. */
export async function serve(reply: (asked: Asked) => Reply | Promise<Reply>): Promise<Served> {
  const asked: Asked[] = [];
  const server = bodyServer(async (request, response, body) => {
    const { method = '', url: path = '' } = request;
    const one = { method, path, headers: request.headers, body };
    asked.push(one);
    const answer = await reply(one);
    if (typeof answer === 'function') return answer(response);
    const { status = 200, type = 'application/json', headers = {} } = answer;
    response.writeHead(status, { ...(type === null ? {} : { 'content-type': type }), ...headers });
    response.end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
export const data = (value: unknown): Answer => ({ body: JSON.stringify({ data: JSON.stringify(value) }) });
export const refuse = (error: unknown): Answer => ({
  status: 400,
  body: JSON.stringify({ error: JSON.stringify(error) }),
});

/** The receipt of a join, with its event unless `logs` says otherwise. */
export function receipt(groupId: bigint, index: bigint, commitment: bigint, logs?: unknown[]): Answer {
  const event = encodeAdded({ groupId, index, commitment, root: 1n });
  const hash = `0x${(index + 1n).toString(16).padStart(64, '0')}`;
  return data({ _type: 'TransactionReceipt', hash, blockNumber: 12, status: 1, logs: logs ?? [event] });
}

const contract = new Interface([
  'function semaphore() view returns (address)',
  'function groupId() view returns (uint256)',
  'function getMerkleTreeRoot(uint256) view returns (uint256)',
  'function getMerkleTreeSize(uint256) view returns (uint256)',
  'function hasMember(uint256,uint256) view returns (bool)',
]);

/** The only group of the fake chain, read at every call. */
export interface FakeGroup {
  groupId: bigint;
  root: bigint;
  members: readonly string[];
  /** Members it denies. */
  lies?: readonly string[];
}

/** A node with one survey and one Semaphore group. */
export function serveChain(group: FakeGroup): Promise<Served> {
  return serve(({ body }) => {
    const ask = (one: { id: number; method: string; params: [{ data: string }] }) => {
      const result = answerCall(group, one.method, one.params[0]?.data);
      return { jsonrpc: '2.0', id: one.id, ...result };
    };
    const parsed = JSON.parse(body);
    return { body: JSON.stringify(Array.isArray(parsed) ? parsed.map(ask) : ask(parsed)) };
  });
}

function answerCall(group: FakeGroup, method: string, input: string) {
  if (method === 'eth_chainId') return { result: '0x3e9' };
  if (method === 'eth_blockNumber') return { result: '0x10' };
  if (method !== 'eth_call') return { error: { code: -32601, message: 'no such method' } };
  const call = contract.parseTransaction({ data: input });
  const values: Record<string, unknown> = {
    semaphore: `0x${'5e'.repeat(20)}`,
    groupId: group.groupId,
    getMerkleTreeRoot: group.root,
    getMerkleTreeSize: group.members.length,
    hasMember: call?.name === 'hasMember' && isMember(group, String(call.args[1])),
  };
  const name = call?.name ?? '';
  return { result: contract.encodeFunctionResult(name, [values[name]]) };
}

function isMember({ members, lies = [] }: FakeGroup, commitment: string): boolean {
  return members.includes(commitment) && !lies.includes(commitment);
}
