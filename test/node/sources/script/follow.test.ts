import { describe, expect, test } from 'vitest';
import { kinds } from '../../../../src/node/kinds/index.js';
import { Follower } from '../../../../src/node/sources/script/follow.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { ownFolder } from '../../../../src/node/sources/text/placeholders.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';

const placed = (name: string, text: string) => Placed.at(new LineIndex(name, text));

/** Follows a script of these files. */
function followed(text: string, files: Readonly<Record<string, string>> = {}, steps = new Steps()) {
  const open = (path: string) => {
    const name = path.replace(/^\//, '');
    return files[name] === undefined ? null : placed(name, files[name]);
  };
  const follower = new Follower({ kinds, steps, open });
  follower.follow(placed('run.sh', text), new Map(), { folder: ownFolder });
  return follower;
}

const wordsOf = ({ starts }: Follower) => starts.map(({ words }) => words?.map(({ text }) => text).join(' '));

describe('a start that a script reaches several times', () => {
  test('yields one node', () => {
    const files = { 'a.sh': './b.sh\n./b.sh\n', 'b.sh': 'ken --rpc\ngeth --http\n' };
    expect(wordsOf(followed('./a.sh\n./a.sh\n', files))).toEqual(['--rpc', '--http']);
    expect(
      followed('./c.sh; ./c.sh', { 'c.sh': 'docker run klaytn/klaytn ken --rpc' }).containers.started,
    ).toHaveLength(1);
  });

  test.each([
    ['other words', './a.sh 1; ./a.sh 2', 'ken --datadir /$1'],
    ['another environment', 'KAIA_RPC=1 ./a.sh; ./a.sh', 'ken'],
    ['another folder', './a.sh; cd /x; ../a.sh', 'ken'],
    ['another line', './a.sh', 'ken\nken'],
  ])('yields two nodes with %s', (_, text, file) => {
    expect(followed(text, { 'a.sh': file }).starts).toHaveLength(2);
  });

  test('scripts that call each other twice end after their steps', () => {
    const names = [1, 2, 3, 4, 5, 6, 7];
    const files = Object.fromEntries(
      names.map((one) => [`s${one}.sh`, `./s${one + 1}.sh $1a\n./s${one + 1}.sh $1b\n`]),
    );
    const all = { ...files, 's8.sh': 'ken --datadir /$1\n' };
    expect(followed('./s2.sh', all).starts).toHaveLength(64);
    const few = new Steps(10_000);
    expect(followed('./s2.sh', all, few).starts.length).toBeLessThan(20);
    expect(few.left).toBe(0);
  });
});

test.each(['$(%)', '`%`', 'ID="$(%)"'])('a container that a substitution starts is followed: %s', (form) => {
  const command = 'docker run -d ethereum/client-go --http';
  expect(followed(form.replace('%', command)).containers.started).toHaveLength(1);
});

test('a substitution that asks a program for its version starts no node', () => {
  expect(followed('V=$(geth version); A=$(ken account list)').starts).toEqual([]);
});

describe('the name of an array without an index', () => {
  const text = (shell: string) => `#!/bin/${shell}\nopts=(--http --http.api admin)\ngeth $opts\n`;

  test('is every element in zsh', () => {
    expect(wordsOf(followed(text('zsh')))).toEqual(['--http --http.api admin']);
  });

  test('is the first element in bash', () => {
    expect(wordsOf(followed(text('bash')))).toEqual(['--http']);
  });
});

test.each(['O=$@', 'O="$*"', 'O=${@/XXX/$(hostname)}'])(
  'words that %s passes on have the place of the argument',
  (assignment) => {
    const files = { 'a.sh': `${assignment}\ngeth $O\n` };
    const [start] = followed('./a.sh --http --http.api=eth,admin', files).starts;
    expect(start?.words?.map((word) => [word.text, word.span().file])).toEqual([
      ['--http', 'run.sh'],
      ['--http.api=eth,admin', 'run.sh'],
    ]);
  },
);
