/** Completion in bash, zsh and fish. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installed } from '../../node/report/tools.js';
import { run } from '../run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the shells are asked: a line up to the cursor, and some of what must, and must not, be offered. */
const cases: [line: string, offered: string[], not: string[]][] = [
  ['kaiactl ', ['node', 'survey', 'report', 'completion'], ['lint', 'man']],
  ['kaiactl n', ['node'], ['survey']],
  ['kaiactl node ', ['lint', 'audit', 'settings'], ['join', 'node']],
  ['kaiactl report ', ['convert', 'merge', 'diff', 'schema'], []],
  ['kaiactl node lint --fo', ['--format'], ['--fail-on']],
  ['kaiactl node audit --pro', ['--probe', '--profile'], ['--format']],
  ['kaiactl node lint --fail-on ', ['critical', 'high', 'none'], ['json']],
  ['kaiactl node lint --format s', ['sarif'], ['json']],
  ['kaiactl report diff --format ', ['text', 'json', 'markdown'], ['sarif']],
  ['kaiactl node lint --report h', ['html='], ['sarif=']],
  ['kaiactl node lint --format json --fa', ['--fail-on'], ['--format']],
  ['kaiactl completion ', ['bash', 'zsh', 'fish'], []],
  ['kaiactl node lint some-', ['some-conf'], []],
  ['kaiactl report convert some-', ['some-report.json'], []],
  ['kaiactl node explain wildcard-', ['wildcard-cors', 'wildcard-vhosts'], ['public-bind']],
  ['kaiactl node audit --only open-', ['open-profiler', 'open-socket'], ['public-bind']],
  ['kaiactl node lint --policy v', ['validator'], ['public-en', 'some-conf']],
  ['kaiactl node lint --policy some-', ['some-conf'], ['validator']],
  ['kaiactl node modules ', [], ['some-conf']],
];

beforeAll(async () => {
  mkdirSync(join(folder, 'home'));
  for (const name of ['some-conf', 'some-report.json']) writeFileSync(join(folder, name), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out, err } = await run(['completion', shell]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    writeFileSync(join(folder, `kaiactl.${shell}`), out);
  }
  writeFileSync(join(folder, 'zsh-driver'), zshDriver);
});

function shell(command: string, args: readonly string[]): string[] {
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), LC_ALL: 'C.UTF-8', TERM: 'dumb' };
  const ran = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8', timeout: 300_000 });
  expect(ran.stderr).toBe('');
  return ran.stdout.split(/\r?\n/).filter((line) => line !== '');
}

function check(offers: readonly string[], offered: readonly string[], not: readonly string[]): void {
  expect(offers).toEqual(expect.arrayContaining([...offered]));
  expect(offers.filter((one) => not.includes(one))).toEqual([]);
}

describe.skipIf(!installed('bash', 'bash completion'))('bash', () => {
  const ask = (line: string): string[] =>
    shell('bash', [
      '--norc',
      '-c',
      'source ./kaiactl.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kaiactl; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      ...line.split(/(=)| /).filter((word) => word !== undefined),
    ]);

  test.each(cases)('%s', (line, offered, not) => check(ask(line), offered, not));
  test.each([
    ['kaiactl node lint --format=js', ['json']],
    ['kaiactl node lint --ignore public-bind,open-p', ['public-bind,open-profiler']],
    ['kaiactl node lint --report html=some-', ['some-conf', 'some-report.json']],
  ])('%s', (line, offered) => check(ask(line), offered, []));
});

describe.skipIf(!installed('fish', 'fish completion'))('fish', () => {
  const ask = (line: string): string[] =>
    shell('fish', ['--no-config', '-c', `source ./kaiactl.fish; complete -C '${line}'`]).map(
      (offer) => offer.split('\t')[0] ?? '',
    );

  test.each(cases)('%s', (line, offered, not) => check(ask(line), offered, not));
  test.each([
    ['kaiactl node lint --format=js', ['--format=json']],
    ['kaiactl node lint --ignore public-bind,open-p', ['public-bind,open-profiler']],
    ['kaiactl node lint --ignore=public-bind,open-p', ['--ignore=public-bind,open-profiler']],
    ['kaiactl node lint --report html=some-', ['html=some-conf', 'html=some-report.json']],
  ])('%s', (line, offered) => check(ask(line), offered, []));
});

/** zsh completes only in a terminal: a second zsh runs in one, its compadd says what it is given. */
const zshDriver = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT= RPROMPT=; stty -echo; autoload -U compinit; compinit -u -D; source ./kaiactl.zsh
bindkey "^I" complete-word
start() { print -r -- "<<<"; compprefuncs+=(start) }; finish() { print -r -- ">>>"; comppostfuncs+=(finish) }
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offers
  builtin compadd -A offers "$@"
  (( $#offers )) && print -rl -- $offers
}
compprefuncs=(start); comppostfuncs=(finish); print re""ady'
zpty -r z line '*ready*'
for asked; do
  zpty -w -n z $'\\C-u'"$asked"$'\\t'
  zpty -r z line '*>>>*'
  print -r -- "@$asked@"$'\\n'"\${\${line##*<<<}%%>>>*}"
done
zpty -d z
`;

describe.skipIf(!installed('zsh', 'zsh completion'))('zsh', () => {
  let offers: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => {
    const said = shell('zsh', ['-f', './zsh-driver', ...cases.map(([line]) => line)]).join('\n');
    const blocks = said.split(/^@(.*)@$/m).slice(1);
    offers = new Map(cases.map(([line], at) => [line, (blocks[at * 2 + 1] ?? '').split('\n')]));
    expect(blocks.filter((_, at) => at % 2 === 0)).toEqual(cases.map(([line]) => line));
  });

  test.each(cases)('%s', (line, offered, not) => {
    // zsh adds the = itself.
    check(
      offers.get(line) ?? [],
      offered.map((one) => one.replace(/=$/, '')),
      not,
    );
  });
});

describe.skipIf(!installed('mandoc', 'the manual page against mandoc’s lint'))('the manual page', () => {
  test('is clean to mandoc, whole, and says what help says', async () => {
    const { code, out } = await run(['man']);
    expect(code).toBe(0);
    const lint = spawnSync('mandoc', ['-T', 'lint'], { input: out, encoding: 'utf8' });
    expect(lint.stdout + lint.stderr).toBe('');
    const shown = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=80'], {
      input: out,
      encoding: 'utf8',
    }).stdout;
    const text = shown.replace(/.\u0008/gu, '');
    expect(out.split('\n').length).toBeLessThanOrEqual(900);
    expect(text.split('\n').length).toBeLessThanOrEqual(900);
    const sections = ['COMMON OPTIONS', 'FILES', 'ENVIRONMENT', 'EXIT STATUS', 'SEE ALSO'];
    for (const words of [
      ...sections,
      'NODE AUDIT',
      '--fail-on <severity>',
      'Exit codes:',
      'kaiactl report merge',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('kaiactl man');
    const { out: help } = await run(['node', 'lint', '--help']);
    // The page has fewer examples.
    const [declared = ''] = help.split(/^Examples:/m);
    for (const [flag] of declared.matchAll(/--[a-z][a-z-]+(?: <[^>]+>)?/g)) expect(text).toContain(flag);
  });

  test.skipIf(!installed('man', 'the manual page in man'))('is shown by man without a warning', async () => {
    const file = join(folder, 'kaiactl.1');
    writeFileSync(file, (await run(['man'])).out);
    const shown = spawnSync('man', ['--warnings', '-l', file], {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '80' },
    });
    expect(shown.stderr).toBe('');
    expect(shown.stdout).toContain('KAIACTL(1)');
  });
});

test('an unknown shell is rejected with a list of the known shells', async () => {
  const { code, err } = await run(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(err).toContain('bash, zsh, fish');
});
