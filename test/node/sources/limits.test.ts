import { describe, expect, test } from 'vitest';
import { readConf } from '../../../src/node/sources/conf/conf.js';

function variables(conf: string): Readonly<Record<string, string | null>> {
  return readConf('kend.conf', Buffer.from(conf)).shell.variables;
}

describe('nothing a conf says takes long or much', () => {
  const deep = 5000;
  test.each([
    ['doubling', `A=xxxxxxxxxxxxxxxx\n${'A=$A$A\n'.repeat(60)}`, 'A', null],
    ['names in a circle', 'A=B\nB=A\nC=$((A))\n', 'C', null],
    ['nested groups', `${'{ '.repeat(deep)}A=1${'; }'.repeat(deep)}\n`, 'A', undefined],
    ['nested subshells', `${'('.repeat(deep)}A=1${')'.repeat(deep)}\n`, 'A', undefined],
    ['nested expansions', `A=${'${B:-'.repeat(deep)}x${'}'.repeat(deep)}\n`, 'A', undefined],
    ['nested substitutions', `A=${'$('.repeat(deep)}x${')'.repeat(deep)}\n`, 'A', undefined],
    ['nested arithmetic', `A=$((${'('.repeat(deep)}1${')'.repeat(deep)}))\n`, 'A', undefined],
    ['a long expression', `A=$((${'1+'.repeat(200_000)}1))\n`, 'A', null],
    ['long signs', `A=$((${'-'.repeat(100_000)}1))\n`, 'A', null],
    ['nested loops', `${'while x; do '.repeat(60)}A=1${'; done'.repeat(60)}\n`, 'A', null],
    ['a long pattern', `A=${'a'.repeat(4000)}\n[[ $A == ${'*a'.repeat(40)}b ]] && B=1\n`, 'B', undefined],
    ['a pattern of half-matches', `A=${'a'.repeat(4000)}\n[[ $A == *a*a*b ]] && B=1\n`, 'B', undefined],
    [
      'a long pattern against a long text',
      `A=${'a'.repeat(60_000)}\n${`[[ $A == *${'a'.repeat(30_000)}b ]] && B=1\n`.repeat(9)}B=2\n`,
      'B',
      undefined,
    ],
    [
      'a large number',
      'A=$((99999999999999999999999999999 ** 99999999999999))\n',
      'A',
      '1517942002086313983',
    ],
    ['many unclosed quotes', `${"'".repeat(99_999)}\n`, 'A', undefined],
    ['a long line', `A=${'x'.repeat(900_000)}\n`, 'A', null],
    ['many lines', 'A=1 B=$A C="$B"\n'.repeat(40_000), 'C', '1'],
    ['empty lines', '\n'.repeat(1_000_000), 'A', undefined],
    ['many exports', 'export A=1 B=2\n'.repeat(60_000), 'A', '1'],
    ['many names', Array.from({ length: 50_000 }, (_, at) => `export V${at}=1\n`).join(''), 'A', undefined],
    [
      'many conditions',
      Array.from({ length: 30_000 }, (_, at) => `x && V${at}=1\n`).join(''),
      'A',
      undefined,
    ],
    ['many evals', Array.from({ length: 30_000 }, (_, at) => `V${at}=1;eval x\n`).join(''), 'A', undefined],
    ['many braces', `export A=${'${B:-{'.repeat(100)}${','.repeat(100_000)}\n`, 'A', undefined],
    ['many words', `ADDITIONAL="${'--x\\\\y '.repeat(8_000)}"\n`.repeat(12), 'X', undefined],
    ['substitutions in an expansion', `A=\${B:-${'$(x) '.repeat(100_000)}}\n`, 'A', null],
    ['many tildes and colons', `A=${':~'.repeat(200_000)}\n`, 'A', null],
  ])('%s', { timeout: 10_000 }, (_what, conf, name, value) => {
    const found = variables(conf)[name];
    if (value === undefined) expect(found ?? null).toBe(null);
    else expect(found).toBe(value);
  });

  test.each([
    ['brackets', '['.repeat(900_000)],
    ['a number without a unit', `ADDITIONAL="--rpc.evmtimeout=${'0'.repeat(60_000)}!"`],
    ['a number with a blemish', `ADDITIONAL="--rpc.ethtxfeecap=${'1'.repeat(60_000)}!"`],
    ['slashes', `DATA_DIR="${'/'.repeat(60_000)}x"`],
    [
      'a flag within itself',
      `ADDITIONAL="--password=${'\\'.repeat(60_000)} --nodekeyhex ${'\\'.repeat(60_000)}"`,
    ],
  ])('%s', { timeout: 5_000 }, (_what, text) => {
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
