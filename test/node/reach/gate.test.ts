/** Who gets through lists of rules. */
import { expect, test } from 'vitest';
import type { Access } from '../../../src/node/facts/hops.js';
import { accessThrough, denied, deniesLocal, login, onMachine } from '../../../src/node/reach/gate.js';
import type { Rules, Step } from '../../../src/node/reach/hop.js';

const admit = (...clients: readonly string[]): Step => ({ does: 'admit', clients });
const deny = (...clients: readonly string[]): Step => ({ does: 'deny', clients });
const others = (step: Step): Step => ({ ...step, others: true });

test.each<[string, readonly Rules[], isDenied: boolean]>([
  ['no list', [], false],
  ['an empty list', [[]], false],
  ['a list that denies everyone', [[denied]], true],
  ['one of two lists that denies everyone', [[], [denied]], true],
  ['a list that admits everyone', [[{ does: 'admit', clients: null }, denied]], false],
  ['a list for nobody', [[others({ does: 'deny', clients: null })]], false],
  ['a login', [[login]], false],
  ['a login before a denial', [[login, denied]], true],
  ['a network', [[admit('10.0.0.0/8', '192.168.0.0/16'), denied]], true],
  ['loopback', [[admit('10.0.0.0/8', '127.0.0.1'), denied]], false],
  ['all but a network', [[others(admit('10.0.0.0/8')), denied]], false],
  ['all but loopback', [[others(admit('127.0.0.1')), denied]], false],
  ['a network that is denied', [[deny('10.0.0.0/8')]], false],
  ['loopback that is denied', [[deny('127.0.0.1')]], false],
  ['all but a network are denied', [[others(deny('10.0.0.0/8'))]], true],
  ['all but loopback are denied', [[others(deny('127.0.0.0/8'))]], false],
  ['all but two networks are denied', [[others(deny('10.0.0.0/8', '127.0.0.1'))]], false],
])('%s denies programs of the same machine: %s', (_, gate, isDenied) => {
  expect(deniesLocal(gate)).toBe(isDenied);
});

test('a list that is not known denies no program of the same machine', () => {
  expect(deniesLocal({ unread: 'x' })).toBe(false);
});

test.each([
  '127.0.0.1',
  '127.1.2.3/32',
  '0.0.0.0/8',
  '::1',
  '::',
  '::/96',
  '::ffff:127.0.0.1',
  '::FFFF:7f00:1',
  '0.0.0.0/0',
  '10.0.0.0/7',
  'fd00::/7',
  'localhost',
  'all',
  'x10.0.0.1',
  '10.0.0.1/8x',
])('%s may be loopback', (client) => {
  expect(deniesLocal([[admit(client), denied]])).toBe(false);
});

test.each([
  '10.0.0.1',
  '10.0.0.0/8',
  '10.0.0.0/9',
  '10.127.0.0/10',
  '100.64.0.0/10',
  '1.127.0.1',
  'fd00::1',
  'FD00::/8',
  'fe80::1/128',
  '::2',
  '2001:db8::1',
])('%s is not loopback', (client) => {
  expect(deniesLocal([[admit(client), denied]])).toBe(true);
});

const own = admit('10.0.0.0/8');
const local = admit('127.0.0.1');

test.each<[string, readonly Rules[], Access]>([
  ['a list that ends without a denial', [[own]], { open: 'any', withLogin: null }],
  [
    'two lists',
    [
      [own, denied],
      [local, denied],
    ],
    { open: 'loopback', withLogin: null },
  ],
  ['a login behind addresses', [[own, login]], { open: 'private', withLogin: 'any' }],
  ['addresses behind a login', [[login, own, denied]], { open: null, withLogin: 'private' }],
  ['two logins', [[login, login]], { open: null, withLogin: 'any' }],
  ['two logins before a denial', [[login, login, denied]], { open: null, withLogin: null }],
  [
    'a login of clients',
    [[{ does: 'login', clients: ['10.0.0.0/8'] }, denied]],
    { open: null, withLogin: null },
  ],
  [
    'a login of others',
    [[others({ does: 'login', clients: ['10.0.0.0/8'] })]],
    { open: 'private', withLogin: 'any' },
  ],
  ['a list and a login', [[own, denied], [login]], { open: null, withLogin: 'private' }],
  [
    'a login or addresses, and a list',
    [
      [own, login],
      [local, denied],
    ],
    { open: 'loopback', withLogin: null },
  ],
  [
    'a login or addresses, twice',
    [
      [own, login],
      [local, login],
    ],
    { open: 'loopback', withLogin: 'any' },
  ],
  ['a denial before others', [[denied, own]], { open: null, withLogin: null }],
  ['no client', [[denied], [own]], { open: null, withLogin: null }],
])('%s admits its clients', (_, gate, access) => {
  expect(accessThrough({ gate, listens: '0.0.0.0:80' }, onMachine)).toEqual(access);
});

test.each([
  [null, 'any'],
  ['80', 'any'],
  [':80', 'any'],
  ['127.0.0.1:80', 'loopback'],
  ['10.0.0.4:8000-8010', 'private'],
  ['10.0.0.4', 'private'],
  ['[fd00::1]:80', 'private'],
])('who reaches %s gets through without a rule', (listens, open) => {
  expect(accessThrough({ gate: [], listens }, onMachine)).toEqual({ open, withLogin: null });
});

test.each<[string, Step['does'], readonly Step[], Access]>([
  ['addresses that are admitted', 'admit', [denied], { open: 'private', withLogin: null }],
  ['addresses that log in', 'login', [], { open: 'any', withLogin: null }],
])('a list of 12,000 %s takes a step for each', (_, does, rest, access) => {
  let asked = 0;
  const where = {
    ...onMachine,
    reachOfClients: (clients: readonly string[]) => {
      asked += 1;
      return onMachine.reachOfClients(clients);
    },
  };
  const rules = Array.from({ length: 12_000 }, (__, at) => ({
    does,
    clients: [`10.${at >> 8}.${at & 255}.0/24`],
  }));
  expect(accessThrough({ gate: [[...rules, ...rest]], listens: '*:80' }, where)).toEqual(access);
  expect(asked).toBe(12_000);
});
