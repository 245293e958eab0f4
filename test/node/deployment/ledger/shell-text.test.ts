/** The parts of a script that are printed or searched for, and where bash stops. */
import { expect, test } from 'vitest';
import { shellText } from '../../../../src/node/deployment/ledger/shell-text.js';

test.each<[string, readonly string[]]>([
  ['echo a b; run c', ['echo a b']],
  ['echo a > file', []],
  ['echo a >&2', ['echo a >&2']],
  ['echo a | sh', []],
  ['{ echo a; } > file', []],
  ['ps | grep a | wc', ['grep a']],
  ['{ grep a; } > file', ['grep a']],
  ['(echo a) | (grep b; echo c)', ['grep b', 'echo c']],
  ['if a; then b; fi > file', []],
  ['case x in x) ;; esac', []],
  ['if [ a ]; then echo b; else printf c; fi', ['[ a ]', 'echo b', 'printf c']],
  ['case x in x) echo a;; esac', ['echo a']],
  ['f() { ! time echo a && echo b; }', ['echo a', 'echo b']],
  ['f() { echo a; }; $(f)', []],
  ['while sed a; do echo b & done', ['sed a', 'echo b']],
  ['coproc echo a', []],
  ['cat <<X\na\nX\nrun', ['cat <<X', 'a\n']],
  ['cat > file <<X\na\nX\n', []],
  ['[[ a ]]; ((1)); run echo', []],
  ['echo a\nif fi\necho b', ['echo a']],
])('%j prints %j', (text, expected) => {
  expect(shellText(text).printed.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});

test.each<[string, string | null]>([
  ['a\nif b; then\n  c\nelse\n\nfi\nd', '2 6 unexpected fi'],
  ['a\n"b', '2 2 no matching "'],
  ['a\nb=(x; y)\nc', null],
  ['a\nb', null],
])('bash stops in %j at %j', (text, expected) => {
  const { error } = shellText(text);
  const lineOf = (at: number) => text.slice(0, at).split('\n').length;
  expect(error === null ? null : `${lineOf(error.from)} ${lineOf(error.at)} ${error.message}`).toEqual(
    expected,
  );
});
