/** The server as a separate process, for kills, memory and real ports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Wallet } from 'ethers/wallet';
import { SignJWT } from 'jose';
import { destatMessage } from '../../../src/survey/protocol/message.js';

const root = new URL('../../..', import.meta.url).pathname;
const channel = '1234567890';
const secret = 'a channel secret for tests only!';

/** Why tests with processes are skipped, or null. */
export const notBuilt = existsSync(`${root}dist/main.cjs`) ? null : 'dist/ is missing: npm run build';
if (notBuilt !== null) process.stderr.write(`SKIPPED: the survey server as a process: ${notBuilt}\n`);

export interface Spawned {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves when the process has ended, with its exit code, or null for a signal. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts `kaiactl survey serve` on a free port and resolves once its first line is out.
 * @param through words in front of the command: what starts it somewhere else, or within limits
 * @param checkout the built checkout that is started
 */
export async function spawnServer(
  words: readonly string[],
  through: readonly string[] = [],
  checkout = root,
): Promise<Spawned> {
  const env = { ...process.env, KAIACTL_CHANNEL_SECRET: secret };
  const serve = ['survey', 'serve', '--port', '0', '--channel-id', channel, '-q', ...words];
  const [program = '', ...given] = [...through, process.execPath, join(checkout, 'bin/kaiactl.js'), ...serve];
  const child = spawn(program, given, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  for await (const line of createInterface(child.stdout)) return { url: line, child, ended };
  // stderr may end after stdout.
  await closed;
  throw new Error(`the server did not start: ${errors}`);
}

/** An ID token the spawned server accepts. */
export function token(userId: string): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://access.line.me')
    .setAudience(channel)
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}

/** The bodies of joins by one account. */
export function bodyOf(wallet: Wallet, survey: string, idToken: string, userId: string) {
  const account = wallet.address;
  const signature = wallet.signMessageSync(destatMessage(userId, account));
  return (commitment: number): string =>
    JSON.stringify({ id: survey, commitment: String(commitment), signature, idToken, account });
}

/** Joins and resolves with the status; 0 when the connection broke. */
export function joiner(...by: Parameters<typeof bodyOf>) {
  const bodyFor = bodyOf(...by);
  return async (url: string, commitment: number): Promise<number> => {
    const body = bodyFor(commitment);
    try {
      const answer = await fetch(`${url}/api/group/join`, { method: 'POST', body });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  };
}
