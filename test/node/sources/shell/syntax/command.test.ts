/** Lines that are read at once are read as the grammar reads them. */
import { describe, expect, it } from 'vitest';
import { readList, readUnit } from '../../../../../src/node/sources/shell/syntax/command.js';
import { type Cursor, cursorAt, skipNewline } from '../../../../../src/node/sources/shell/syntax/cursor.js';
import type { Command } from '../../../../../src/node/sources/shell/syntax/tree.js';
import { Steps } from '../../../../../src/node/sources/text/steps.js';

const values = [
  '',
  '1',
  'klay,eth',
  '/var/kend/data',
  '""',
  '"*"',
  '"a b;c(d)#e"',
  '"it is = {x"',
  "'x'",
  '~',
  'a:b',
];
const ends = ['', ' ', '\t # a note', '#x', ' # "', ' b', ';', ' \\', '\r', '&& c', '$B', '"x"'];

function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

function readWhole(line: Cursor): Command {
  const list = readList(line, false);
  if (line.text[line.at] === '\n') skipNewline(line);
  return list;
}

describe('a line of a conf', () => {
  it.each(values.flatMap((value) => ends.map((end) => `NAME=${value}${end}`)))('%j', (line) => {
    const [once, whole] = [cursorAt(`${line}\nB=2\n`, new Steps()), cursorAt(`${line}\nB=2\n`, new Steps())];
    const read = attempt(() => readUnit(once));
    const expected = attempt(() => readWhole(whole));
    if (typeof read !== 'string') expect(read).toEqual(expected);
    if (typeof read !== 'string') expect([once.at, once.steps.taken]).toEqual([whole.at, whole.steps.taken]);
  });

  it.each([...Array(12).keys()])('is not read at once where %i steps end in it', (limit) => {
    const text = `NAME=${'x'.repeat(100)}\n`;
    const [once, whole] = [cursorAt(text, new Steps(limit)), cursorAt(text, new Steps(limit))];
    expect([attempt(() => readUnit(once)), once.at]).toEqual([attempt(() => readWhole(whole)), whole.at]);
  });
});
