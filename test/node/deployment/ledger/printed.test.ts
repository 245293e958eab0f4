/** The parts of a script that are printed or searched for. */
import { expect, test } from 'vitest';
import { printedIn } from '../../../../src/node/deployment/ledger/printed.js';

test.each<[string, readonly string[]]>([
  ['echo a b; run c', ['echo a b']],
  ['echo a > file', []],
  ['echo a >&2', ['echo a >&2']],
  ['echo a | sh', []],
  ['{ echo a; } > file', []],
  ['ps | grep a | wc', ['grep a']],
  ['if [ a ]; then echo b; else printf c; fi', ['[ a ]', 'echo b', 'printf c']],
  ['case x in x) echo a;; esac', ['echo a']],
  ['f() { ! time echo a && echo b; }', ['echo a', 'echo b']],
  ['while sed a; do echo b & done', ['sed a', 'echo b']],
  ['coproc echo a', []],
  ['cat <<X\na\nX\nrun', ['cat <<X', 'a\n']],
  ['cat > file <<X\na\nX\n', []],
  ['[[ a ]]; ((1)); run echo', []],
  ['echo a\nif fi\necho b', ['echo a']],
])('%j prints %j', (text, expected) => {
  expect(printedIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
