/** Clients of the machine that are no judged kind of node: named with what they open, and sent nothing. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unjudgedProcesses } from '../../../src/node/commands/unjudged-processes.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { machineOf } from '../../../src/node/probe/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-unjudged-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hexOf: Readonly<Record<string, string>> = {
  '127.0.0.1': '0100007F',
  '0.0.0.0': '00000000',
  '10.0.0.4': '0400000A',
};

/** A made-up /proc of processes with these words, each with sockets `address:port`; null: they cannot be read. */
function machine(...processes: readonly (readonly [words: string, sockets: readonly string[] | null])[]) {
  let inode = 100;
  for (const [at, [words, sockets]] of processes.entries()) {
    const own = join(folder, `${at + 2}`);
    mkdirSync(join(own, 'net'), { recursive: true });
    writeFileSync(join(own, 'cmdline'), `${words.split(' ').join('\0')}\0`);
    if (sockets !== null) mkdirSync(join(own, 'fd'));
    const lines = (sockets ?? []).map((socket, fd) => {
      const [address = '', port] = socket.split(':');
      inode += 1;
      symlinkSync(`socket:[${inode}]`, join(own, 'fd', `${fd}`));
      const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
      return ` 0: ${hexOf[address]}:${hex} 00000000:0000 0A 0:0 0:0 0 0 0 ${inode}`;
    });
    writeFileSync(join(own, 'net', 'tcp'), `head\n${lines.join('\n')}\n`);
  }
  const { targets, notes } = unjudgedProcesses(machineOf({ proc: folder, platform: 'linux', kinds }));
  return {
    notes,
    open: targets.map(({ name, open }) => [name, open?.signs?.[0]?.subject, open?.signs?.[0]?.reason]),
  };
}

test.each([
  ['ethrex --datadir /srv/e', ['127.0.0.1:8545', '0.0.0.0:9090'], 'ethrex (/srv/e)', 'ethrex@any'],
  ['/usr/bin/lighthouse bn --http', ['10.0.0.4:5052'], 'lighthouse', 'lighthouse'],
  ['node /app/node_modules/.bin/hardhat node', ['0.0.0.0:8545'], 'hardhat (node)', 'hardhat@any'],
  ['node /a/node_modules/hardhat/cli.js node', ['0.0.0.0:8545'], 'hardhat (node)', 'hardhat@any'],
  ['dist/beacon-chain-v5.0.3-linux-amd64', ['0.0.0.0:3500'], /^prysm /, 'prysm beacon-chain@any'],
  ['java -cp /opt/x org.hyperledger.besu.Besu', ['0.0.0.0:8545'], 'besu (java)', 'besu@any'],
  ['java -Xmx4g -jar /opt/teku-24.1.jar', ['0.0.0.0:5051'], 'teku (java)', 'teku@any'],
  ['ethrex --http.api admin,eth', ['0.0.0.0:8545'], 'ethrex', 'ethrex@any+admin'],
  ['./el --rpc-http-host=0.0.0.0', ['0.0.0.0:8545'], 'besu (el)', 'besu@any'],
  ['anvil', ['0.0.0.0:4000'], 'anvil', 'anvil@any'],
])('%s with sockets %j is an open question', (words, sockets, name, subject) => {
  const { open, notes } = machine([words, sockets]);
  expect(notes).toEqual([]);
  expect(open).toMatchObject([
    [
      typeof name === 'string' ? name : expect.stringMatching(name),
      subject,
      expect.stringContaining(` · not judged. If it is meant: `),
    ],
  ]);
  for (const socket of sockets.filter((one) => !one.startsWith('127.')))
    expect(open[0]?.[2]).toContain(socket);
});

test.each([
  ['ethrex', ['127.0.0.1:8545', '0.0.0.0:30303'], 'runs here, on loopback only'],
  ['lighthouse bn --http --port 19000', ['127.0.0.1:5052', '0.0.0.0:19000'], 'runs here, on loopback only'],
  ['ethrex', ['0.0.0.0:30303'], 'runs here, and opens no interface'],
  ['ethrex', null, 'runs here, on loopback only'],
])('%s with sockets %j is a note', (words, sockets, said) => {
  const { open, notes } = machine([words, sockets]);
  expect(open).toEqual([]);
  expect(notes).toEqual([expect.stringContaining(said)]);
});

test.each([
  ['reth db stats', []],
  ['docker run ghcr.io/erigontech/erigon --private.api.addr=0.0.0.0:9090', []],
  ['tail -f reth.log', []],
  ['nginx -g daemon', ['0.0.0.0:8545', '0.0.0.0:9090', '0.0.0.0:30303']],
])('%s with sockets %j is no client: a port alone identifies no client', (words, sockets) => {
  expect(machine([words, sockets])).toEqual({ open: [], notes: [] });
});

test('a launcher with the words of the process that it started is not named beside it', () => {
  const { open, notes } = machine(
    ['npx hardhat node --hostname 0.0.0.0', []],
    ['node /app/.bin/hardhat node --hostname 0.0.0.0', ['0.0.0.0:8545']],
  );
  expect(open).toHaveLength(1);
  expect(notes).toEqual([]);
});

test('two processes of one client have distinct names that survive a restart', () => {
  const { open } = machine(['ethrex', ['0.0.0.0:8545']], ['ethrex --network x', ['0.0.0.0:8645']]);
  expect(open.map(([name]) => name)).toEqual(['ethrex :8545', 'ethrex :8645']);
});

test('unreadable sockets are reported, and the command line is used instead', () => {
  const { open } = machine(['ethrex --http.addr 0.0.0.0', null]);
  expect(open).toMatchObject([
    [
      'ethrex',
      'ethrex@any',
      expect.stringContaining('its sockets cannot be read: run as root or as its user'),
    ],
  ]);
});
