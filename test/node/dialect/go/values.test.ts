/** Values of flags as Go reads them. */
import { describe, expect, test } from 'vitest';
import { parseValue } from '../../../../src/node/dialect/go/values.js';

const refused = { refused: expect.any(String) };

describe('values', () => {
  test.each([
    ['bool', ['1', 't', 'T', 'TRUE', 'true', 'True'], true],
    ['bool', ['0', 'f', 'F', 'FALSE', 'false', 'False'], false],
    ['int', ['10', '+10', '0xA', '0X_a', '0b1010', '0B_1010', '012', '0o12', '0O_12', '1_0'], 10],
    ['int', ['-10', '-0xa'], -10],
    ['int', ['0', '-0', '+0', '00', '0x0'], 0],
    ['uint', ['18446744073709551615'], '18446744073709551615'],
    ['int64', ['-9223372036854775808'], '-9223372036854775808'],
    ['int', ['9007199254740991'], 9007199254740991],
    ['int', ['9007199254740992'], '9007199254740992'],
    ['float', ['1.5', '+1.5', '1.5e0', '15e-1', '0.15E+1', '1_.5', '1.50'], 1.5],
    ['float', ['1.', '1', '1e0'], 1],
    ['float', ['.5', '0.5'], 0.5],
    ['float', ['.25', '25e-02', '2_5e-2'], 0.25],
    ['string', [''], ''],
    ['string', [' a '], ' a '],
  ] as const)('%s %j', (type, texts, value) => {
    for (const text of texts) {
      const parsed = parseValue(type, text);
      expect([text, 'value' in parsed ? parsed.value : parsed]).toEqual([
        text,
        value === 0 ? expect.closeTo(0) : value,
      ]);
    }
  });

  test.each(['inf', '+Inf', '-infinity', 'NaN'])('%s is a number', (text) => {
    expect(parseValue('float', text)).not.toHaveProperty('refused');
  });

  test.each([
    ['bool', ['', 'yes', 'tRUE', ' true', 'true ', '2', '01']],
    ['int', ['', 'a', '1a', ' 1', '1 ', '1__0', '1_', '0x', '0xg', '0b2', '08', '1.0', '--1']],
    ['int', ['9223372036854775808', '-9223372036854775809']],
    ['uint', ['-1', '+1', '18446744073709551616', '-0']],
    ['float', ['', '.', 'e5', '1e', '1.5x', 'x1.5', '1.5.1', ' 1', 'xinf', 'infx']],
    ['duration', ['', '5', '5 s', 's', '1.s.', '5sx', 'x5s', '00', '1d']],
  ] as const)('are no %s: %j', (type, texts) => {
    for (const text of texts) expect([text, parseValue(type, text)]).toEqual([text, refused]);
  });

  test.each([
    '0',
    '-0',
    '30s',
    '1h30m',
    '1.5h',
    '.5m',
    '.25m',
    '10.25h',
    '100ms',
    '1us',
    '1µs',
    '1ns',
    '-5s',
    '+5s',
    '1.s',
  ])('%s is a duration and keeps its spelling', (text) =>
    expect(parseValue('duration', text)).toEqual({ value: text }),
  );
});
