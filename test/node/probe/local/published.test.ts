/** Ports of a container that docker-proxy publishes on this machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forwardsOf, publishedPorts } from '../../../../src/node/probe/local/published.js';

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'kaiactl-published-'));
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

function run(pid: number, words: string, uid = 0): void {
  const folder = join(proc, `${pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cmdline'), `${words.replaceAll(' ', '\0')}\0`);
  writeFileSync(join(folder, 'status'), `Name:\tdocker-proxy\nUid:\t0\t0\t0\t${uid}\nGid:\t0\t0\t0\t0\n`);
}
const proxy = (host: string, container: string, proto = 'tcp') => {
  const end = (side: string, at: string) => {
    const [address, port] = at.split('|');
    return `-${side}-ip ${address} -${side}-port ${port}`;
  };
  return `/usr/bin/docker-proxy -proto ${proto} ${end('host', host)} ${end('container', container)}`;
};
const forwards = () => forwardsOf({ proc, platform: 'linux' });

test('only TCP forwards of root’s docker-proxy count', () => {
  run(5, proxy('0.0.0.0|18551', '172.17.0.2|8551'));
  run(6, `${proxy('::|18551', '172.17.0.2|8551')} -use-listen-fd`);
  run(7, proxy('0.0.0.0|32323', '172.17.0.2|32323', 'udp'));
  run(8, proxy('127.0.0.1|18551', '172.17.0.2|8551'), 1000);
  run(9, proxy('0.0.0.0|0', '172.17.0.2|8551'));
  run(10, '/usr/bin/docker-proxy --version');
  run(11, proxy('0.0.0.0|1', '172.17.0.2|2').replace('docker-proxy', 'other'));
  expect(forwards()).toEqual(
    ['0.0.0.0', '::'].map((address) => ({
      host: { address, port: 18551 },
      container: { address: '172.17.0.2', port: 8551 },
    })),
  );
});

test('a container has the ports that are forwarded to its own addresses', () => {
  run(5, proxy('127.0.0.1|18551', '172.17.0.2|8551'));
  run(6, proxy('0.0.0.0|18552', '172.17.0.3|8552'));
  run(7, proxy('::1|18553', 'fd00::2|8553'));
  const net = join(proc, '20', 'net');
  mkdirSync(net, { recursive: true });
  const trie = (address: string, kind: string) => `        |-- ${address}\n           /32 ${kind}\n`;
  writeFileSync(
    join(net, 'fib_trie'),
    `Local:\n${trie('172.17.0.2', 'host LOCAL')}${trie('172.17.0.3', 'link UNICAST')}`,
  );
  writeFileSync(join(net, 'if_inet6'), 'fd000000000000000000000000000002 02 40 00 80     eth0\n');
  expect(publishedPorts(join(proc, '20'), forwards())).toEqual([
    { inside: 8551, address: '127.0.0.1', port: 18551 },
    { inside: 8553, address: '::1', port: 18553 },
  ]);
  expect(publishedPorts(join(proc, '21'), forwards())).toEqual([]);
});
