/**
 * Generated starts of geth against the rpc_modules of its interfaces. GETH names the program, whose release decides which
 * flags a start has: `GETH=geth npm run test:geth -- 5000` makes one start for 50 of the count. A start opens a port for peers: run it in a network of
 * its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { plainAddress } from '../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../src/jsonrpc/endpoint.js';
import type { Listener } from '../../src/node/facts/settings.js';
import { geth } from '../../src/node/kinds/geth/index.js';
import { formerNames } from '../../src/node/kinds/geth/names.js';
import { kinds } from '../../src/node/kinds/index.js';
import { probesOf } from '../../src/node/probe/probes/index.js';
import { probeEndpoint } from '../../src/node/probe/run.js';
import { settingsOfWords } from '../../src/node/sources/argv/node.js';
import { gethOf, gethSettings } from '../node/sources/geth.js';
import { Random } from '../node/sources/random.js';
import { freePort } from '../peers/free-port.js';
import { seed } from '../seed.js';

const program = process.env.GETH ?? '';
const count = Math.ceil(Number(process.env.KAIACTL_TEST_GETH ?? 0) / 50);
const kind = program === '' ? geth : gethOf(program);
const flags = kind.flags.of('geth');
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-geth-starts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const names = 'eth net web3 admin debug txpool miner personal les testing dev engine rpc'.split(' ');
const odd = ['', 'ETH', 'shh', 'nosuch'];

function listOf(random: Random): string {
  const many = random.below(4);
  return Array.from({ length: many }, () => random.pick(random.chance(0.8) ? names : odd)).join(',');
}

async function wordsOf(random: Random, http: number, ws: number): Promise<string[]> {
  const one = (name: string, port: number) => [
    ...(random.chance(0.8) ? [flagOf(random, name)] : []),
    ...(random.chance(0.7) ? [`${flagOf(random, `${name}.api`)}=${listOf(random)}`] : []),
    `${flagOf(random, `${name}.port`)}=${port}`,
  ];
  const shared = random.chance(0.2);
  return [...(random.chance(0.4) ? ['--dev'] : []), ...one('http', http), ...one('ws', shared ? http : ws)];
}

/** The flag under one of the names that the release has for it. */
function flagOf(random: Random, name: string): string {
  const all = [name, formerNames[name] ?? name].filter((one) => flags.byName.has(one));
  return `--${random.pick(all)}`;
}

/** Modules of the chain, of which the settings do not tell. */
const ofChain = ['clique', 'ethash'];

/** An empty list of v1.9.16 to v1.10.19 offers the parts of these that only read: no module of the settings. */
const halves = ['admin', 'debug'];

/** The names that the settings tell of those that rpc_modules lists. */
function told({ listed, modules }: Listener, names: readonly string[]): readonly string[] {
  const isPublic = modules?.includes('txpool') === true && listed?.every(({ name }) => name === '') === true;
  const left = isPublic ? [...ofChain, ...halves] : ofChain;
  return names.filter((name) => !left.includes(name) || modules?.includes(name) === true);
}

/** The modules that a start offers; null: the interface is closed. */
async function offered(listener: Listener): Promise<readonly string[] | null> {
  const address = parseEndpoint(`${listener.kind}://127.0.0.1:${listener.port}`);
  const { modules } = await probeEndpoint({
    address,
    source: 'argument',
    options: plainAddress,
    depth: 'none',
    probes: probesOf(kinds),
    signal: new AbortController().signal,
  } as const);
  return modules.state === 'seen' ? told(listener, Object.keys(modules.value).sort()) : null;
}

if (program === '') process.stderr.write('SKIPPED: starts of geth: GETH names no program\n');

test.skipIf(program === '' || count === 0)(
  'a start offers what its settings say',
  { timeout: 0 },
  async () => {
    const random = new Random(seed);
    const wrong: unknown[] = [];
    let open = 0;
    for (let at = 0; at < count; at += 1) {
      const words = await wordsOf(random, await freePort(), await freePort());
      const { listeners } = settingsOfWords(gethSettings('', '', words, kind));
      const data = join(folder, `${at}`);
      const own = ['--datadir', data, '--nodiscover', '--maxpeers=0', '--nat=none', '--port=0'];
      const engine = flags.byName.has('authrpc.port') ? ['--authrpc.port=0'] : [];
      const node = spawn(program, [...own, ...engine, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {},
      });
      for await (const line of createInterface(node.stderr)) if (/IPC endpoint opened/.test(line)) break;
      node.stderr.resume();
      for (const listener of listeners.filter(({ kind }) => kind === 'http' || kind === 'ws')) {
        const ours = listener.state === 'on' ? listener.modules : null;
        let theirs = await offered(listener);
        // The socket opens before the other interfaces.
        for (let left = 100; left > 0 && theirs === null && ours !== null; left -= 1) {
          await setTimeout(50);
          theirs = await offered(listener);
        }
        if (theirs !== null) open += 1;
        if (JSON.stringify(theirs) !== JSON.stringify(ours))
          wrong.push({ words, kind: listener.kind, ours, theirs });
      }
      node.kill('SIGKILL');
      await once(node, 'exit');
      // A data folder takes hundreds of megabytes.
      rmSync(data, { recursive: true });
    }
    process.stderr.write(
      `${kind.release.id}: ${count} starts, ${open} open interfaces compared, ${wrong.length} wrong\n`,
    );
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(open).toBeGreaterThan(count / 2);
  },
);
