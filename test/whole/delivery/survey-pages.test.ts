/** Every command of the survey pages runs as printed, in the order of the page; only the addresses of services differ. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { Wallet } from 'ethers/wallet';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { destatMessage } from '../../../src/survey/protocol/message.js';
import { freePort } from '../../peers/free-port.js';
import { kaiactl } from '../../peers/run.js';
import { account, act, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import genuine from '../../survey/chain/genuine-proof.json' with { type: 'json' };
import { notBuilt, token } from '../../survey/server/process.js';
import { stub } from '../../survey/server/support.js';
import { type Cluster, noPostgres, startPostgres } from '../../survey/store/postgres.js';

const root = new URL('../../..', import.meta.url).pathname;
const channelSecret = 'a channel secret for tests only!';
let cluster: Cluster | null = null;
let chain: Chain | null = null;
afterAll(async () => {
  chain?.stop();
  await cluster?.stop();
});

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page, without the indent of a list. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(`${root}docs/${page}`, 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', body = '']) => ({
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** Command lines of the program alone need no shell and no process; their output may go to a file. */
const withoutShell = /^kaiactl survey ([\w./:=,@%+ -]+?)(?: > (\S+))?$/;

/** A folder with a shim of the program, in which the commands of a page run in turn. */
class Reader {
  readonly folder = mkdtempSync(join(tmpdir(), 'kaiactl-pages-'));
  readonly #servers: (() => Promise<void>)[] = [];
  readonly #addresses: Readonly<Record<string, string>>;
  readonly #printed: RegExp;
  readonly #env: Readonly<Record<string, string>>;

  /** @param port the default port of servers */
  constructor(
    addresses: Readonly<Record<string, string>>,
    port: number,
    env: Readonly<Record<string, string>>,
  ) {
    this.#addresses = addresses;
    this.#printed = new RegExp(Object.keys(addresses).join('|').replaceAll('.', '[.]'), 'g');
    this.#env = { ...env, KAIACTL_PORT: String(port) };
    writeFileSync(
      join(this.folder, 'kaiactl'),
      `#!/bin/sh\nexec '${process.execPath}' '${root}bin/kaiactl.js' "$@"\n`,
    );
    chmodSync(join(this.folder, 'kaiactl'), 0o755);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text, { mode: 0o600 });
  }

  /** Runs a block. A server keeps running until the next one starts on the same port, or the page ends. */
  async run(printed: string): Promise<string> {
    // In one pass: an address that was put in may contain another one.
    const text = printed.replace(this.#printed, (from) => this.#addresses[from] ?? from);
    if (text.startsWith('kaiactl survey serve') && !text.includes('--check')) return await this.#serve(text);
    // A quote or a backslash may join lines.
    if (/["'\\]/.test(text)) return await this.#inBash(text);
    let output = '';
    for (const line of text.trim().split('\n')) {
      const [, words, file] = withoutShell.exec(line) ?? [];
      output += words === undefined ? await this.#inBash(line) : await this.#inProcess(words, file);
    }
    return output;
  }

  async #inProcess(words: string, file: string | undefined): Promise<string> {
    const chunks: Buffer[] = [];
    const stdout = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
    const argv = ['survey', ...words.split(' ')];
    const { code, stderr } = await kaiactl(argv, { cwd: this.folder, env: this.#env, stdout });
    expect(code, `${words}\n${stderr}`).toBe(0);
    const written = Buffer.concat(chunks);
    if (file === undefined) return `${written}${stderr}`;
    writeFileSync(join(this.folder, file), written);
    return stderr;
  }

  /** Resolves with its first line. */
  async #serve(text: string): Promise<string> {
    if (!text.includes('--port')) await this.stop();
    const abort = new AbortController();
    const stdout = new PassThrough();
    const [, ...argv] = text.trim().split(' ');
    const host = { cwd: this.folder, env: this.#env, stdout, signal: abort.signal };
    const ended = kaiactl(argv, host);
    this.#servers.push(async () => {
      abort.abort();
      const { code, stderr } = await ended;
      expect(code, stderr).toBe(0);
    });
    const early = ended.then(({ stderr }) => Promise.reject(new Error(`${text}: ${stderr}`)));
    const [line] = await Promise.race([once(createInterface(stdout), 'line'), early]);
    return line;
  }

  async #inBash(text: string): Promise<string> {
    const env = { ...process.env, PATH: `${this.folder}:${process.env.PATH}`, ...this.#env };
    const words = ['-ec', `exec 2>&1\n${text}`];
    const child = spawn('bash', words, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect(code, `${text}\n${output}`).toBe(0);
    return output;
  }

  async stop(): Promise<void> {
    for (const stop of this.#servers.splice(0)) await stop();
  }
}

async function readerOf(
  addresses: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = { KAIACTL_CHANNEL_SECRET: channelSecret },
): Promise<Reader> {
  const [first, second] = [await freePort(), await freePort()];
  const reader = new Reader({ 8787: String(first), 8788: String(second), ...addresses }, first, env);
  onTestFinished(async () => {
    await reader.stop();
    rmSync(reader.folder, { recursive: true, force: true });
  });
  return reader;
}

/** A batch of five people, as a web app collects it. */
async function people(): Promise<string> {
  const lines = [1, 2, 3, 4, 5].map(async (n) => {
    const wallet = new Wallet(`0x${String(n).repeat(64)}`);
    const userId = `U${String(n).repeat(32)}`;
    const signature = wallet.signMessageSync(destatMessage(userId, wallet.address));
    const idToken = await token(userId);
    return `${JSON.stringify({ commitment: `${1000 + n}`, account: wallet.address, signature, idToken })}\n`;
  });
  return (await Promise.all(lines)).join('');
}

test.skipIf(notBuilt !== null || noAnvil !== null)(
  'survey-admins.md: open a survey, let people join, check the members, prove the answers, take money',
  async () => {
    const portal = await stub(() => ({ body: '{"id":"pay_1"}' }));
    const chain = await startChain();
    onTestFinished(() => chain.stop());
    const asking = await chain.survey('AskingSurvey', 1);
    for (const member of genuine.members) await act(asking, 'joinGroup', member);
    await act(asking, 'submitAnswer', genuine.proof, [2, 0]);
    const reader = await readerOf({
      'https://payment.dappportal.io': portal.url,
      'http://127.0.0.1:8551': chain.url,
      '0x00000000000000000000000000000000c0ffee03': String(asking.target),
    });
    reader.write('joins.ndjson', await people());
    const outputs: string[] = [];
    for (const { language, text } of blocksOf('survey-admins.md')) {
      const file = /^; (\S+)\n/.exec(text)?.[1];
      if (language === 'ini' && file !== undefined) reader.write(file, text);
      if (language === 'sh') outputs.push(await reader.run(text));
    }
    const all = outputs.join('\n');
    expect(all).toContain('5 lines: 5 can join, 0 cannot');
    expect(all).toContain('5 joins: 5 listed');
    expect(all).toMatch(/^5$/m);
    expect(all).toContain('pay_1  CREATED  pending  1.5 KAIA (CRYPTO) for sticker, test');
    expect(all).toContain('limit of members: 50,000 (was none)');
    expect(all).toMatch(/^joins today +5 \(UTC\)$/m);
    expect(readFileSync(join(reader.folder, 'report.html'), 'utf8')).toContain('<h1>5 members');
    expect(all).toMatch(/imported survey 0x5a9d.*: group 0, 5 members/);
    expect(all).toMatch(/blue: +1 answer/);
    expect(JSON.parse(readFileSync(join(reader.folder, 'progress.json'), 'utf8'))).toMatchObject({
      state: 'submitted',
      done: 5,
    });
  },
);

const survey = '0x5a9db0C5a41A3fb1c5D1C46d8f4E25a4B7fe1e57';

test.skipIf(notBuilt !== null || noPostgres !== null)(
  'survey-restore.md: a file and a database are restored, and a survey that was closed since stays closed',
  async () => {
    cluster ??= await startPostgres();
    const url = cluster.database();
    const reader = await readerOf({ 'postgres://survey@db/survey': url });
    const shared = `--store ${url} --participant-secret-file participants.secret`;
    const close = async (store: string) =>
      reader.run(`kaiactl survey admin close ${survey} --yes ${store}\n`);
    await reader.run(`kaiactl survey serve --store survey.db --survey ${survey}`);
    await reader.run('kaiactl survey backup backup.db --store survey.db\n');
    await close('--store survey.db');
    await reader.run(`kaiactl survey serve ${shared} --survey ${survey}`);
    await reader.stop();
    const ran: string[] = [];
    for (const { language, text } of blocksOf('survey-restore.md')) {
      if (language !== 'sh') continue;
      if (text.startsWith('psql')) {
        await close(shared);
        await reader.stop();
      }
      ran.push(`${text}${await reader.run(text)}`);
    }
    const all = ran.join('\n');
    expect(all.match(/^close 0x5a9d.*: repeated$/gm)).toHaveLength(2);
    expect(all).toContain('usable: 1 survey, 0 members, 0 participants');
    expect(ran.filter((one) => /^kaiactl survey serve[^\n]*\nhttp:/.test(one))).toHaveLength(2);
    expect(await reader.run(`kaiactl survey admin list ${shared}\n`)).toMatch(/0 members {2}closed/);
  },
);

test.skipIf(notBuilt !== null || noAnvil !== null)(
  'survey-on-a-test-chain.md: from Semaphore’s sources to a verified member',
  async () => {
    chain ??= await startChain();
    const reader = await readerOf({ 'http://127.0.0.1:8545': chain.url }, {});
    for (const name of ['Survey.sol', 'survey.json', 'setup.mjs'])
      copyFileSync(`${root}fixtures/chain/${name}`, join(reader.folder, name));
    symlinkSync(`${root}node_modules`, join(reader.folder, 'node_modules'));
    let deployed = '';
    let all = '';
    for (const { language, text } of blocksOf('survey-on-a-test-chain.md')) {
      if (language !== 'sh') continue;
      all += await reader.run(text.replace('0x00000000000000000000000000000000c0ffee04', deployed));
      deployed = /^survey +(0x\w+)$/m.exec(all)?.[1] ?? '';
    }
    const { compiler, bytecode } = JSON.parse(readFileSync(`${root}fixtures/chain/survey.json`, 'utf8'));
    expect(all).toContain(`compiler  ${compiler}\nbytecode  ${bytecode}\n`);
    expect(all).toMatch(/^listed /m);
    expect(all).toMatch(/424242\n1 member, group \d+, root matches the contract\n$/);
    // Another source is not deployed.
    const source = join(reader.folder, 'Survey.sol');
    writeFileSync(source, readFileSync(source, 'utf8').replace('"Survey is finished"', '"over"'));
    await expect(reader.run('node setup.mjs http://127.0.0.1:8545\n')).rejects.toThrow('not as committed');
  },
);

const onePage = 'survey-server.md: start, open a survey, two servers, back up';
test.skipIf(notBuilt !== null || noPostgres !== null || noAnvil !== null)(onePage, async () => {
  cluster ??= await startPostgres();
  chain ??= await startChain();
  const reader = await readerOf({
    'postgres://survey@db/survey': cluster.database(),
    'http://127.0.0.1:8551': chain.url,
    '0x00000000000000000000000000000000c0ffee01': String((await chain.survey('Survey', 1)).target),
    '0x00000000000000000000000000000000c0ffee02': String((await chain.survey('Survey', 1)).target),
  });
  reader.write('manager.key', account(1).privateKey);
  const ran: string[] = [];
  for (const { language, text } of blocksOf('survey-server.md')) {
    if (language !== 'sh') continue;
    if (text.startsWith('kaiactl survey admin rotate-secret')) await reader.stop();
    if (/^kaiactl survey (admin add 0x19E7|backup backup.db)/.test(text)) await reader.run(firstServer());
    ran.push(`${text}${await reader.run(text)}`);
  }
  expect(ran.filter((one) => /^kaiactl survey serve[^\n]*\nhttp:/.test(one))).toHaveLength(4);
  const all = ran.join('\n');
  expect(all).toContain('can serve: embedded store, 1 survey');
  expect(all).toMatch(/balance pays for|joins? left/i);
  expect(all).toContain('root matches the contract');
  expect(all).toContain('backup');
  expect(all).toMatch(/imported survey 0x5a9d.*: group \d+, 0 members/);
  expect(all).toContain('rotated the participants’ secret: its file has 2 keys');
  expect(all).toContain('its file has one new key, and no record of a user is left');
});

/** The server whose store is backed up: the page goes on with it after the part about two servers. */
function firstServer(): string {
  const block = blocksOf('survey-server.md').find(
    ({ text }) => text.startsWith('kaiactl survey serve') && !text.includes('--check'),
  );
  return block?.text ?? '';
}
