import { expect, test } from 'vitest';
import { readConnection, readTimeout } from '../../../src/node/commands/connection.js';

const read = (header: readonly string[], timeout = '5s') =>
  readConnection({ header: [...header], timeout, insecure: false }, {});

test('headers are named in lower case, without blanks around their values', () => {
  expect(read(['Authorization:  Bearer a:b ', 'X-A:', 'x-a: 2'], '800ms')).toEqual({
    timeoutMs: 800,
    options: { headers: { authorization: 'Bearer a:b', 'x-a': '2' }, insecure: false, env: {} },
  });
  const none = readConnection({ timeout: '5s', insecure: true }, { A: '1' });
  expect(none.options).toEqual({ headers: {}, insecure: true, env: { A: '1' } });
});

test.each(['secret', ': secret', 'a b: secret', 'a: secret\nx'])(
  'the header %j is refused without its value',
  (line) => {
    expect(() => read([line])).toThrow(/^--header is not “Name: value”$/);
  },
);

test.each(['Content-Type', 'content-length', 'Transfer-Encoding', 'connection', 'Upgrade', 'ORIGIN'])(
  'the header %s cannot be set',
  (name) => {
    expect(() => read([`${name}: x`])).toThrow(`--header cannot set ${name}`);
  },
);

test.each([
  ['1ms', 1],
  ['5', 5000],
  ['1h', 3_600_000],
  ['60m', 3_600_000],
])('%s are %d ms', (text, ms) => {
  expect(readTimeout(text)).toBe(ms);
});

test.each(['0s', '', '5x', '61m', '-1s'])('“%s” is not a time', (text) => {
  expect(() => readTimeout(text, '--timeout ')).toThrow(`--timeout ${text} is not a time`);
});
