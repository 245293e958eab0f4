/** The networks of a service, and which ports they publish. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { reachOf } from '../../../../src/node/facts/reach.js';
import { loadNodes } from '../../load.js';

/** Who reaches the http interface of the service `en`, whose port is published on loopback. */
async function reach(service: string, rest = '') {
  const text = `services:\n  en:\n    command: ken --rpc --rpcaddr 0.0.0.0\n    ports: ["127.0.0.1:8551:8551"]\n${service}${rest}`;
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  const { nodes } = await loadNodes('-', { stdinFilename: 'compose.yml' }, host);
  const http = nodes[0]?.conf.settings.listeners.find(({ kind }) => kind === 'http');
  return http === undefined ? null : reachOf(http).reach;
}

const networks = (body: string, name = 'n') => `networks:\n  ${name}:\n${body}`;
const onN = '    networks: [n]\n';
const unprotected = '    driver_opts: {com.docker.network.bridge.gateway_mode_ipv4: nat-unprotected}\n';
const subnet = (range: string) => `    ipam: {config: [{subnet: ${range}}]}\n`;

describe('a service whose port is published on loopback is reached through its networks', () => {
  test.each([
    ['none that opens it', onN, networks('    driver: bridge\n'), 'loopback'],
    ['an external network named host', onN, networks('    external: true\n    name: host\n'), 'any'],
    ['the older form of it', onN, networks('    external: {name: host}\n'), 'any'],
    [
      'an external network with the key host',
      '    networks: [host]\n',
      networks('    external: true\n', 'host'),
      'any',
    ],
    [
      'a network of the project with the key host',
      '    networks: [host]\n',
      networks('    driver: bridge\n', 'host'),
      'loopback',
    ],
    ['the default network', '', networks('    external: true\n    name: host\n', 'default'), 'any'],
    [
      'a network that the service does not use',
      onN,
      `${networks('    driver: bridge\n')}  other:\n    driver: macvlan\n`,
      'loopback',
    ],
    ['macvlan', onN, networks('    driver: macvlan\n'), 'private'],
    [
      'macvlan with public addresses',
      onN,
      networks(`    driver: macvlan\n${subnet('203.0.113.0/24')}`),
      'any',
    ],
    [
      'ipvlan in a map',
      '    networks: {n: {ipv4_address: 10.0.0.9}}\n',
      networks(`    driver: ipvlan\n${subnet('10.0.0.0/24')}`),
      'private',
    ],
    ['nat-unprotected', onN, networks(unprotected), 'private'],
    ['nat', onN, networks(unprotected.replace('nat-unprotected', 'nat')), 'loopback'],
    ['routed', onN, networks(unprotected.replace('nat-unprotected', 'routed')), 'private'],
    ['one of two networks', '    networks: [a, n]\n', `${networks(unprotected)}  a: {}\n`, 'private'],
    [
      'network_mode, which replaces networks',
      '    network_mode: none\n',
      networks('    driver: macvlan\n'),
      'loopback',
    ],
    ['net of version 1', '    net: host\n', '', 'any'],
  ])('%s', async (_, service, rest, expected) => {
    expect(await reach(service, rest)).toBe(expected);
  });
});

describe('a service that uses the network of another one is reached as that one', () => {
  const gate = (ports: string) => `  gate:\n    image: x\n    container_name: front\n${ports}`;
  test.each([
    ['service:gate', gate('    ports: ["8551:8551"]\n'), 'any'],
    ['container:front', gate('    ports: ["8551:8551"]\n'), 'any'],
    ['service:gate', gate('    network_mode: host\n'), 'any'],
    ['service:gate', gate('    ports: ["127.0.0.1:1:8551"]\n'), 'loopback'],
    ['service:gate', gate('    ports: ["8545:8545"]\n'), 'private'],
    ['service:en', '', 'loopback'],
  ])('%s: %j', async (mode, rest, expected) => {
    expect(await reach(`    network_mode: ${mode}\n`, rest)).toBe(expected);
  });
});
