/** Files of facts: what of them is masked, and which documents hold none. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { maskedFacts, readFacts, saveFacts } from '../../../src/node/commands/saved-facts.js';
import type { Facts } from '../../../src/node/facts/facts.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-facts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const host = { cwd: folder } as never;
const masked = (value: unknown) => maskedFacts(value as never);

test.each<[unknown, unknown]>([
  ['eth', 'eth'],
  ['https://a:secret@b', 'https://********@b'],
  [
    { DB_PASSWORD: 'xyz', RPC_API: 'eth' },
    { DB_PASSWORD: '***', RPC_API: 'eth' },
  ],
  [
    { a: null, b: 1, c: true, d: [] },
    { a: null, b: 1, c: true, d: [] },
  ],
  [
    { variable: 'DB_PASSWORD', value: 'xyz', at: 'kend.conf' },
    { variable: 'DB_PASSWORD', value: '***', at: 'kend.conf' },
  ],
  [
    { DB_PASSWORD: { value: 'xyz', origin: 'abc', shadowed: [{ value: 'old' }] } },
    { DB_PASSWORD: { value: '***', origin: 'abc', shadowed: [{ value: '***' }] } },
  ],
  [
    { variable: 'RPC_API', value: 'eth' },
    { variable: 'RPC_API', value: 'eth' },
  ],
  [{ lines: ['A=1', 'DB_PASSWORD=abcdefgh'] }, { lines: ['A=1', 'DB_PASSWORD=********'] }],
  [
    { all: [{ DB_PASSWORD: 'xyz' }, 'DB_PASSWORD=abcdefgh'] },
    { all: [{ DB_PASSWORD: '***' }, 'DB_PASSWORD=********'] },
  ],
  [{ all: ['a\nb', 'https://a:secret@b'] }, { all: ['a\nb', 'https://********@b'] }],
  [
    { start: [{ text: '--nodekeyhex', at: 1 }, { text: 'c0ffee' }, { text: null }, { text: '--rpc' }] },
    { start: [{ text: '--nodekeyhex', at: 1 }, { text: '******' }, { text: null }, { text: '--rpc' }] },
  ],
])('%j is saved as %j', (value, saved) => {
  expect(masked(value)).toEqual(saved);
});

async function* these(...targets: unknown[]) {
  yield* targets;
}

test('a file of facts is one JSON document for its owner, and one that cannot be written is an error', async () => {
  for (const targets of [[], [{ a: [1] }], [{ a: 1 }, { b: '\n' }]]) {
    await saveFacts('saved.json', these(...targets), host);
    expect(JSON.parse(readFileSync(join(folder, 'saved.json'), 'utf8'))).toEqual({
      schema: 'kaiactl/facts-1',
      targets,
    });
  }
  expect(readFileSync(join(folder, 'saved.json'), 'utf8')).toBe(
    '{\n "schema": "kaiactl/facts-1",\n "targets": [\n  {\n   "a": 1\n  },\n  {\n   "b": "\\n"\n  }\n ]\n}\n',
  );
  expect(statSync(join(folder, 'saved.json')).mode & 0o777).toBe(0o600);
  await expect(saveFacts('no/such', these(), host)).rejects.toThrow('cannot write the facts to no/such');
});

describe('a document', () => {
  const load = async (document: unknown) => {
    writeFileSync(join(folder, 'f.json'), JSON.stringify(document));
    const all: Facts[] = [];
    for await (const one of readFacts('f.json', host)) all.push(one);
    return all;
  };
  const saved = new URL('../../../fixtures/version-1/facts.json', import.meta.url).pathname;
  const whole = () => JSON.parse(readFileSync(saved, 'utf8'));
  /** The document with one value replaced, or removed. */
  function changed(path: string, value?: unknown) {
    const document = whole();
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const at = keys.reduce((one, key) => one[key], document.targets[1]);
    if (value === undefined) delete at[last];
    else at[last] = value;
    return document;
  }

  test('of this version loads', async () => {
    const { targets } = whole();
    expect((await load(whole())).map(({ name }) => name)).toEqual(
      targets.map(({ name }: { name: string }) => name),
    );
    expect(await load({ schema: 'kaiactl/facts-1', targets: [] })).toEqual([]);
    for (const [path, value] of [
      ['conf', null],
      ['live', null],
      ['conf.value.shell', null],
      ['conf.value.settings.start', null],
      ['conf', { state: 'not-seen', code: 'unreadable', detail: 'x' }],
      ['live.process', { state: 'not-seen', code: 'not-found', detail: 'x' }],
    ] as const)
      expect([path, (await load(changed(path, value))).length]).toEqual([path, 2]);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['no schema', { targets: [] }],
    ['another schema', { schema: 'kaiactl/facts-2', targets: [] }],
    ['no targets', { schema: 'kaiactl/facts-1', targets: {} }],
    ['a target that is none', { schema: 'kaiactl/facts-1', targets: [1] }],
    ...[
      'name',
      'gatheredAt',
      'conf',
      'live',
      'live.process',
      'live.endpoints.0.endpoint',
      'live.endpoints.0.sent',
      'conf.value',
    ].map((path): [string, unknown] => [`no ${path}`, changed(path)]),
    ...[
      'kind',
      'source',
      'source.lines',
      'source.comments',
      'source.multiline',
      'listeners',
      'problems',
      'values',
      'keys',
    ].map((name): [string, unknown] => [`no ${name}`, changed(`conf.value.settings.${name}`, 5)]),
    ...['assignments', 'syntaxIssues', 'indeterminate', 'reads', 'exported', 'variables'].map(
      (name): [string, unknown] => [`no ${name}`, changed(`conf.value.shell.${name}`, 5)],
    ),
    ['a command line that is no list', changed('conf.value.settings.start', 5)],
    ['endpoints that are no list', changed('live.endpoints', 5)],
    ['methods that are no record', changed('live.endpoints.0.methods', 5)],
    ['a method that is not seen or unseen', changed('live.endpoints.0.methods', { x: 5 })],
    ['modules without a state', changed('live.endpoints.0.modules', {})],
    ['modules seen without a value', changed('live.endpoints.0.modules', { state: 'seen' })],
    ['modules seen as null', changed('live.endpoints.0.modules', { state: 'seen', value: null })],
    ['a conf that is not seen, without its code', changed('conf', { state: 'not-seen', detail: 'x' })],
    ['a conf that is not seen, without its detail', changed('conf', { state: 'not-seen', code: 'x' })],
    ['a metrics port without its facts', changed('live.metrics', [{}])],
    ['metrics that are no list', changed('live.metrics', 5)],
  ])('with %s holds no facts', async (_, document) => {
    await expect(load(document)).rejects.toMatchObject({
      message: 'f.json does not hold facts of --save-facts',
      hint: 'Write them with kaiactl node audit … --save-facts FILE.',
    });
  });

  test('with a release that is not known is refused, wherever it stands', async () => {
    const document = changed('conf.value.settings.more', [
      { deep: { since: 'kaia/v99.0.0', until: 'kaia/v99.1.0' } },
    ]);
    await expect(load(document)).rejects.toMatchObject({
      message: 'f.json holds facts of kaia/v99.0.0, a release that is not known here',
      hint: 'Judge them with a version of kaiactl that is as new as the one that saved them.',
    });
    const one = changed('conf.value.settings.more', [{ since: 'kaia/v99.0.0' }, { until: 'x' }]);
    expect(await load(one)).toHaveLength(2);
  });
});
