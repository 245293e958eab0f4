/** Confs that ask for more work than their size: each a pattern that grows with `n`. */
import type { Random } from '../random.js';

const many = (n: number, line: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => line(at)).join('');
const around = (open: string, close: string, n: number, inner = 'A=1') =>
  `${open.repeat(n)}${inner}${close.repeat(n)}\n`;
const set = (n: number) => many(n, (at) => `V${at}=1\n`);

/** By name: the text, and the `n` that makes a conf of at most 256 KiB of it. */
export const hostileConfs: Readonly<Record<string, readonly [(n: number) => string, number]>> = {
  'conditional assignments': [(n) => 'x && V=1\n'.repeat(n), 20_000],
  'conditional assignments of many names': [(n) => many(n, (at) => `x && V${at}=1\n`), 15_000],
  'branches over many variables': [(n) => set(n) + 'x && A=1\n'.repeat(n), 10_000],
  'branches over exported variables': [
    (n) => many(n, (at) => `export V${at}=1\n`) + 'x && A=1\n'.repeat(n),
    8_000,
  ],
  'branches over read-only variables': [
    (n) => many(n, (at) => `readonly V${at}=1\n`) + 'x && A=1\n'.repeat(n),
    7_000,
  ],
  'branches over removed variables': [
    (n) => many(n, (at) => `unset V${at}\n`) + 'x && A=1\n'.repeat(n),
    8_000,
  ],
  'branches over integers': [(n) => many(n, (at) => `declare -i V${at}=1\n`) + 'x && A=1\n'.repeat(n), 7_000],
  'branches over functions': [(n) => many(n, (at) => `f${at}() { A=1; }\n`) + 'x && A=1\n'.repeat(n), 8_000],
  'branches with many changes': [(n) => `x && { ${many(50, (at) => `V${at}=1; `)}}\n`.repeat(n), 600],
  'a long && chain': [(n) => `x${many(n, (at) => ` && V${at}=1`)}\n`, 16_000],
  'a chain of && and ||': [(n) => `x${' && V=1 || W=2'.repeat(n)}\n`, 16_000],
  'a long elif chain': [(n) => `if x; then A=1; ${many(n, (at) => `elif y; then V${at}=1; `)}fi\n`, 8_000],
  'nested while': [(n) => around('while x; do ', '; done', n), 190],
  'nested for': [(n) => around('for i in a b; do ', '; done', n), 190],
  'nested loops that assign': [
    (n) => `${many(n, (at) => `while x; do V${at}=$W${at}; `)}A=1${'; done'.repeat(n)}\n`,
    190,
  ],
  'nested arithmetic loops': [
    (n) => `${many(n, (at) => `for ((i${at}=0;i${at}<9;i${at}++)); do `)}A=1${'; done'.repeat(n)}\n`,
    190,
  ],
  'loops over many variables': [(n) => set(n) + many(n, (at) => `while x; do W=$V${at}; done\n`), 5_000],
  'nested if': [(n) => around('if x; then B=1; else ', '; fi', n), 190],
  'nested conditions': [(n) => around('if ', '; then B=1; fi', n, 'x'), 190],
  'ifs with many changes': [
    (n) => `${'if x; then '.repeat(50)}${many(n, (at) => `W${at}=2; `)}${'fi; '.repeat(49)}fi\n`,
    20_000,
  ],
  'nested case': [(n) => around('case $x in a) ', ';; b) B=1;; esac', n), 190],
  'a wide case': [(n) => `case $x in ${many(n, (at) => `a${at}) V${at}=1;; `)}esac\n`, 14_000],
  'wide cases over many variables': [
    (n) => set(n) + `case $x in ${many(100, (at) => `a${at}) V${at}=1;; `)}esac\n`.repeat(n / 20),
    2_000,
  ],
  'mixed nesting': [
    (n) =>
      `${'while x; do if y; then case $z in a) for i in 1; do '.repeat(n)}A=1${'; done;; b) B=1;; esac; else C=1; fi; done'.repeat(n)}\n`,
    45,
  ],
  'nested redirected groups': [(n) => around('{ ', '; } > a', n), 190],
  'redirected groups over many variables': [(n) => set(n) + '{ W=1; } > a\n'.repeat(n), 10_000],
  'nested functions': [(n) => around('f() { ', '; }', n), 190],
  'function calls': [(n) => `${set(n)}f() { A=1; }\n${'f\n'.repeat(n)}`, 15_000],
  'doubled values': [(n) => `A=xxxxxxxxxxxxxxxx\n${'A=$A$A\n'.repeat(n)}`, 30_000],
  'long values copied': [(n) => `A=x\n${'A=$A$A\n'.repeat(15)}${'B=$A$A\nC=$B\n'.repeat(n)}`, 16_000],
  'values appended to': [(n) => `A=x\n${'A+=x\n'.repeat(n)}`, 50_000],
  'an expression evaluated again and again': [
    (n) => `A=${'1+'.repeat(n)}1\n${'B=$((A))\n'.repeat(n)}`,
    20_000,
  ],
  'names that double an expression': [
    (n) => `${many(n, (at) => `V${at}=V${at + 1}+V${at + 1}\n`)}V${n}=1\nA=$((V0))\n`,
    120,
  ],
  'nested arithmetic': [(n) => `A=${'$(( '.repeat(150)}${'1 + '.repeat(n)}1${' ))'.repeat(150)}\n`, 60_000],
  'arithmetic commands': [(n) => `${'(('.repeat(50)}1${'))'.repeat(50)}\n`.repeat(n), 1_200],
  powers: [(n) => 'A=$((9**9**9**99999))\n'.repeat(n), 11_000],
  'arithmetic of unknown values': [(n) => `X=$(y)\n${`A=$((${'B=X+'.repeat(1_000)}1))\n`.repeat(n)}`, 60],
  'replacing expansions': [(n) => 'A=${B//x/y}\n'.repeat(n), 20_000],
  'nested defaults': [(n) => `A=${'${B:-'.repeat(100)}x${'}'.repeat(100)}\n`.repeat(n), 400],
  'undecided defaults': [(n) => `X=$(y)\n${set(n)}${'A=${X:-1}\n'.repeat(n)}`, 12_000],
  'undecided assignments': [(n) => `X=$(y)\n${set(n)}${many(n, (at) => `A=\${X:=\${V${at}:=1}}\n`)}`, 6_000],
  'undecided nested defaults': [
    (n) => `X=$(y)\n${set(n)}${`A=${'${X:-'.repeat(100)}x${'}'.repeat(100)}\n`.repeat(n / 10)}`,
    2_000,
  ],
  'nested substitutions': [(n) => `A=${'$( '.repeat(190)}${'x '.repeat(n)}${' )'.repeat(190)}\n`, 100_000],
  'here documents': [(n) => 'x <<E\n$A ${B:=1} $((C=1))\nE\n'.repeat(n), 9_000],
  'many here documents of one command': [
    (n) => `x ${'<<E '.repeat(n)}\n${'$((a)) b\nE\n'.repeat(n)}`,
    15_000,
  ],
  'a long array': [(n) => `A=(${'a '.repeat(n)})\n`, 130_000],
  'indices that assign': [(n) => many(n, (at) => `A[V${at}=1]=2\n`), 15_000],
  'a long declaration': [(n) => `export ${many(n, (at) => `V${at}=1 `)}\n`, 25_000],
  'assignments in front of commands': [(n) => many(n, (at) => `V${at}=$V${at} `).concat('x\n'), 15_000],
  'commands that may set anything': [(n) => set(n) + 'eval x\n'.repeat(n), 15_000],
  'many words': [(n) => `x ${'a '.repeat(n)}\n`, 130_000],
  'a huge word': [(n) => `A=${'x'.repeat(n)}\n`, 260_000],
  'long patterns': [
    (n) => `A=${'a'.repeat(4_000)}\n${`[[ $A == ${'*a'.repeat(40)}b ]] && B=1\n`.repeat(n)}`,
    2_000,
  ],
  'a long pattern against a long text': [
    (n) => `A=${'a'.repeat(60_000)}\n${`[[ $A == *${'a'.repeat(30_000)}b ]] && B=1\n`.repeat(n)}`,
    6,
  ],
  'long conditions': [(n) => `[[ ${'$A && '.repeat(150)}b ]]\n`.repeat(n), 280],
  'a long test': [(n) => `[ ${'a -o '.repeat(n)}b ]\n`, 50_000],
  'unclosed expansions': [(n) => `${'A=${B//'.repeat(n)}\n`, 35_000],
  'continued lines': [(n) => `A=${'\\\n'.repeat(n)}\n`, 130_000],
  'a continued name': [(n) => `${'A\\\n'.repeat(n)}=1\n`, 80_000],
  'many tildes': [(n) => `A=${`:~${'a'.repeat(250)}`.repeat(n)}\n`, 1_000],
  'commands in the background': [(n) => `${'x & '.repeat(n)}\n`, 65_000],
  'a long pipeline': [(n) => `x${' | y'.repeat(n)}\n`, 65_000],
  'lines that may leave the file': [(n) => 'x && return\nA=1\n'.repeat(n), 16_000],
  'lines that may end the launcher': [(n) => 'x && exit\nA=1\n'.repeat(n), 18_000],
  'plain lines': [(n) => 'A=1 B=$A C="$B"\n'.repeat(n), 16_000],
  comments: [(n) => '# x\n'.repeat(n), 65_000],
};

/** Commands within commands, some of them repeated: what no table thinks of. */
export function hostileConf(random: Random): string {
  let text = random.pick([
    'A=1',
    'A=$A$B',
    'B=${A:=1}',
    ': $((A=B+1))',
    'unset A',
    'f',
    'read A',
    'export A=$B',
  ]);
  for (let depth = 1 + random.below(60); depth > 0 && text.length < 100_000; depth -= 1)
    text = wrapped(random, text);
  const before = random.pick([
    '',
    set(2_000),
    'A=xxxxxxxx\n'.concat('A=$A$A\n'.repeat(12)),
    'f() { A=$B; }\n',
  ]);
  return `${before}${text}\n`.repeat(random.chance(0.3) ? 1 + random.below(20) : 1).slice(0, 1 << 18);
}

function wrapped(random: Random, text: string): string {
  return random.weighted<string>([
    [4, `while x; do ${text}; done`],
    [2, `for i in a; do B=$i; ${text}; done`],
    [4, `if x; then ${text}; else C=1; fi`],
    [2, `if x; then B=2; elif y; then ${text}; fi`],
    [2, `case $x in a) ${text};; b) B=$A;; esac`],
    [2, `x && { ${text}; } || C=$A`],
    [2, `{ ${text}; } > a`],
    [1, `( ${text} )`],
    [1, `{ A=0; ${text}; B=$A; }`],
    [1, `f() { ${text}; }; f`],
    [0.5, `{ ${text}; ${text}; }`],
    [0.5, `: "\${X:-$(${text})}"; ${text}`],
  ]);
}
