import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { reachOf } from '../../../../src/node/facts/reach.js';
import { loadNodes } from '../../load.js';

/** The reach of http and ws of a service with these ports and words, and what is open about it. */
async function reaches(ports: string, words = '') {
  const text = `services:\n  en:\n    image: ethereum/client-go:v1.13.0\n    command: --http --http.addr 0.0.0.0 --ws --ws.addr 0.0.0.0 ${words}\n    ports: [${ports}]\n`;
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  const { nodes } = await loadNodes('-', { stdinFilename: 'compose.yml' }, host);
  const settings = nodes[0]?.conf.settings;
  const of = (name: string) => {
    const found = settings?.listeners.find(({ kind }) => kind === name);
    return found === undefined ? null : reachOf(found).reach;
  };
  return [of('http'), of('ws'), (settings?.missing ?? []).map(({ reason }) => reason).join('; ')];
}

const mayBe = (port: number, name: string) =>
  `compose.yml:5 publishes a port that cannot be known offline: it may be ${port}, the port of ${name}`;
const other = 'the port of http cannot be known offline, and compose.yml:5 publishes ${Q}';
const both = `${mayBe(8545, 'http')}; ${mayBe(8546, 'ws')}`;

test.each([
  ['"${P}:8546"', '', ['private', 'any', '']],
  ['"${IP}:8545:8545"', '', ['any', 'private', '']],
  ['"[::1]:$' + '{P}:8545"', '', ['loopback', 'private', '']],
  ['"127.0.0.1:8545:$' + '{P}"', '', ['private', 'private', both]],
  ['"${P}:$' + '{P}"', '', ['private', 'private', both]],
  ['"${P}:$' + '{P}"', '--http.port $P', ['any', 'private', mayBe(8546, 'ws')]],
  ['"${P}:$' + '{P}"', '--http.port=${P}', ['any', 'private', mayBe(8546, 'ws')]],
  ['{target: "$P"}', '--http.port ${P}', ['any', 'private', mayBe(8546, 'ws')]],
  [
    '"${Q}:$' + '{Q}"',
    '--http.port ${P} --port ${Q}',
    ['private', 'private', `${other}; ${mayBe(8546, 'ws')}`],
  ],
  ['"${Q}:$' + '{Q}", "${P}:$' + '{P}"', '--http.port ${P}', ['any', 'private', mayBe(8546, 'ws')]],
  ['"${P}:8545/udp"', '', ['private', 'private', '']],
  ['{target: 8546, published: "$P"}', '', ['private', 'any', '']],
  ['{target: "$P"}, "8545:8545"', '', ['any', 'private', mayBe(8546, 'ws')]],
  ['"30303:30303", "18545:8545"', '--http.port $P', ['any', 'private', '']],
  [
    '"30303:30303"',
    '--http.port $P',
    [
      'private',
      'private',
      'the port of http cannot be known offline, and compose.yml:5 publishes port 30303',
    ],
  ],
])('ports: [%s] and the words "%s" give the reach of http and ws %j', async (ports, words, expected) => {
  expect(await reaches(ports, words)).toEqual(expected);
});
