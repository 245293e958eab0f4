/** Which redirections of a script write a file, and whether they replace or append. */
import { expect, test } from 'vitest';
import { kinds } from '../../../../src/node/kinds/index.js';
import { Follower } from '../../../../src/node/sources/script/follow.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';

/** The file `f` after a script. */
function written(text: string): string | undefined {
  const follower = new Follower({ kinds, steps: new Steps(), open: () => null });
  follower.follow(Placed.at(new LineIndex('run.sh', text)), new Map(), { folder: '/x' });
  return follower.read('/x/f', 'copied')?.text;
}

test.each([
  ['echo a > f', 'a\n'],
  ['echo a > f; echo b > f', 'b\n'],
  ['echo a > f; echo b 1> f', 'b\n'],
  ['echo a > f; echo b >| f', 'b\n'],
  ['echo a > f; echo b &> f', 'b\n'],
  ['echo a > f; echo b >> f', 'a\nb\n'],
  ['echo a > f; echo b 1>> f', 'a\nb\n'],
  ['echo a > f; echo b &>> f', 'a\nb\n'],
  ['echo a 1>> f; echo b 1>> f', 'a\nb\n'],
  ['echo a > f; echo b 2> f', 'a\n'],
  ['echo a > f; echo b 2>> f', 'a\n'],
  ['echo a > f; echo b | tee f', 'b\n'],
  ['echo a > f; echo b | tee -a f', 'a\nb\n'],
  ["echo a > f; sed -i 's/\\r$//' f", 'a\n'],
  ["echo a > f; sed -i 's/\\r//g' f", 'a\n'],
  ["cat > f <<X\na\r\nb\r\nX\nsed -i 's/\\r$//' f", 'a\nb\n'],
  ["echo a > f; sed -i 's/\\r$/b/' f", 'a\n'],
])('%s', (text, expected) => {
  expect(written(text)).toBe(expected);
});
