import { expect, test } from 'vitest';
import { unitWords, withoutEscapes } from '../../../../src/node/sources/systemd/unit-words.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';

test.each([
  ['--rpca\\x70i eth', ['--rpcapi', 'eth']],
  ['"--rpca\\x70i" \\145th,\\u0061dmin\\U0000002Cnet', ['--rpcapi', 'eth,admin,net']],
  ['a\\x20b a\\sb "a\\x22b"', ['a b', 'a b', 'a"b']],
  ['\\\\x70 a\\"b', ['\\x70', 'a"b']],
  ['\\x7', ['x7']],
])('%s has the words %j', (text, expected) => {
  const file = new LineIndex('ken.service', text);
  expect(unitWords(Placed.at(file)).map((word) => word.text)).toEqual(expected);
});

test('a program is recognised by its name although a letter is escaped', () => {
  expect(withoutEscapes('ExecStart=/usr/bin/\\x67eth')).toBe('ExecStart=/usr/bin/geth');
});
