import { expect, test } from 'vitest';
import { environmentFile } from '../../../../src/node/sources/systemd/unit.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { gravely } from '../../deployment/lint-folder.js';

const read = (text: string) =>
  environmentFile(new LineIndex('node.env', text)).map(({ name, value }) => `${name}=${value.text}`);

test.each([
  ['A=b\nC=d', ['A=b', 'C=d']],
  ['A=b,\\\nc\nD=e', ['A=b,c', 'D=e']],
  ['A="b \\\n c"\nD=e', ['A=b  c', 'D=e']],
  ['A="b\nc"\nD=e', ['A=b\nc', 'D=e']],
  ["A='b\\\nc'\n", ['A=b\\\nc']],
  ['A="b" \'c\' d\n', ['A=bcd']],
  ['A=b"c" \n', ['A=b"c"']],
  ['A=b # c\n', ['A=b # c']],
  ['A="a\\"b\\$c\\d"\n', ['A=a"b$c\\d']],
  ['A=a\\"b\n', ['A=a"b']],
  ['# x \\\nA=b\n; y\nC=d\n', ['C=d']],
  ['  A = b  \r\nC=\r\nD=e', ['A=b', 'C=', 'D=e']],
  ['export A=b\nno name\n=x\nC=d\n', ['C=d']],
  ['A="b\nC=d\n', ['A=b\nC=d\n']],
  ['A=b\\', ['A=b']],
  ['', []],
])('%j is read as systemd reads it', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('a value has the place of its characters', () => {
  const file = new LineIndex('node.env', '\nA=b,\\\nadmin\n');
  const [first] = environmentFile(file);
  expect(first?.value.slice(2, 7).span()).toMatchObject({ line: 3, column: 1, endColumn: 6 });
});

test('a large file is read in linear time', () => {
  const text = `${'A="\\\\" '.repeat(20_000)}\n${"'".repeat(20_000)}\n${' '.repeat(20_000)}x\nB=c\n`;
  expect(read(text).at(-1)).toBe('B=c');
});

test.each([
  ['/etc/geth/*.env', true],
  ['/etc/geth/[a-z]?de.env', true],
  ['/etc/geth/*[', false],
  [`/etc/geth/${'a*'.repeat(60)}b`, false],
])('EnvironmentFile=%s is a glob', async (glob, isRead) => {
  const start = '/usr/bin/geth --http --http.addr 0.0.0.0 --http.api $API';
  const found = await gravely({
    'geth.service': `[Service]\nEnvironmentFile=${glob}\nExecStart=${start}\n`,
    'etc/geth/node.env': 'API=eth,admin\n',
    [`etc/geth/${'a'.repeat(150)}`]: 'API=eth\n',
  });
  expect(found.includes('critical at etc/geth/node.env:1')).toBe(isRead);
  expect(found).not.toMatch(/exit 70/);
});
