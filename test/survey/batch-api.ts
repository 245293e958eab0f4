/** An API that counts what it was sent, and files for a batch. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JoinRequest } from '../../src/survey/protocol/wire.js';
import { data, type Reply, receipt, type Served, serve } from './fake.js';

export interface CountingApi extends Served {
  readonly members: string[];
  /** How often each commitment was submitted. */
  readonly submitted: Map<string, number>;
  /** Decides on a join before the usual answer does; null leaves it to that. */
  decide: (request: JoinRequest, nth: number) => Reply | null | Promise<Reply | null>;
  /** Resolves when every join that has arrived is decided, also after its client is gone. */
  idle(): Promise<unknown>;
}

export async function countingApi(): Promise<CountingApi> {
  const members = ['1'];
  const submitted = new Map<string, number>();
  const arrived: Promise<Reply>[] = [];
  let count = 0;
  const server = await serve(({ method, body }) => {
    if (method === 'GET') return data({ members, groupId: '0' });
    const answer = decided(JSON.parse(body) as JoinRequest);
    arrived.push(answer);
    return answer;
  });
  const decided = async (request: JoinRequest): Promise<Reply> => {
    submitted.set(request.commitment, (submitted.get(request.commitment) ?? 0) + 1);
    const word = await api.decide(request, ++count);
    if (word !== null) return word;
    members.push(request.commitment);
    return receipt(0n, BigInt(members.length - 1), BigInt(request.commitment));
  };
  const idle = () => Promise.all(arrived);
  const api: CountingApi = { ...server, members, submitted, decide: () => null, idle };
  return api;
}

export interface BatchFiles {
  readonly folder: string;
  readonly commitments: readonly string[];
  readonly journal: string;
  /** The options that run it. */
  readonly words: readonly string[];
}

/** A folder with a batch of `count` joins, a key, a token; the journal does not exist yet. */
export function batchFiles(count: number, lines?: readonly object[]): BatchFiles {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-batch-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const commitments = Array.from({ length: count }, (_, at) => String(1000 + at));
  const all = lines ?? commitments.map((commitment) => ({ commitment }));
  const journal = join(folder, 'journal');
  const batch = file('batch.ndjson', all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const signing = [
    '--key-file',
    file('key', '11'.repeat(32)),
    '--id-token-file',
    file('token', 'indeterminate'),
  ];
  const waiting = ['--poll-interval', '3ms', '--timeout', '40ms', '--max-outage', '20s'];
  const words = ['--batch', batch, '--journal', journal, ...signing, '--user-id', 'U1', ...waiting];
  return { folder, commitments, journal, words };
}
