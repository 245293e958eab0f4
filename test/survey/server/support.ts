/** A survey server on a free port, with a platform and a portal that answer what a test wants. */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashMessage } from 'ethers/hash';
import { Wallet } from 'ethers/wallet';
import { onTestFinished } from 'vitest';
import { destatMessage, type JoinStatement, joinTypedData } from '../../../src/survey/protocol/message.js';
import { openKey } from '../../../src/survey/protocol/secp256k1.js';
import type { Limits } from '../../../src/survey/server/parts.js';
import { type Running, type ServeSettings, serve } from '../../../src/survey/server/serve.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { bodyServer } from '../../peers/body-server.js';
import { within } from '../../peers/bounded.js';

export const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
export const channel = '1234567890';
export const userId = `U${'a'.repeat(32)}`;
export const wallet = new Wallet(`0x${'11'.repeat(32)}`);

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that answers with what `answer` returns; remembers what it heard. */
export async function stub(
  answer: (heard: Heard) => { status?: number; body: string } | 'silence' | 'hang up',
): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = bodyServer((request, response, body) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body };
    heard.push(one);
    const said = answer(one);
    if (said === 'silence') return;
    if (said === 'hang up') {
      response.destroy();
      return;
    }
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json' }).end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** A JSON-RPC node's answer to what it heard: `part` is the result or the error, as JSON text. */
export function rpcAnswer(heard: Heard, part: string): { body: string } {
  const { id } = JSON.parse(heard.body) as { id: number };
  return { body: `{"jsonrpc":"2.0","id":${id},${part}}` };
}

/** The messaging platform for access tokens: "good" belongs to a user, "nouser" to no user, "other" to another channel. */
export function platform(): ReturnType<typeof stub> {
  return stub(({ path, headers }) => {
    const token =
      new URL(path, 'http://x').searchParams.get('access_token') ?? headers.authorization?.slice(7);
    const known = ['good', 'nouser', 'other', 'spent'].includes(token ?? '');
    if (path.startsWith('/verify')) {
      const grant = { scope: 'profile', client_id: token === 'other' ? '999' : channel };
      return known
        ? { body: JSON.stringify({ ...grant, expires_in: token === 'spent' ? 0 : 3600 }) }
        : { status: 400, body: '{"error":"invalid_request","error_description":"access token expired"}' };
    }
    return { body: token === 'nouser' ? '{}' : JSON.stringify({ userId, displayName: 'x' }) };
  });
}

/** Limits that no test reaches by chance. */
export const usualLimits: Limits = {
  perMinute: 0,
  joins: 1000,
  requests: 2000,
  connections: 4096,
  connectionsPerAddress: 0,
  bodyBytes: 65_536,
  requestMs: 15_000,
  sendMs: 10_000,
  trustProxy: false,
};

/** Policies of surveys that take one join per user. */
export const oncePolicies = {
  of: async () => null,
  adopt: async () => undefined,
  defaults: { onePerUser: true, scheme: 'any', closesAt: null, maxMembers: null, allowlist: false },
};

/** Settings for tests: everything in memory, no rate limit, nothing logged. */
export async function settings(change: Partial<ServeSettings> = {}): Promise<ServeSettings> {
  const { url } = await platform();
  const secret = Buffer.alloc(32, 7);
  return {
    adminSocket: null,
    decisions: null,
    tls: null,
    origins: [],
    operations: null,
    host: '127.0.0.1',
    port: 0,
    surveys: [survey],
    chain: null,
    secret,
    openStorage: () => openStorage(':memory:', secret),
    budget: { perSurvey: 0, perUser: 0 },
    tokens: {
      channelId: channel,
      issuer: 'https://access.line.me',
      channelSecret: null,
      verifyUrl: null,
      jwksUrl: `${url}/certs`,
      accessVerifyUrl: `${url}/verify`,
      profileUrl: `${url}/profile`,
      timeoutMs: 20_000,
    },
    policy: { onePerUser: false, scheme: 'any' },
    portal: null,
    live: { secret: null, items: null, testPayments: true },
    limits: usualLimits,
    log: () => undefined,
    now: Date.now,
    ...change,
  };
}

/** What chain servers of tests have in common. */
export const chainDefaults = {
  fromBlock: null,
  chainId: null,
  factories: [],
  rpcTimeoutMs: 20_000,
  minedMs: 60_000,
  spending: { maxGas: 10_000_000n, maxFee: 10n ** 12n },
};

/** Serves until the test ends. */
export async function started(change: Partial<ServeSettings> = {}): Promise<Running> {
  const running = await serve(await settings(change));
  onTestFinished(() => running.close());
  return running;
}

/** The wallet's signature under the original app's message, made faster than by ethers. */
export function joinSignature(user: string, account = wallet.address): string {
  return openKey(Buffer.alloc(32, 0x11)).sign(hashMessage(destatMessage(user, account)));
}

/** A join's body, signed as the original app's users sign. */
export function joinBody(commitment: unknown, change: Record<string, unknown> = {}): Record<string, unknown> {
  const account = String(change.account ?? wallet.address);
  const signature = change.signature ?? joinSignature(userId, account);
  return { id: survey, commitment, signature, idToken: 'good', account, ...change };
}

/** A join's body under the scheme that binds survey, commitment and expiry. */
export async function typedBody(
  commitment: bigint,
  change: Partial<JoinStatement> = {},
): Promise<Record<string, unknown>> {
  const expiresAt = Math.floor(Date.now() / 1000) + 300;
  const statement = {
    survey,
    commitment,
    userId,
    account: wallet.address,
    expiresAt,
    chainId: null,
    ...change,
  };
  const { domain, types, value } = joinTypedData(statement);
  const signature = await wallet.signTypedData(domain, types, value);
  const chain = statement.chainId === null ? {} : { chainId: statement.chainId };
  return joinBody(String(commitment), {
    signature,
    scheme: 'eip712',
    expiresAt: statement.expiresAt,
    ...chain,
  });
}

export interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly allow: string | null;
  readonly body: string;
}

/** One request; a body that is not a string is sent as JSON. */
export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const asked = fetch(url, { method, headers, ...(text === undefined ? {} : { body: text }) });
  // A join on a chain takes blocks; a test ends after 300 s.
  const response = await within(asked, `${method} ${url}`, 200_000);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    allow: response.headers.get('allow'),
    body: await response.text(),
  };
}

/** The object inside the string inside `error` or `data`. */
export function inner(answer: Answered, name: 'error' | 'data'): Record<string, unknown> {
  return JSON.parse((JSON.parse(answer.body) as Record<string, string>)[name] ?? '');
}

/** Members of the survey as the API lists them. */
export async function listed(url: string, id = survey): Promise<string[]> {
  const answer = await request(`${url}/api/group/members?id=${id}`, 'GET');
  return inner(answer, 'data').members as string[];
}
