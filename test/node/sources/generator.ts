/** Writes random confs: every construct the reader knows, the syntaxIssues people make, and a little beyond both. */
import type { Random } from './random.js';

export const names = [
  'RPC_API',
  'RPC_ENABLE',
  'RPC_PORT',
  'WS_API',
  'PORT',
  'DATA_DIR',
  'ADDITIONAL',
  'METRICS',
  'X',
  'Y',
  'rpc_port',
] as const;

const words = [
  'klay',
  'eth',
  'net',
  'web3',
  'debug',
  '1',
  '0',
  '8551',
  '0x1',
  '08',
  'a',
  '*',
  'x y',
  '--rpcapi',
  '-1',
];
const plain = 'abcxyz0189,:./*-_=+@%#!?[]{}^~é“”‘’\u0001\u007f'.split('');

/** One conf, as text; `latin` bytes above 0x7f in it are meant as single bytes. */
export function conf(random: Random): Uint8Array {
  const lines: string[] = [];
  const count = 1 + random.below(14);
  for (let at = 0; at < count; at += 1) lines.push(...line(random, 0).split('\n'));
  let text = lines.map((one) => (random.chance(0.01) ? `${one}\r` : one)).join('\n');
  if (random.chance(0.015)) text = text.replaceAll('\n', '\r\n');
  if (random.chance(0.9)) text += '\n';
  if (random.chance(0.02)) text = `\uFEFF${text}`;
  let bytes = Buffer.from(text, 'utf8');
  if (random.chance(0.02)) bytes = inserted(random, bytes, bytes.indexOf(10) + 1, 0);
  if (random.chance(0.01)) bytes = inserted(random, bytes, 0, 0xe9);
  return bytes;
}

function inserted(random: Random, bytes: Buffer, from: number, byte: number): Buffer<ArrayBuffer> {
  if (from <= 0 && byte === 0) return Buffer.from(bytes);
  const at = from + random.below(bytes.length - from + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
}

/** One line, or the several of a compound command. */
export function line(random: Random, depth: number): string {
  const kind = random.weighted<(random: Random, depth: number) => string>([
    [46, assignment],
    [4, appended],
    [4, declaration],
    [2.5, unset],
    [3, several],
    [3, comment],
    [1, () => ''],
    [3, andOr],
    [depth > 2 ? 0 : 3, ifBlock],
    [2.5, prefixed],
    [5, issue],
    [2, arithmeticCommand],
    [depth > 2 ? 0 : 2, group],
    [1.2, harmless],
    [3, arrays],
    [depth > 2 ? 0 : 2, repeated],
    [2, expanded],
    [0.16, beyond],
    [0.35, broken],
  ]);
  const text = kind(random, depth);
  return random.chance(0.05) ? `  \t${text}` : text;
}

function name(random: Random): string {
  return random.pick(names);
}

function assignment(random: Random): string {
  return `${name(random)}=${value(random)}${trailing(random)}`;
}

function trailing(random: Random): string {
  if (random.chance(0.08)) return ` # ${random.pick(['note', 'it’s "odd"', "don't", '$X', '`'])}`;
  return random.chance(0.03) ? '  ' : '';
}

function appended(random: Random): string {
  return `${name(random)}+=${value(random)}`;
}

/** A right-hand side. */
function value(random: Random): string {
  if (random.chance(0.07)) return '';
  if (random.chance(0.35)) return simpleValue(random);
  let text = '';
  const count = 1 + random.below(4);
  for (let at = 0; at < count; at += 1)
    text += piece(random, 0).replace(/^\[/, text.endsWith('$') ? ',' : '[');
  return text;
}

function simpleValue(random: Random): string {
  const word = random.pick(words);
  if (/[ *]/.test(word)) return `"${word}"`;
  return random.weighted<string>([
    [4, word],
    [2, `"${word}"`],
    [1, `'${word}'`],
  ]);
}

function literal(random: Random): string {
  let text = '';
  for (let at = 1 + random.below(5); at > 0; at -= 1) text += random.pick(plain);
  return text;
}

/** A piece of an unquoted word. */
function piece(random: Random, depth: number): string {
  return random.weighted<() => string>([
    [6, () => literal(random)],
    [4, () => `"${inDouble(random, depth)}"`],
    [2, () => `'${random.pick(['', 'a b', '$X', '"', '\\', '#', 'x\ny', ';'])}'`],
    [2, () => expansion(random, depth)],
    [1.5, () => `$((${expression(random, 0)}))`],
    [1, () => `\\${random.pick([' ', '$', '"', "'", '\\', 'n', '\n', ';', '#', '*'])}`],
    [
      0.8,
      () =>
        `$'${random.pick(['a\\tb', '\\n', '\\x41', "\\'", '\\\\', '\\101', 'x', '\\q', '\\u0041', '\\0z'])}'`,
    ],
    [0.2, () => `$"${inDouble(random, depth)}"`],
    [0.2, () => '$'],
    [0.3, () => random.pick(['~', '~/x', 'a:~/b', '~"x"'])],
  ])();
}

function inDouble(random: Random, depth: number): string {
  let text = '';
  for (let at = random.below(4); at > 0; at -= 1) {
    text += random.weighted<() => string>([
      [5, () => random.pick([...words, ' ', ',', '#', ';', "'", '*', '~', '{a,b}', '\n', '!'])],
      [2, () => expansion(random, depth)],
      [1, () => `$((${expression(random, 0)}))`],
      [1, () => `\\${random.pick(['$', '"', '\\', 'n', '\n', '`', 'a'])}`],
      [0.2, () => '$'],
    ])();
  }
  return text;
}

function expansion(random: Random, depth: number): string {
  const variable = name(random);
  const operator = random.pick([':-', '-', ':=', '=', ':+', '+']);
  return random.weighted<() => string>([
    [3, () => `$${variable}`],
    [3, () => `\${${variable}}`],
    [depth > 1 ? 0 : 3, () => `\${${variable}${operator}${operand(random, depth + 1)}}`],
    [0.7, () => `\${#${variable}}`],
    [0.05, () => `\${${variable}:?gone}`],
    [0.1, () => random.pick(['${B!}', '${:x}', '${1x}'])],
    [0.05, () => random.pick([`\${${variable}%x}`, `\${${variable}/a/b}`, '$?', `\${${variable}^^}`])],
  ])();
}

function operand(random: Random, depth: number): string {
  return random.weighted<() => string>([
    [2, () => random.pick(['', 'x', 'a b', 'klay,eth', ' ', '1', '"q r"', '\\}', 'a#b'])],
    [1, () => expansion(random, depth)],
    [1, () => `"${inDouble(random, depth)}"`],
    [0.5, () => `$((${expression(random, 0)}))`],
  ])();
}

const binary = '+ - * / % ** << >> & | ^ && || == != < > <= >= ,'.split(' ');
const assign = '= += -= *= /= %= <<= >>= &= |= ^='.split(' ');

/** An arithmetic expression; some of them fail. */
export function expression(random: Random, depth: number): string {
  if (depth > 3) return atom(random);
  const deeper = () => expression(random, depth + 1);
  const blank = random.pick(['', '', ' ']);
  return random.weighted<() => string>([
    [5, () => atom(random)],
    [5, () => `${deeper()}${blank}${random.pick(binary)}${blank}${deeper()}`],
    [1, () => `(${deeper()})`],
    [1, () => `${random.pick(['-', '+', '!', '~', '- ', '--', '++'])}${deeper()}`],
    [0.7, () => `${deeper()}?${deeper()}:${deeper()}`],
    [0.7, () => `${name(random)}${blank}${random.pick(assign)}${blank}${deeper()}`],
    [0.4, () => `${name(random)}${random.pick(['++', '--'])}`],
    [0.3, () => `${random.pick(['++', '--'])}${name(random)}`],
    [0.15, () => random.pick(['', ' ', '1 2', '1+', '*', '1.5', '#', '1=2', '@'])],
  ])();
}

function atom(random: Random): string {
  return random.weighted<() => string>([
    [4, () => String(random.below(200))],
    [2, () => name(random)],
    [1, () => `$${name(random)}`],
    [
      1,
      () =>
        random.pick([
          '0x1f',
          '017',
          '08',
          '2#101',
          '36#zz',
          '64#@_',
          '65#1',
          '1#0',
          '0x',
          '16#',
          '10#09',
          '0X2',
        ]),
    ],
    [
      0.6,
      () => random.pick(['9223372036854775807', '9223372036854775808', '18446744073709551617', '4294967296']),
    ],
    [0.2, () => `"${random.below(9)}"`],
  ])();
}

function declaration(random: Random): string {
  const command = random.weighted<string>([
    [8, 'export'],
    [1, 'readonly'],
    [1, 'declare'],
    [0.7, 'declare -x'],
    [0.4, 'export -n'],
    [0.5, 'typeset'],
    [0.2, 'local'],
    [0.05, 'declare -i'],
  ]);
  const one = () =>
    random.weighted<string>([
      [5, `${name(random)}=${value(random)}`],
      [1, name(random)],
      [1, `${name(random)}+=${simpleValue(random)}`],
      [0.2, '1A=2'],
    ]);
  return random.chance(0.2) ? `${command} ${one()} ${one()}` : `${command} ${one()}`;
}

function unset(random: Random): string {
  return `unset ${random.pick(['', '-v ', '-f '])}${name(random)}${random.chance(0.2) ? ` ${name(random)}` : ''}`;
}

function several(random: Random): string {
  const separator = random.pick([';', '; ', ' ; ', ' ']);
  return [assignment(random), assignment(random)].map((one) => one.replace(/ +#.*$/, '')).join(separator);
}

function comment(random: Random): string {
  return `# ${random.pick(['RPC_API="x"', "it's", 'note "', '$(', '\\', '`'])}`;
}

function test(random: Random): string {
  const variable = name(random);
  const quoted = random.chance(0.6) ? `"$${variable}"` : `$${variable}`;
  const compare = random.pick(['-eq', '-ne', '-lt', '-ge', '=', '!=', '==']);
  return random.weighted<() => string>([
    [2, () => `[ ${random.pick(['-z', '-n', '! -z'])} ${quoted} ]`],
    [2, () => `[ ${quoted} ${compare} ${random.pick(['1', 'klay', '""', '0'])} ]`],
    [2, () => `[[ ${quoted} ${compare} ${random.pick(['1', 'klay', '0', 'k*', '"k*"', '?', '08'])} ]]`],
    [
      1,
      () =>
        `[[ ${random.pick(['-z', '-n', '! -z'])} ${quoted} ${random.pick(['&&', '||'])} 1 -eq ${atom(random)} ]]`,
    ],
    [1, () => random.pick(['true', 'false', ':', '! true', '! false'])],
    [0.5, () => `((${expression(random, 1)}))`],
    [0.4, () => `[ -v ${variable} ]`],
    [0.4, () => `[ ${quoted} ${random.pick(['-a', '-o'])} ${quoted} ]`],
    [0.5, () => `test ${quoted} ${compare} 1`],
    [0.5, () => assignment(random).replace(/ +#.*$/, '')],
  ])();
}

function andOr(random: Random): string {
  const one = assignment(random).replace(/ +#.*$/, '');
  const text = `${test(random)} ${random.pick(['&&', '||'])} ${one}`;
  return random.chance(0.3) ? `${text} ${random.pick(['&&', '||'])} ${assignment(random)}` : text;
}

function ifBlock(random: Random, depth: number): string {
  const body = () => line(random, depth + 1);
  const open = random.pick(['; then\n', '\nthen\n']);
  let text = `if ${test(random)}${open}${body()}\n`;
  if (random.chance(0.2)) text += `elif ${test(random)}${open}${body()}\n`;
  if (random.chance(0.4)) text += `else\n${body()}\n`;
  return `${text}:\nfi`
    .replace(/(then|else)\n\n/g, '$1\n:\n')
    .replace(/\n(#[^\n]*)\n(elif|else|fi)/g, '\n:$1\n:\n$2');
}

function prefixed(random: Random): string {
  const one = assignment(random).replace(/ +#.*$/, '');
  return `${one} ${random.pick(['true', ':', 'eth', 'klay,', 'false', `echo $${name(random)}`, `$Y`, '"$X"'])}`;
}

function issue(random: Random): string {
  const variable = name(random);
  return random.weighted<() => string>([
    [2, () => `${variable} = ${value(random)}`],
    [1, () => `${variable} =${value(random)}`],
    [2, () => `${variable}= ${random.pick(['"klay"', 'klay', '0'])}`],
    [2, () => `${variable}=klay, eth`],
    [2, () => `${variable}=klay;personal`],
    [1, () => `${variable}="klay;eth"`],
    [1, () => `${variable}=“klay,eth”`],
    [1, () => `${variable}=‘klay eth’`],
    [1, () => `${variable}=klay#x`],
    [1, () => `${variable}=*`],
    [1, () => `${variable}=a\\\nb\\\n  ${name(random)}=2`],
    [1, () => `${variable}=1\r`],
    [1, () => `export ${variable} = 1`],
    [0.4, () => `${variable}="klay`],
    [0.4, () => `${variable}='klay`],
    [0.5, () => `${variable}=a&${name(random)}=b`],
    [0.5, () => `${variable}=a|${name(random)}=b`],
    [0.5, () => `${variable.toLowerCase()}=1`],
    [0.5, () => `${variable}=a>/dev/null`],
    [0.3, () => `1${variable}=2`],
    [0.3, () => `$${variable}`],
    [0.3, () => `${variable}=\\`],
  ])();
}

function arithmeticCommand(random: Random): string {
  return random.weighted<() => string>([
    [1, () => `((${expression(random, 0)}))`],
    [1, () => `let "${expression(random, 1).replaceAll('"', '')}"`],
    [1, () => `: $((${expression(random, 0)}))`],
    [1, () => `${name(random)}=$((${name(random)} + 1))`],
  ])();
}

function group(random: Random, depth: number): string {
  const inner = () =>
    line(random, depth + 1)
      .replace(/^(\s*)$/, ':')
      .replace(/^(\s*#)/, ':$1');
  return random.weighted<() => string>([
    [2, () => `{ ${inner()}\n}`],
    [1, () => `(${inner()}\n)`],
    [1, () => `{ ${inner()}\n${inner()}\n} && ${assignment(random)}`],
    [0.5, () => `! { ${inner()}\n}`],
    [0.5, () => `${assignment(random).replace(/ +#.*$/, '')} | cat`],
  ])();
}

function harmless(random: Random): string {
  return random.pick([
    `echo \${${name(random)}:=x} "y"`,
    'echo a > /dev/null 2>&1',
    'true; false',
    'set -f',
    `echo $((${name(random)}=3))`,
    ': <<EOF\nRPC_API=personal\nEOF',
    ": <<-'EOF'\n\tRPC_API='\n\tEOF",
    'klay eth net',
    'return_code=1',
    'umask 022',
    `export ${name(random)}`,
  ]);
}

const subscripts = ['0', '1', '3', 'X', '-1', '"1"', '$PORT', '1+1', '08'];

/** Arrays, their elements and their expansions. */
function arrays(random: Random): string {
  const [of, to] = [name(random), name(random)];
  const subscript = random.pick(subscripts);
  return random.weighted<() => string>([
    [
      3,
      () => `${of}=(${random.pick(['', 'a b', '"a b" $X', '[2]=x y', 'x{1,2}', '1 2 3', '$Y "$Y"', '*'])})`,
    ],
    [2, () => `${of}[${subscript}]=${simpleValue(random)}`],
    [1, () => `${of}+=(${simpleValue(random)})`],
    [0.5, () => `${of}[${subscript}]+=x`],
    [0.5, () => `unset "${of}[${random.pick(['0', '1', '-1'])}]"`],
    [0.5, () => `declare "${of}[${random.pick(['0', '2'])}]=${random.pick(['x', 'a b'])}"`],
    [0.5, () => `printf -v "${of}[${random.pick(['0', '2'])}]" '%s-%s' a ${random.pick(['b', '"$X"'])}`],
    [0.5, () => `declare -a ${of}`],
    [2, () => `${to}="\${${of}[${random.pick(['@', '*', subscript])}]}"`],
    [1, () => `${to}="\${#${of}[${random.pick(['@', subscript])}]}\${!${of}[*]}"`],
    [1, () => `${to}=("\${${of}[@]${random.pick([':1', ':1:1', ': -1', '/a/b', '#a', '^^', ''])}}")`],
    [0.5, () => `IFS=,; ${to}="\${${of}[*]}"; unset IFS`],
  ])();
}

/** Functions, loops and case commands. */
function repeated(random: Random, depth: number): string {
  const body = () =>
    line(random, depth + 1)
      .replace(/^(\s*)$/, ':')
      .replace(/^(\s*#)/, ':$1');
  const variable = name(random);
  return random.weighted<() => string>([
    [
      2,
      () =>
        `for ${variable} in ${random.pick(['1 2', 'a{b,c}', '$X', '"$Y"', '"${X[@]}"'])}; do\n${body()}\ndone`,
    ],
    [1, () => `for ((rpc_port=0; rpc_port<${random.below(4)}; rpc_port++)); do ${variable}+=$rpc_port; done`],
    [1, () => `while [ \${#${variable}} -lt 3 ]; do ${variable}+=x; done`],
    [
      1,
      () =>
        `f() { local ${variable}=$1; ${name(random)}=$2$${variable}; }\nf ${simpleValue(random)} ${simpleValue(random)}`,
    ],
    [1, () => `f() {\n${body()}\n}\nf a`],
    [
      1,
      () =>
        `case $${variable} in ${random.pick(['[a-k]*', 'k*|1', '?', '""', '[[:digit:]]*'])}) Y=1 ;; *) ${name(random)}=2 ;; esac`,
    ],
  ])();
}

/** Operators of expansions, and printf. */
function expanded(random: Random): string {
  const [of, to] = [name(random), name(random)];
  const operator = random.pick(
    '#a ##*, %* %%,* /a/b //a/ /#a/x /%c/x // //,/. ^ ^^ , ,, ^^[a-k] :1 :1:2 : -2 :0:-1 :X @U @Q #"*" //[!a]/_ /a/"$X" %"$Y"'.split(
      / (?!-)/,
    ),
  );
  return random.weighted<() => string>([
    [4, () => `${to}=\${${of}${operator}}`],
    [2, () => `${to}="\${${of}${operator}}"`],
    [1, () => `${of}=${random.pick(['PORT', 'Y', 'Y[0]', 'Y[1]', 'X'])}; ${to}=\${!${of}}`],
    [
      1,
      () =>
        `printf -v ${to} '${random.pick(['%s', '%s,', '%d', '%3s|%-3s', 'x%%\\n', '%03d'])}' ${simpleValue(random)} ${random.pick(['', '5', '"$X"'])}`,
    ],
  ])();
}

/** Outside the subset: what follows is indeterminate, never wrong. */
function beyond(random: Random): string {
  return random.pick([
    `${name(random)}=$(echo x)`,
    `${name(random)}=\`echo y\``,
    `${name(random)}="$(echo ')' "a b")x"`,
    `for X in 1 2; do ${name(random)}=$X; done`,
    `while false; do ${assignment(random).replace(/ +#.*$/, '')}; done`,
    `case $X in a|b) Y=1 ;; *) PORT=2 ;; esac`,
    `f() { ${assignment(random).replace(/ +#.*$/, '')}; }\nf`,
    `eval '${name(random)}=7'`,
    `${name(random)}=(1 2)`,
    `${name(random)}[1]=x`,
    `read ${name(random)} <<< "a b"`,
    `${name(random)}=\${X:1:1}`,
    `[ -e /nowhere ] && ${assignment(random)}`,
    `[[ $X =~ ^(a|b)$ ]] && ${assignment(random)}`,
    `printf -v ${name(random)} '%s' x`,
    `${name(random)}=$RANDOM`,
    `declare -u X=abc`,
    `exit 3`,
    `return`,
    `set -- a b`,
    `${name(random)}=a\${}b`,
    `command -v klay || ${assignment(random)}`,
    `${name(random)}=$[1+1]`,
  ]);
}

/** What bash does not parse, or only in part. */
function broken(random: Random): string {
  const variable = name(random);
  return random.pick([
    `${variable}=1 )`,
    `${variable}=a(b)`,
    `${variable}=1;;`,
    '&& X=1',
    'fi',
    '}',
    'if true; then',
    `${variable}="$(x"`,
    `${variable}=\${x`,
    `${variable}=$((1+`,
    `${variable}=\`x`,
    'X=1 |',
    'for',
    '[[ a == ]]',
    `${variable}=1; ; Y=2`,
    '{ X=1 }',
    'cat <<EOF\nX=5',
  ]);
}
