/** Lines `NAME=value` run without a syntax tree: with the result, places and steps that the tree has. */
import { expect, test } from 'vitest';
import { readShell } from '../../../../src/node/sources/shell/shell.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';
import { seed } from '../../../seed.js';
import { Random } from '../random.js';

const isSetting = (name: string) => /^RPC_/.test(name);

/** An observer follows the syntax tree, and of assignments it changes nothing. */
function read(text: string, isPlain: boolean, limit?: number) {
  const steps = new Steps(limit);
  const how = { variables: { GIVEN: 'x' }, exported: ['GIVEN'], isSetting, steps };
  const { shell, ends } = readShell(text, isPlain ? how : { ...how, observer: { command: () => undefined } });
  const { journal, memory, here, doubt, substituted, touched } = shell;
  const { assignments, written, syntaxIssues, indeterminate, mayExit, unread } = journal;
  const recorded = { assignments, written, syntaxIssues, indeterminate, mayExit, unread };
  // Only without an observer is IFS forgotten.
  const variables = [...memory.all()].filter(([name]) => name !== 'IFS');
  const state = { here, doubt, substituted, touched, status: memory.status, variables };
  return { recorded, state, ends, steps: steps.taken };
}

test.each([
  'A=1\n',
  'A=1',
  'A=\n',
  'A=""\n',
  "A=''\n",
  'A="a b, c"\n',
  "A='a \" $b'\n",
  'A=1 # why\n',
  'A="x"   \n',
  'A=1#2\n',
  'A="x"y\n',
  'A="x"#y\n',
  'A=#\n',
  'A= #\n',
  'A=1\r\nB="x"\r\n',
  '  # a comment\n\n\tA=1\n',
  'A=0.0.0.0 B=2\n',
  'A=1; B=2\n',
  'A=1 run\n',
  'A=a:b=c\nB=*\nC=~\n',
  'A="a*b?[c]"\n',
  'A="$B"\nB=\\x\n',
  'A="a\nb"\nB=1\n',
  'A="open\nB=1\n',
  'rpc_api=eth\nRPC_API=net\n',
  'A="\u201cx\u201d"\n',
  'A="\uFDD0"\n',
  'readonly A=1\nA=2\nB=1\n',
  'declare -i A\nA=2\nB=1\n',
  'set -a\nA=1\n',
  'UID=1\nRANDOM=2\n',
  'GIVEN=y\n',
  'A+=1\nA[0]=1\nif=1\n1A=2\n',
  'false\nA=1\n',
  `A="${'x'.repeat(70_000)}"\n`,
  '[ -f x ] && exit 1\nA=1\n',
])('%j has the same result, places and steps', (text) => {
  expect(read(text, true)).toEqual(read(text, false));
});

test('generated lines have the same result, places and steps, also where the steps end among them', () => {
  const random = new Random(seed);
  const names = ['A', 'RPC_API', 'rpc_api', 'GIVEN', 'X1'];
  const values = [
    '',
    '1',
    'eth,net',
    '0.0.0.0',
    '"*"',
    '""',
    '"a b"',
    "'a b'",
    "''",
    '"it\'s"',
    '$A',
    '"$A"',
    '1;',
    'a:b',
    '\\a',
    '~/x',
  ];
  const ends = ['\n', '\n', '\r\n', ' # note\n', '\t\n', '  \n', ' more\n', '#x\n', '\n# comment\n\n'];
  const others = ['export A\n', 'readonly X1\n', 'if [ "$A" = 1 ]; then\nB=1\nfi\n'];
  for (let round = 0; round < 300; round += 1) {
    const lines = Array.from({ length: 12 }, () =>
      random.chance(0.1)
        ? random.pick(others)
        : `${random.pick(names)}=${random.pick(values)}${random.pick(ends)}`,
    );
    const text = lines.join('');
    const limit = random.chance(0.5) ? random.below(600) : undefined;
    expect([text, limit, read(text, true, limit)]).toEqual([text, limit, read(text, false, limit)]);
  }
});
