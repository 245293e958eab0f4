/** What rules say of keys on disk, of what is listed and not there, and of what nobody knows. */
import { describe, expect, test } from 'vitest';
import { exampleFacts } from '../../../src/node/commands/example.js';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { EndpointFacts, LiveFacts } from '../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Settings } from '../../../src/node/facts/settings.js';
import type { Span } from '../../../src/node/facts/span.js';
import { badNode, quietSettings } from '../../../src/node/judge/live-examples.js';
import { confOf, outcomeOf, sentencesOf } from './outcome.js';

const late = notSeen('timeout', 'x');
const http = quietSettings.listeners[0]!;
function node(change: Partial<EndpointFacts>, settings?: Settings, live?: Partial<LiveFacts>): Facts {
  const example = badNode('', change, settings, live);
  if (!('facts' in example)) throw new Error('no facts');
  return example.facts;
}
const at = { file: 'kend.conf', line: 2, column: 10, endLine: 2, endColumn: 27 };
const mods = (...n: string[]) => ({ modules: seen(Object.fromEntries(n.map((x) => [x, '1.0']))) });
const settings = (over: Partial<Settings>): Settings => ({ ...quietSettings, ...over });
const listedAdmin = [...(http.listed ?? []), { name: 'admin', at }, { name: 'klay', at }];

test.each<[string, string, Facts, string[]]>([
  [
    'loose-permissions',
    'a key that all read',
    node(
      {},
      settings({
        secretFiles: [{ path: '/d/nodekey', mode: 0o644, flag: 'nodekey', holds: 'the node’s key' }],
      }),
    ),
    ['fail', 'medium /d/nodekey at 1:1 · {"path":"/d/nodekey","mode":"0644"}'],
  ],
  [
    'loose-permissions',
    'a key that the group writes',
    node(
      {},
      settings({
        secretFiles: [{ path: '/d/nodekey', mode: 0o620, flag: 'nodekey', holds: 'the node’s key' }],
      }),
    ),
    ['fail', 'high /d/nodekey at 1:1 · {"path":"/d/nodekey","mode":"0620"}'],
  ],
  [
    'loose-permissions',
    'a key of its user',
    node(
      {},
      settings({
        secretFiles: [{ path: '/d/nodekey', mode: 0o600, flag: 'rpcapi', holds: 'the node’s key' }],
      }),
    ),
    ['pass'],
  ],
  [
    'latent-module',
    'listed and not offered',
    node(
      mods('kaia', 'eth', 'net', 'web3'),
      settings({
        listeners: [
          { ...http, listed: listedAdmin, modules: ['admin', 'eth', 'kaia', 'net', 'rpc', 'web3'] },
        ],
      }),
    ),
    [
      'fail',
      'medium http admin at 2:10 · {"interface":"http","module":"admin"} · beside http://127.0.0.1:8551',
    ],
  ],
  [
    'latent-module',
    'listed nowhere in particular',
    node(
      mods('kaia', 'eth', 'net', 'web3'),
      settings({
        listeners: [{ ...http, listed: null, modules: ['admin', 'eth', 'kaia', 'net', 'rpc', 'web3'] }],
      }),
    ),
    ['pass'],
  ],
  ['latent-module', 'late', node({ modules: late }, quietSettings), ['pass']],
  ['foreign-node', 'nobody asked', node({}, undefined, { endpoints: [] }), ['not-applicable']],
  [
    'foreign-node',
    'a name within another',
    node({ client: seen('NotKaia/v1'), ...mods('eth') }),
    ['fail', 'medium http://127.0.0.1:8551 at http://127.0.0.1:8551 · {"client":"NotKaia/v1"}'],
  ],
  ['missing-module', 'nothing there', node({}, quietSettings, { endpoints: [] }), ['not-applicable']],
  ['undeclared-module', 'nothing there', node({}, quietSettings, { endpoints: [] }), ['not-applicable']],
  ['accounts-listed', 'left out', node({ accounts: notSeen('left-out', 'x') }), ['not-applicable']],
  [
    'unlocked-account',
    'a mainbridge apart',
    confOf([
      'RPC_ENABLE=1',
      'RPC_ADDR=10.0.0.1',
      'RPC_API="net"',
      'ADDITIONAL="--mainbridge --unlock 0x71562b71999873db5b286df957af199ec94617f7"',
    ]),
    ['fail', 'critical --unlock at 6:35 · {"interfaces":["mainbridge"],"reach":"any"}'],
  ],
  [
    'unlocked-account',
    'pages',
    confOf([
      'RPC_ENABLE=1',
      'RPC_API="eth"',
      'RPC_CORSDOMAIN="*"',
      'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7"',
    ]),
    ['fail', 'critical --unlock at 6:22 · {"interfaces":["http"],"reach":"any"}'],
  ],
  [
    'unlocked-account',
    'an unknown list',
    confOf([
      'RPC_ENABLE=1',
      'RPC_API=$(x)',
      'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7"',
    ]),
    ['fail', 'medium --unlock at 5:22 · {"interfaces":["http"],"reach":"loopback"}'],
  ],
  ['replaced-program', 'taken away again', confOf(['BIN=/opt/y', 'unset BIN']), ['pass']],
  ['replaced-program', 'unknown', confOf(['BIN=$(x)']), ['fail', 'high BIN at 3:1 · {"value":null}']],
  ['second-source', 'no words', node({}, settings({ start: null })), ['not-applicable']],
  [
    'implicit-modules',
    'an empty list',
    confOf(['RPC_ENABLE=1', 'RPC_API=""']),
    [
      'fail',
      'info http at 4:9 · {"interface":"http","modules":["eth","kaia","net","web3"],"reach":"loopback"} · 4:9-4:11 "\\"klay,eth,net,web3\\""',
    ],
  ],
  [
    'malformed-assignment',
    'a kind with several',
    confOf(['if x', 'RPC_ENABLE=1']),
    ['fail', 'medium syntax-error at 5:1 · {"kind":"syntax-error","count":1}'],
  ],
  ['unread-setting', 'empty', confOf(['SC_SUB_BRIDGE=']), ['pass']],
  [
    'homi-leftover',
    'six above',
    confOf([...[1, 2, 3, 4, 5, 6].map(() => 'RPC_PORT=1'), '# docker-compose', 'RPC_PORT=2']),
    ['fail', 'medium docker-compose at 9:1 · 3:1-10:1 "" · beside 3:1, 4:1, 5:1, 6:1, 7:1'],
  ],
  [
    'homi-leftover',
    'one of two plain',
    confOf(['# docker-compose', 'RPC_ENABLE=1', 'WS_ENABLE=$(x)']),
    ['fail', 'medium docker-compose at 3:1 · 3:1-5:1 ""'],
  ],
  [
    'opaque-value',
    'the same twice in a line',
    confOf(['if [ -f /x ]; then RPC_PORT=$(x); else RPC_PORT=$(y); fi']),
    ['fail', 'medium RPC_PORT at 3:29 · {"reason":"it is the output of a command"}'],
  ],
  [
    'privileged-module',
    'grpc alone',
    node({}, settings({ listeners: [] }), {
      endpoints: [],
      grpc: [{ url: 'http://10.0.0.1:8553', source: 'conf', listening: late, bind: late }],
    }),
    ['undetermined', '? timeout grpc http://10.0.0.1:8553'],
  ],
  [
    'undeclared-interface',
    'open and unknown',
    node({}, settings({ listeners: [{ ...http, state: 'unknown' }] })),
    ['pass'],
  ],
])('%s: %s', (rule, _, facts, said) => {
  expect(outcomeOf(rule, facts)).toEqual(said);
});

describe('another source', () => {
  const unknown = (kind: 'yaml' | 'default', indeterminate: string | null) => ({
    value: null,
    origin: kind === 'yaml' ? { kind, path: '/x', at: null } : { kind },
    shadowed: [],
    indeterminate,
  });
  const started = (text: string | null, values: Settings['values'], place: Span | null = at) =>
    outcomeOf(
      'second-source',
      node(
        {},
        settings({
          start: [
            { text: '--a', variable: null, at },
            { text, variable: null, at: place },
            { text: '/x', variable: null, at },
          ],
          values,
        }),
      ),
    )[0];
  test.each<[string, string, string | null, Settings['values'], Span | null]>([
    ['fail', 'apart', '--conf', { ws: unknown('yaml', 'not read') }, at],
    ['fail', 'with one dash', '-conf', { ws: unknown('yaml', 'not read') }, at],
    ['not-applicable', 'that was read', '--conf', { ws: unknown('yaml', null) }, at],
    ['not-applicable', 'that leaves nothing open', '--conf', { ws: unknown('default', 'a word') }, at],
    ['not-applicable', 'of another name', '--config', { ws: unknown('yaml', 'not read') }, at],
    ['not-applicable', 'that nobody names', null, { ws: unknown('yaml', 'not read') }, at],
    ['not-applicable', 'that stands nowhere', '--conf', { ws: unknown('yaml', 'not read') }, null],
  ])('%s: one %s', (verdict, _, text, values, place) => {
    expect(started(text, values, place)).toBe(verdict);
  });
});

test.each([
  ['kcn', '0', null],
  ['kcn', '00', null],
  ['kcn', '2', 'off'],
  ['kend', 'true', 'off'],
] as const)('%s takes a switch of %s: %j', (binary, value, taken) => {
  const launcher = binary === 'kcn' ? 'kcnd' : 'kend';
  const conf = `RPC_ENABLE=${value}\nNETWORK="mainnet"\nDATA_DIR=/srv/k\n`;
  const [verdict, finding] = outcomeOf('ineffective-switch', exampleFacts({ conf, launcher }));
  expect([
    verdict,
    finding?.includes('"on":true') === true ? 'on' : finding === undefined ? null : 'off',
  ]).toEqual([taken === null ? 'pass' : 'fail', taken]);
});

test('of very many settings nobody reads the first are told', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `QQQQQQ_${n}=1`);
  const told = outcomeOf('unknown-setting', confOf(lines(500))).length;
  expect(told).toBeLessThan(500);
  expect(outcomeOf('unknown-setting', confOf(lines(5)))).toHaveLength(6);
});

test('of very many files that hold secrets twenty are told', () => {
  const secretFiles = Array.from({ length: 21 }, (_, at) => ({
    path: `/d/${at}`,
    mode: 0o604,
    flag: 'rpcapi',
    holds: 'k',
  }));
  expect(outcomeOf('loose-permissions', node({}, settings({ secretFiles })))).toHaveLength(21);
});

/** What is said of the first and not of the other. */
test.each<[string, RegExp, Facts, Facts]>([
  ['unread-setting', /SC_MAIN_BRIDGE is/, confOf(['MAIN_BRIDGE=1']), confOf(['SC_SUB_BRIDGE=1'])],
  ['unread-setting', /No launcher/, confOf(['MAIN_BRIDGE=1']), confOf(['SC_SUB_BRIDGE=1'])],
  ['unread-setting', /does not read/, confOf(['SC_SUB_BRIDGE=1']), confOf(['MAIN_BRIDGE=1'])],
  [
    'overriding-flag',
    /earlier/,
    confOf(['ADDITIONAL="--rpcport 1 --rpcport 2"']),
    confOf(['RPC_ENABLE=0', 'ADDITIONAL="--rpc"']),
  ],
  ['replaced-program', /not be known|cannot be known/, confOf(['BIN=$(x)']), confOf(['BIN=/opt/y'])],
  ['opaque-value', /plain assignments/, confOf(['. ./x']), confOf(['RPC_PORT=$(x)'])],
])('%s says %s where it holds', (id, words, facts, other) => {
  expect(sentencesOf(id, facts)).toMatch(words);
  expect(sentencesOf(id, other)).toMatch(/./);
  expect(sentencesOf(id, other)).not.toMatch(words);
});
