/** Chains of hops: who gets to the end of each. */
import { expect, test } from 'vitest';
import { destinationOf, portOf } from '../../../src/node/reach/address.js';
import { accessThrough, either, onMachine } from '../../../src/node/reach/gate.js';
import type { Gate } from '../../../src/node/reach/hop.js';
import { chainsTo, type PlacedHop } from '../../../src/node/reach/solve.js';

let line = 0;
const hop = (
  listens: string,
  to: string,
  gate: Gate = [],
  names: readonly string[] | null = null,
): PlacedHop => {
  line += 1;
  const own = accessThrough({ gate, listens }, onMachine);
  return {
    at: { start: line, end: line },
    program: 'x',
    listens,
    to: destinationOf(to),
    own,
    names,
    place: { file: 'f', line, column: 1, endLine: line, endColumn: 1 },
    ports: [portOf(listens)],
    deniesLocal: false,
  };
};

function told(...hops: readonly PlacedHop[]): string {
  const [last] = hops;
  const chains = last === undefined ? undefined : chainsTo(hops).get(last);
  if (chains === undefined || 'unread' in chains)
    return `? ${chains?.unread.replaceAll(/\(f:\d+\)/g, '(f)')}`;
  const access = chains.map((one) => one.access).reduce(either);
  return `${access.open}${access.withLogin === null ? '' : `, ${access.withLogin} with a login`}`;
}

const login: Gate = [[{ does: 'login', clients: null }]];
const node = '127.0.0.1:8545';

test.each<[string, string, readonly PlacedHop[]]>([
  ['one hop', 'any', [hop('80', node)]],
  ['a socket behind a port', 'any', [hop('unix:/run/a.sock', node), hop('443', 'http://unix:/run/a.sock:/')]],
  [
    'sockets as HAProxy and Caddy write them',
    'any',
    [hop('/run/a.sock', node), hop('127.0.0.1:1', 'unix@/run/a.sock'), hop('80', '127.0.0.1:1')],
  ],
  ['another socket', 'loopback', [hop('unix:/run/a.sock', node), hop('443', 'unix:/run/b.sock')]],
  ['an abstract socket', 'any', [hop('abns@a', node), hop('443', 'abns@a')]],
  [
    'a login in front',
    'loopback, any with a login',
    [hop('127.0.0.1:1', node), hop('80', '127.0.0.1:1', login)],
  ],
  [
    'one way with a login and one without',
    'any',
    [hop('127.0.0.1:1', node), hop('80', '127.0.0.1:1', login), hop('81', '127.0.0.1:1')],
  ],
  ['a container of another name', 'loopback', [hop('127.0.0.1:1', node, [], ['b']), hop('80', 'http://c:1')]],
  ['a container by its name', 'any', [hop('127.0.0.1:1', node, [], ['b', 'c']), hop('80', 'http://c:1')]],
  [
    'a gate that is not read',
    '? x leads to it (f): why',
    [hop('127.0.0.1:1', node), hop('80', '127.0.0.1:1', { unread: 'why' })],
  ],
  [
    'one that is not read before one that everybody reaches',
    'any',
    [hop('80', node), hop('81', '127.0.0.1:80', { unread: 'why' })],
  ],
])('%s: %s', (_, expected, hops) => {
  expect(told(...hops)).toBe(expected);
});

const chainOf = (length: number) =>
  Array.from({ length }, (_, at) =>
    hop(at === length - 1 ? '80' : `127.0.0.1:${at + 1}`, at === 0 ? node : `127.0.0.1:${at}`),
  );

test('a chain of nine is followed, and a longer one is left open', () => {
  expect(told(...chainOf(9))).toBe('any');
  expect(told(...chainOf(10))).toMatch(/^\? .*more than 8 relays lead to each other \(f\)$/);
});

test('a circle is left open', () => {
  const circle = [
    hop('127.0.0.1:1', node),
    hop('127.0.0.1:2', '127.0.0.1:1'),
    hop('127.0.0.1:1', '127.0.0.1:2'),
  ];
  expect(told(...circle)).toMatch(/in a circle/);
});

test('a hop that more than 64 chains lead to says so', () => {
  const outer = Array.from({ length: 64 }, (_, at) => ({
    ...hop(`${80 + at}`, '127.0.0.1:1'),
    changes: { host: `h${at}` },
  }));
  const inner = hop('127.0.0.1:1', node);
  expect(told(inner, ...outer)).toBe('? more than 64 chains of relays lead to it (f)');
  expect(told(inner, ...outer.slice(1))).toBe('any');
});
