/** The place, the line and the comments of an open question. */
import { expect, test } from 'vitest';
import { questionAt } from '../../../../src/node/deployment/ledger/question.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

const question = (text: string, word: string) => {
  const file = new LineIndex('a.sh', text);
  const start = text.indexOf(word);
  const at = file.span({ start, end: start + word.length });
  return questionAt(file, at, 'unfollowed-start', 'x', 'it is not read');
};

test('names its place and shows its line without secrets', () => {
  const { reason, source, rule, subject } = question('a\nb\n  DB_PASSWORD=hunter2 geth\n', 'DB');
  expect({ reason, source, rule, subject }).toEqual({
    reason: 'a.sh:3:3: it is not read',
    source: expect.stringMatching(/^ {2}DB_PASSWORD=(?!hunter2)\S+ geth$/),
    rule: 'unfollowed-start',
    subject: 'x',
  });
});

test.each([['#', '//', ';', '--', '<!--', '  #'].map((mark) => `${mark} x`), []])(
  'takes the comment lines above it',
  (...comments) => {
    const text = [...comments, 'geth'].join('\n');
    expect(question(`# other\n\n${text}`, 'geth').comments).toEqual(['geth', ...[...comments].reverse()]);
    expect(question(text, 'geth').comments).toEqual(['geth', ...[...comments].reverse()]);
  },
);

test('takes ten comment lines and none behind another line', () => {
  expect(question(`${'# a\n'.repeat(20)}geth`, 'geth').comments).toHaveLength(11);
  expect(question('# a\nb # c\ngeth', 'geth').comments).toEqual(['geth']);
});
