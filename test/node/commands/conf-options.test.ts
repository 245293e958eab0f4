import { expect, test } from 'vitest';
import { KaiactlError } from '../../../src/errors.js';
import {
  knownVersion,
  readAssumedReach,
  readConfOptions,
  seenOrUnreadable,
} from '../../../src/node/commands/conf-options.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { run } from '../../cli/run.js';

test('variables are those of every --env, the last of a name', () => {
  expect(
    readConfOptions({ env: ['A=1', 'B_2=x=y\nz', 'A=', '_=0'], nodeVersion: 'v1.12.1' }, kinds),
  ).toMatchObject({
    env: { A: '', B_2: 'x=y\nz', _: '0' },
    nodeVersion: 'v1.12.1',
  });
  expect(readConfOptions({}, kinds).env).toEqual({});
});

test.each(['A', '=x', '1A=x', 'A-B=secret', ' A=secret'])(
  '--env %j is refused without its value',
  (given) => {
    expect(() => readConfOptions({ env: [given] }, kinds)).toThrow(
      /^--env [^=]*(?:=…)?: write it as NAME=value$/,
    );
  },
);

test.each(['v1.12.1', '1.12.1', 'kaia/v1.0.3', 'geth/v1.9.0'])('%s is a version', (text) => {
  expect(knownVersion(kinds, text)).toBe(text);
});

test.each(['kend', 'geth'])(
  'a series that %s does not have is judged as a release that is not known',
  async (name) => {
    const { out } = await run([
      'node',
      'lint',
      '--command-line',
      `${name.replace('kend', 'ken')} --ipcdisable`,
      '--node-version',
      '9.9',
    ]);
    expect(out.replace(/\s+/g, ' ')).toMatch(/ v9\.9\.0 \(judged as (?:kaia v2|geth v1)\./);
  },
);

test('a text that no kind has as a version is refused with its place', () => {
  expect(knownVersion(kinds, undefined)).toBeUndefined();
  expect(() => knownVersion(kinds, 'new')).toThrow(
    expect.objectContaining({
      message: '--node-version new is not a version',
      hint: 'Example: --node-version v1.12.1',
    }),
  );
  expect(() => knownVersion(kinds, 'new', 'nodes.ini: ')).toThrow(/^nodes\.ini: new is not a version$/);
});

test.each<[readonly string[] | undefined, object | undefined]>([
  [undefined, undefined],
  [[], undefined],
  [['http=private'], { http: 'private' }],
  [['http=private, ws = loopback', 'http=any'], { http: 'any', ws: 'loopback' }],
  [['metrics=loopback'], { metrics: 'loopback' }],
])('the reach that %j states is %j', (words, reach) => {
  expect(readAssumedReach(words)).toEqual(reach);
});

test.each(['', 'http', 'http=', 'http=ipc', 'ipc=private', 'http=private=any', 'httpx=any', 'http=everyone'])(
  '“%s” states no reach',
  (pair) => {
    expect(() => readAssumedReach([pair])).toThrow(`--assume-reach ${pair} is not <interface>=<reach>`);
  },
);

test('a file that cannot be read is not seen; a defect is thrown', async () => {
  expect(await seenOrUnreadable(async () => 1)).toEqual({ state: 'seen', value: 1 });
  const fails = (error: Error) => seenOrUnreadable(() => Promise.reject(error));
  expect(await fails(new KaiactlError('no such file'))).toEqual({
    state: 'not-seen',
    code: 'unreadable',
    detail: 'no such file',
  });
  await expect(fails(new TypeError('x'))).rejects.toThrow('x');
});
