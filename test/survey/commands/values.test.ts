/** Values of options: URLs, addresses, numbers and times. */
import { describe, expect, test } from 'vitest';
import {
  isPrivateUrl,
  milliseconds,
  parseAddress,
  parseBaseUrl,
  wholeNumber,
} from '../../../src/survey/commands/values.js';

test.each([
  ['https://survey.example', true],
  ['http://survey.example', false],
  ['http://localhost:1', true],
  ['http://127.0.0.1', true],
  ['http://127.10.0.255', true],
  ['http://[::1]:1', true],
  ['http://localhost.example', false],
  ['http://x.localhost', false],
  ['http://127.0.0.1.example', false],
])('%s keeps what is sent private: %j', (url, expected) => expect(isPrivateUrl(new URL(url))).toBe(expected));

test.each([undefined, '', 'x', 'ftp://a', 'http://me@a', 'http://:p@a'])(
  '%j is no base URL: an error names the reason',
  (text) => {
    expect(() => parseBaseUrl(text, 'api-url')).toThrow(
      expect.objectContaining({ hint: expect.any(String) }),
    );
    expect(() => parseBaseUrl(text, 'api-url')).toThrow(/API|api/i);
  },
);

test('an address is accepted with surrounding blanks, in one letter case or with its checksum', () => {
  const checksummed = '0x71562b71999873DB5b286dF957af199Ec94617F7';
  const upper = `0x${checksummed.slice(2).toUpperCase()}`;
  for (const text of [` ${checksummed}\n`, checksummed.toLowerCase(), upper])
    expect(parseAddress(text, 'x')).toBe(checksummed);
  for (const text of ['', `x${checksummed}`, `${checksummed}0`, checksummed.replace('71562b', '71562B')])
    expect(() => parseAddress(text, 'the survey')).toThrow(/^the survey /);
});

describe('numbers', () => {
  test('are whole, positive and not too large', () => {
    expect([
      wholeNumber('1', 'n'),
      wholeNumber('256', 'n', 256),
      wholeNumber('999999999999999', 'n'),
    ]).toEqual([1, 256, 999_999_999_999_999]);
    for (const text of ['0', '01', '-1', '1.5', '1e3', '1x', 'x1', '', '1000000000000000'])
      expect(() => wholeNumber(text, 'n')).toThrow(/^--n .* is not a whole number from 1 on$/);
    expect(() => wholeNumber('257', 'n', 256)).toThrow(/whole number from 1 to 256$/);
    expect(() => wholeNumber('x', 'n', 1e6)).toThrow(/whole number from 1 to 1000000$/);
  });

  test('times are longer than none and no longer than a timer runs', () => {
    expect([milliseconds('1ms', 't'), milliseconds('596h', 't')]).toEqual([1, 596 * 3_600_000]);
    for (const text of ['0s', '597h', 'soon', '5 s'])
      expect(() => milliseconds(text, 't')).toThrow(`--t ${text} is not a time`);
  });
});
