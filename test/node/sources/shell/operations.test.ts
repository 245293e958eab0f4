/** Expansions, arrays, braces and printf, as bash itself has them. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readShell } from '../../../../src/node/sources/shell/shell.js';
import type { Value } from '../../../../src/node/sources/shell/value.js';

const values = ['', 'a', 'abc', 'abcabc', 'a.b.c', '--http=HOSTIP:8545', 'path/to/file.tar.gz', 'x\ny'];
const patterns = [
  '',
  'a',
  'b',
  '*',
  '?',
  'a*',
  '*c',
  '*.',
  '.*',
  '*/',
  'HOSTIP',
  'a?c',
  '(',
  '--',
  '[ac]',
  '[!a-c]*',
  '"*"',
];
const operators = ['/', '//', '/#', '/%', '#', '##', '%', '%%', '^^', ',', '^'];
const ofPatterns = operators.flatMap((operator) =>
  values.flatMap((value) =>
    patterns.map((pattern) => {
      const text = `${operator}${pattern.replaceAll(/[/(]/g, '\\$&')}${operator.startsWith('/') ? '/new' : ''}`;
      return `X='${value}'; Y="\${X${text}}"`;
    }),
  ),
);

const setUp = [
  'A=(a b c); B=([3]=d [1]=b e); C=one; declare -A M=([k]=v); V=C; W="A[1]"; L="A[@]"; N=; I=1',
  'f() { local X=1; Y="$*:$#:${@:2}:${@: -1}"; }',
].join('\n');

const ofLists =
  `"\${A[@]}" \${A[*]} "\${A[1]}" "\${A[-1]}" "\${A[I+1]}" "\${A[$I]}" "\${A}" "\${#A[@]}" "\${#A[1]}" "\${!A[@]}"
  "\${A[@]:1}" "\${A[@]:1:1}" "\${A[@]: -2}" "\${A[@]/#/-}" "\${A[@]^^}" "\${A[@]%b}" "\${B[@]}" "\${!B[@]}" "\${B[@]:2}"
  "\${B[@]: -1}" "\${B[-1]}" "\${#B[@]}" "\${M[k]}" "\${!M[@]}" "\${M[@]}" "\${C[0]}" "\${C[@]}" "\${C[1]}" "\${!V}" "\${!W}"
  "\${!L}" "\${!W#b}" "\${!V:-x}" "\${C:1}" "\${C:1:1}" "\${C: -2}" "\${C:0:-1}" "\${C:(-2):1}" "\${C:I}" "\${C: -9}"
  "\${A[9]:-none}" "\${A[1]:+set}" "\${A[@]:-none}" "\${D[@]:-none}" "\${C@Q}" "\${C@U}" "\${A[*]@u}" "\${N:=new}"
  x{,y} {a,b}{1,2} {1..3} {3..1} {01..03} {1..9..4} {a..c} {a} {a,"b c"} "{a,b}" a{b,{c,d}}e {a\\,b,c} x{\${C},y}z {,} \\{a,b} \${C}{1,2}`
    .split(/\s+(?=["$x{a\\])/)
    .map((word) => `${setUp}\nY=; for one in ${word}; do Y="$Y<$one>"; done`);

const ofCommands = [
  'A[1]=x; Y="${A[*]}"',
  'A[5]+=x; A[1]+=y; Y="${A[*]} ${!A[*]}"',
  'B+=(z); Y="${!B[*]}"',
  'A=new; Y="${A[*]}"',
  'g() { local C=1; local C+=2; local D; local D; Y="$C-$D"; }; g; Y+="-$C"',
  'g() { local A=(1 2); declare "A[2]=3"; Y="${A[*]}"; }; g; Y+="${A[*]}"',
  'g() { C=5; local C; Y="<$C>"; C=6; local C; Y+="<$C>"; }; g; Y+=$C',
  'A+=new; Y="${A[*]}"',
  'C[1]=x; Y="${C[*]}"',
  'unset "A[1]"; Y="${A[*]} ${!A[*]}"',
  'unset A; Y="${A[*]}"',
  'declare "A[2]=x"; Y="${A[*]}"',
  'declare -a E; E+=(1); Y="${E[*]}"',
  'export A{1,2}=x; Y="$A1$A2"',
  'printf -v "A[1]" %s x; Y="${A[*]}"',
  'printf -v Y "%s,%s;" a b c',
  'printf -v Y "%-4s|%4s|%03d|%d%%\\n" a b 7 8',
  'IFS=,; Y="${A[*]}"',
  'IFS=; Y="${A[*]}"',
  'M[a b]=x; M["k"]=y; Y="${M[k]}${M[a b]}"',
  'f a b c',
  'for ((i = 0; i < 3; i++)); do Y+=$i; done',
  'i=0; while [ $i -lt 3 ]; do i=$((i + 1)); [ $i = 2 ] && continue; Y+=$i; done',
  'until [ ${#Y} -ge 3 ]; do Y+=x; done',
  'set -- a b; for X; do Y+=$X; done',
  'while IFS== read -r k v; do Y+="$v$k"; done <<< "a=1"',
  'case $C in [a-n]*) Y=no ;; [[:alpha:]]??) Y=yes ;; esac',
  '[[ $C == o[!a]e ]] && Y=yes',
  '[[ $C =~ ^o.e$ ]] && Y=yes',
].map((text) => `${setUp}\n${text}`);

const cases = [...ofPatterns, ...ofLists, ...ofCommands];

function valueOfY(text: string): Value | undefined {
  const { shell } = readShell(text, { variables: {}, exported: [] });
  return shell.look('Y');
}

test('every text gives Y the value that bash gives it', () => {
  const script = cases.map((text) => `(${text}\nprintf '%s\\0' "$Y")`).join('\n');
  const expected = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(expected).toHaveLength(cases.length);
  const different = cases.flatMap((text, at) => {
    const own = valueOfY(text) ?? '';
    return own === expected[at] ? [] : [[text.replace(setUp, '').trim(), expected[at], own]];
  });
  expect(different).toEqual([]);
});
