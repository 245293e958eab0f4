/**
 * What lint says of pages, Host names and origins behind a proxy, against an audit through that proxy: nginx, HAProxy and
 * Caddy with generated files before a simulated node. `npm run test:reach` tries 200.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { readConf } from '../../../src/node/read-conf.js';
import { simulate } from '../../../src/node/simulator/node.js';
import { run } from '../../cli/run.js';
import { installed } from '../../node/report/tools.js';
import { Random } from '../../node/sources/random.js';
import { freePort } from '../../peers/free-port.js';
import { seed } from '../../seed.js';
import { changesOf, type Front, fronts, type Ports } from './fronts.js';

const count = Math.min(200, Number(process.env.KAIACTL_TEST_REACH));
const what = 'access checks behind proxies';
const programs = (['nginx', 'haproxy', 'caddy'] as const).filter((name) => installed(name, what));

const commands = {
  nginx: (path: string) => ['nginx', '-c', path],
  haproxy: (path: string) => ['haproxy', '-db', '-f', path],
  caddy: (path: string) => ['caddy', 'run', '--config', path, '--adapter', 'caddyfile'],
};

/** The access checks that foreign callers pass; null: left open. */
interface Passed {
  readonly cors: boolean | null;
  readonly host: boolean | null;
  readonly wsOrigin: boolean | null;
}

const checks = ['cors', 'host', 'wsOrigin'] as const;

function confOf(random: Random, { http, ws }: Ports): string {
  const vhosts = random.pick(['localhost', 'rpc.example.org', 'localhost,node.internal']);
  return [
    'NETWORK=mainnet',
    'DATA_DIR=/var/kend/data',
    'RPC_ENABLE=1',
    'RPC_API="eth,net,personal"',
    `RPC_PORT=${http}`,
    'RPC_ADDR="127.0.0.1"',
    `RPC_CORSDOMAIN="${random.pick(['', 'https://app.example.org'])}"`,
    `RPC_VHOSTS="${vhosts}"`,
    'WS_ENABLE=1',
    'WS_API="eth,net,personal"',
    'WS_ADDR="127.0.0.1"',
    `WS_PORT=${ws}`,
    'WS_ORIGINS="https://app.example.org"',
    '',
  ].join('\n');
}

/** What lint says of the folder. */
async function predicted(folder: string, reasons: Map<string, number>): Promise<Passed> {
  const { out } = await run(['node', 'lint', folder, '--format', 'json']);
  const { targets } = JSON.parse(out) as Report;
  for (const { reason } of targets.flatMap(({ undetermined }) => undetermined)) {
    const kind = reason.replaceAll(/[\w./-]*\d[\w./:-]*/g, '…');
    reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
  }
  const rules = new Set(targets.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
  const isKnown = (name: string) =>
    targets.some(({ interfaces }) =>
      interfaces.some((row) => row.transport === name && row.reach !== undefined),
    );
  const passes = (name: string, rule: string) => (isKnown(name) ? rules.has(rule) : null);
  return {
    cors: passes('http', 'wildcard-cors'),
    host: passes('http', 'wildcard-vhosts'),
    wsOrigin: passes('ws', 'wildcard-origins'),
  };
}

/** Whether a page reads the answer to a call that needs no preflight, which an audit does not send. */
async function answersSimply({ before }: Ports): Promise<boolean> {
  const origin = 'https://kaiactl.invalid';
  const call = request({
    host: '127.0.0.1',
    port: before.http,
    method: 'POST',
    headers: { origin, 'content-type': 'text/plain' },
  });
  call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc_modules', params: [] }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  const allowed = response.headers['access-control-allow-origin'];
  return response.statusCode === 200 && text.includes('"result"') && (allowed === '*' || allowed === origin);
}

/** What an audit through the proxy finds, and whether a page gets in without a preflight. */
async function audited(ports: Ports): Promise<Passed> {
  const { before } = ports;
  const urls = [`http://127.0.0.1:${before.http}`, `ws://127.0.0.1:${before.ws}`];
  const { out } = await run(['node', 'audit', ...urls, '--format', 'json']);
  const rows = (JSON.parse(out) as Report).targets.flatMap(({ interfaces }) => interfaces);
  const of = (transport: string) => rows.find((row) => row.transport === transport);
  const http = of('http');
  // A page that may send calls gets nothing where the node refuses each of them.
  const answers = http?.state === 'open';
  return {
    cors: answers && (http?.access?.foreignOrigin === true || (await answersSimply(ports))),
    host: http?.access?.foreignHost === true,
    wsOrigin: of('ws')?.access?.foreignOrigin === true,
  };
}

/** Runs the program until the work is done. */
async function behind<T>(path: string, { program }: Front, ports: Ports, work: () => Promise<T>): Promise<T> {
  const [name = '', ...words] = commands[program](path);
  const child = spawn(name, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: path },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  try {
    for (const port of [ports.before.http, ports.before.ws])
      while (!(await listens(port))) {
        if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
        await setImmediate();
      }
    return await work();
  } finally {
    await end(child);
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

describe.skipIf(programs.length === 0 || count === 0)('in front of a simulated node', () => {
  test.each(programs)(
    '%s lets in the pages, Host names and origins that lint says',
    async (program) => {
      const folder = mkdtempSync(join(tmpdir(), 'kaiactl-checks-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const wrong: string[] = [];
      const seen: Passed[] = [];
      const reasons = new Map<string, number>();
      let open = 0;
      for (let at = programs.indexOf(program); at < count; at += programs.length) {
        const random = new Random(seed * 1_000_003 + at);
        const [http, ws, front, frontWs] = [
          await freePort(),
          await freePort(),
          await freePort(),
          await freePort(),
        ];
        const ports: Ports = { http, ws, before: { http: front, ws: frontWs } };
        const own = join(folder, `${at}`);
        mkdirSync(own);
        const changes = changesOf(random);
        const file = fronts[program](changes, ports, own, random);
        const conf = confOf(random, ports);
        writeFileSync(join(own, 'kend.conf'), conf);
        writeFileSync(join(own, file.path), file.text);
        const node = await simulate(readConf('kend.conf', Buffer.from(conf)).settings, {
          ipc: join(own, 'klay.ipc'),
        });
        const told = await predicted(own, reasons);
        const found = await behind(join(own, file.path), file, ports, () => audited(ports)).finally(() =>
          node.close(),
        );
        seen.push(found);
        open += checks.filter((name) => told[name] === null).length;
        if (checks.some((name) => told[name] !== null && told[name] !== found[name]))
          wrong.push(
            `KAIACTL_TEST_SEED=${seed}, file ${at}: lint says ${JSON.stringify(told)}, the audit ${JSON.stringify(found)}\n${conf}${file.text}`,
          );
      }
      const share = (name: keyof Passed) => `${name} ${seen.filter((one) => one[name]).length}`;
      process.stderr.write(
        `${program}: ${seen.length} files, ${wrong.length} differences, ${open} checks left open (${checks.map(share).join(', ')} let in)\n${[...reasons].map(([reason, times]) => `  ${times} times: ${reason}\n`).join('')}`,
      );
      expect(wrong.join('\n\n')).toBe('');
    },
    count * 20_000,
  );
});
