/** Hostile shell texts stay within steps, bytes and depth. */
import { describe, expect, test } from 'vitest';
import { readShell } from '../../../../src/node/sources/shell/shell.js';
import { maxSteps, Steps, tooManySteps } from '../../../../src/node/sources/text/steps.js';
import { everyNth, seed } from '../../../seed.js';
import { readConf } from '../../editables.js';
import { Random } from '../random.js';
import { hostileConf, hostileConfs } from './hostile-confs.js';

function variables(conf: string): Readonly<Record<string, string | null>> {
  return readConf('kend.conf', Buffer.from(conf)).shell.variables;
}

function read(text: string) {
  const steps = new Steps();
  const { shell } = readShell(text, { variables: {}, exported: [], steps });
  return { steps: steps.taken, shell };
}

/** Counts the entries that some work adds to maps and sets, copies of them included. */
function changesMade<T>(work: () => T): { changes: number; result: T } {
  let changes = 0;
  const { set } = Map.prototype;
  const { add } = Set.prototype;
  Object.assign(Map.prototype, {
    set(this: Map<unknown, unknown>, key: unknown, value: unknown) {
      changes += 1;
      return set.call(this, key, value);
    },
  });
  Object.assign(Set.prototype, {
    add(this: Set<unknown>, value: unknown) {
      changes += 1;
      return add.call(this, value);
    },
  });
  try {
    const result = work();
    return { changes, result };
  } finally {
    Object.assign(Map.prototype, { set });
    Object.assign(Set.prototype, { add });
  }
}

/** Random confs: `npm run test:bash -- 20000` reads more. */
const others = Number(process.env.KAIACTL_TEST_BASH_CONFS ?? 5);

/** With that variable every conf is read in full length; without it half of them, an eighth of these in full length. */
const isLong = process.env.KAIACTL_TEST_BASH_CONFS !== undefined;
const confs = Object.entries(hostileConfs);
const hostile = (isLong ? confs : everyNth(2, confs)).map(([what, [conf, n]], at) => {
  const isFull = isLong || (seed + at) % 8 === 0;
  return [what, conf(isFull ? n : Math.ceil(n / 10))] as const;
});

/** Nothing between two counts takes more than this share of all that may be taken. */
const slack = 1.2 * maxSteps;

describe('no conf takes more steps than the limit', () => {
  test.each(hostile)('%s, and steps count the work', (_what, conf) => {
    const text = `RPC_API=eth\n${conf}`;
    expect(text.length).toBeLessThan(1 << 18);
    const { changes, result } = changesMade(() => read(text));
    const { steps, shell } = result;
    expect(steps).toBeLessThan(slack);
    expect(changes).toBeLessThan(2 * steps + 100);
    if (steps > maxSteps) {
      expect(shell.look('RPC_API')).toEqual({ unknown: tooManySteps });
      expect(shell.journal.syntaxIssues.at(-1)?.becomes).toContain(tooManySteps);
    }
  });

  test(`${others} random confs`, () => {
    const random = new Random(seed);
    for (let at = 0; at < others; at += 1) {
      const text = hostileConf(random);
      const { steps, shell } = read(text);
      expect([steps < slack, text]).toEqual([true, text]);
      if (steps > maxSteps) expect([shell.look('A'), text]).toEqual([{ unknown: tooManySteps }, text]);
    }
  }, 300_000);

  test('the cost of a branch depends on its changes alone', () => {
    const cost = (others: number) => {
      const before = Array.from({ length: others }, (_, at) => `V${at}=1\n`).join('');
      return read(`${before}${'x && A=1\n'.repeat(100)}`).steps - read(before).steps;
    };
    expect(cost(4_000)).toBe(cost(0));
  });

  test('a thousand conditional lines and twenty nested loops are read to their end', () => {
    expect(read('x && V=1\n'.repeat(1_000)).steps).toBeLessThan(maxSteps);
    const nested = read(`${'while x; do '.repeat(20)}A=1${'; done'.repeat(20)}\nB=2\n`);
    expect(nested.shell.look('A')).toEqual({ unknown: 'a while loop sets it' });
    expect(nested.shell.look('B')).toBe('2');
  });

  test.each(['nested while', 'nested loops that assign'])(
    '%s: a loop in a loop is not analysed anew',
    (what) => {
      const [conf] = hostileConfs[what] ?? [];
      const steps = (n: number) => read(conf?.(n) ?? '').steps;
      expect(steps(40)).toBeLessThan(4.5 * steps(20));
    },
  );

  test('a command line above the limit of words ends in an unknown word', () => {
    const { settings } = readConf(
      'kend.conf',
      Buffer.from(`ADDITIONAL="${'--rpcapi admin '.repeat(4_000)}"\n`),
    );
    const words = settings.start ?? [];
    expect(words.length).toBeLessThan(2_100);
    expect(words.at(-1)).toMatchObject({ text: null, variable: 'ADDITIONAL' });
    expect(settings.values.rpcapi?.indeterminate).toMatch(/more than 2000 words/);
  });

  test('evaluating alternatives of conditions stays within the step limit of the file', () => {
    const alternatives = (lines: number) => {
      const conf = `${'x && V=1\n'.repeat(10)}${'A=1\n'.repeat(lines)}`;
      return readConf('kend.conf', Buffer.from(conf)).alternatives?.length ?? 0;
    };
    expect([100, 1_500, 10_000].map(alternatives)).toEqual([12, expect.any(Number), 0]);
    expect(alternatives(1_500)).toBeLessThan(12);
  });
});

describe('nothing a conf says takes much', () => {
  const deep = 5000;
  test.each([
    ['doubling', `A=xxxxxxxxxxxxxxxx\n${'A=$A$A\n'.repeat(60)}`, 'A', null],
    ['names in a circle', 'A=B\nB=A\nC=$((A))\n', 'C', null],
    ['nested groups', `${'{ '.repeat(deep)}A=1${'; }'.repeat(deep)}\n`, 'A', undefined],
    ['nested subshells', `${'('.repeat(deep)}A=1${')'.repeat(deep)}\n`, 'A', undefined],
    ['nested expansions', `A=${'${B:-'.repeat(deep)}x${'}'.repeat(deep)}\n`, 'A', undefined],
    ['nested substitutions', `A=${'$('.repeat(deep)}x${')'.repeat(deep)}\n`, 'A', undefined],
    ['nested arithmetic', `A=$((${'('.repeat(deep)}1${')'.repeat(deep)}))\n`, 'A', undefined],
    ['a long expression', `A=$((${'1+'.repeat(100_000)}1))\n`, 'A', undefined],
    ['long signs', `A=$((${'-'.repeat(100_000)}1))\n`, 'A', null],
    ['nested loops', `${'while x; do '.repeat(40)}A=1${'; done'.repeat(40)}\n`, 'A', null],
    ['a long pattern', `A=${'a'.repeat(4000)}\n[[ $A == ${'*a'.repeat(40)}b ]] && B=1\n`, 'B', undefined],
    ['a pattern of half-matches', `A=${'a'.repeat(4000)}\n[[ $A == *a*a*b ]] && B=1\n`, 'B', undefined],
    [
      'a large number',
      'A=$((99999999999999999999999999999 ** 99999999999999))\n',
      'A',
      '1517942002086313983',
    ],
    ['many unclosed quotes', `${"'".repeat(99_999)}\n`, 'A', undefined],
    ['a long line', `A=${'x'.repeat(200_000)}\n`, 'A', null],
    ['many lines', 'A=1 B=$A C="$B"\n'.repeat(2_000), 'C', '1'],
    ['empty lines', '\n'.repeat(80_000), 'A', undefined],
    ['many exports', 'export A=1 B=2\n'.repeat(1_000), 'A', '1'],
    ['many braces', `export A=${'${B:-{'.repeat(100)}${','.repeat(100_000)}\n`, 'A', undefined],
    ['substitutions in an expansion', `A=\${B:-${'$(x) '.repeat(2_000)}}\n`, 'A', null],
    ['many tildes and colons', `A=${':~'.repeat(10_000)}\n`, 'A', null],
  ])('%s', (_what, conf, name, value) => {
    const found = variables(conf)[name];
    if (value === undefined) expect(found ?? null).toBe(null);
    else expect(found).toBe(value);
  });

  test.each([
    ['brackets', '['.repeat(200_000)],
    ['a number without a unit', `ADDITIONAL="--rpc.evmtimeout=${'0'.repeat(60_000)}!"`],
    ['a number with a blemish', `ADDITIONAL="--rpc.ethtxfeecap=${'1'.repeat(60_000)}!"`],
    ['slashes', `DATA_DIR="${'/'.repeat(60_000)}x"`],
    [
      'a flag within itself',
      `ADDITIONAL="--password=${'\\'.repeat(60_000)} --nodekeyhex ${'\\'.repeat(60_000)}"`,
    ],
  ])('%s', (_what, text) => {
    expect(readConf('kend.conf', Buffer.from(`${text}\n`)).settings.source.lines).not.toEqual([]);
  });

  test.each([
    ['parentheses', `${'('.repeat(500)}1${')'.repeat(500)}`],
    ['signs', `${'-'.repeat(5000)}1`],
    ['choices', `${'1?'.repeat(5000)}1${':1'.repeat(5000)}`],
    ['right-hand sides', `${'A='.repeat(5000)}1`],
    ['powers', `${'1**'.repeat(5000)}1`],
    ['a circle of names', '1+(A)" A="1+(RPC_ENABLE)'],
  ])('a switch of nested %s is indeterminate', (_what, value) => {
    const conf = readConf('kend.conf', Buffer.from(`export RPC_ENABLE="${value}"\n`));
    expect(conf.shell.switches.RPC_ENABLE).toBeNull();
    expect(conf.settings.listeners.find(({ kind }) => kind === 'http')?.state).toBe('unknown');
  });
});
