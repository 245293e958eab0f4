/** `${NAME}` as compose reads it. */
import { expect, test } from 'vitest';
import { interpolate } from '../../../../src/node/sources/text/interpolate.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';

const placed = (text: string) => Placed.at(new LineIndex('f', text));

test.each([
  ['plain', 'plain'],
  ['a$$b', 'a$b'],
  ['$SET-$EMPTY-', 'v--'],
  ['${SET}x${EMPTY}', 'vx'],
  ['${SET:-d}', 'v'],
  ['${EMPTY:-d}', 'd'],
  ['${EMPTY-d}', ''],
  ['${NONE-d}', 'd'],
  ['${NONE:-}', ''],
  ['${NONE:-a${SET}b}', 'avb'],
  ['${NONE:-a${NONE-b}c}', 'abc'],
  ['${NONE:-${NONE:-${NONE:-c}}}', 'c'],
  ['${NONE:-${NONE-${SET}}-${EMPTY:-e}}f', 'v-ef'],
  ['${NONE:-${SET', '${NONE:-${SET'],
  ['${NONE:-{a}}', '{a}'],
  ['${NONE:-$$}', '$'],
  [`${'${NONE:-'.repeat(99)}x${'}'.repeat(99)}`, 'x'],
  [`${'${NONE:-'.repeat(9_999)}x${'}'.repeat(9_999)}`, unfilled],
  ['${SET:+a${SET}}', 'av'],
  ['${SET:+d}', 'd'],
  ['${SET+d}', 'd'],
  ['${SET:?d}', 'v'],
  ['${NONE}', unfilled],
  ['$NONE', unfilled],
  ['${NONE:?d}', unfilled],
  ['${NONE+d}', unfilled],
  ['a ${ b', 'a ${ b'],
  ['$1', '$1'],
])('compose interpolates %s to %s', (text, expected) => {
  const variables = new Map([
    ['SET', placed('v')],
    ['EMPTY', placed('')],
  ]);
  expect(interpolate(placed(text), (name) => variables.get(name)).text).toBe(expected);
});
