/** Command lines as urfave/cli parses them: the uses of flags, other readings behind |, and why the node does not start. */
import { expect, test } from 'vitest';
import type { Program } from '../../../../src/node/dialect/dialect.js';
import type { Flag, FlagRules, FlagType } from '../../../../src/node/dialect/flag.js';
import { go } from '../../../../src/node/dialect/go/index.js';
import { asWritten, type Occurrence } from '../../../../src/node/dialect/occurrence.js';
import type { CommandWord } from '../../../../src/node/dialect/word.js';
import { span } from '../../judge/facts.js';

const flagOf = (name: string, type: FlagType, aliases: readonly string[] = []): Flag => {
  return { name, aliases, type, environment: [], fallback: null };
};
const flags = [
  flagOf('on', 'bool', ['o']),
  flagOf('port', 'int', ['http.port']),
  flagOf('names', 'list'),
  flagOf('key', 'string'),
  flagOf('addr', 'string'),
  flagOf('api', 'string'),
  flagOf('unlock', 'string'),
];
const older = [flagOf('was', 'bool'), flagOf('had', 'string')];

const quiet: FlagRules = {
  ofAnyRelease: (name) => older.find((one) => one.name === name) ?? null,
  opensMore: (name) => name === 'on',
  decides: (name) => (name === 'addr' || name === 'api' ? name : null),
  literal: new Set(['on']),
  counting: null,
  unlock: 'unlock',
  keyFile: { flag: 'key', variable: 'KEY_PATH' },
};

function programWith(rules: Partial<FlagRules> = {}): Program {
  return {
    flags: {
      flags,
      byName: new Map(flags.flatMap((flag) => [flag.name, ...flag.aliases].map((name) => [name, flag]))),
      byEnvironment: new Map(),
      defaults: {},
    },
    rules: { ...quiet, ...rules },
    consoles: ['console'],
    unknown: (written, name) =>
      name.startsWith('new')
        ? { message: `${written} is new`, release: 'certain' }
        : { message: `${written} is none` },
    isKnown: (text) => !text.includes('$'),
  };
}

/** A word that holds $ is not known: what is around it is. */
function wordOf(text: string, at: number): CommandWord {
  const word = { variable: null, cause: null, causeAt: null, indeterminate: null, maybe: null };
  const place = span(1, at + 1, at + 2);
  return text.includes('$') ? { ...word, text: null, at: place, partly: text } : { ...word, text, at: place };
}

const told = (one: Occurrence) => {
  const name = one.written === one.flag.name ? one.written : `${one.flag.name} as ${one.written}`;
  const value =
    one.value ??
    `? (${one.indeterminate}${one.unknown ? `, ${one.unknown.name}, ${one.unknown.written}` : ''})`;
  const doubts = one.doubts.length === 0 ? '' : `, unless ${one.doubts.join(' and ')}`;
  return `${one.isFirst ? '' : '| '}${name}=${value} @${one.at}${one.literal ? ' literal' : ''}${doubts}`;
};

function parsed(text: string, rules: Partial<FlagRules> = {}) {
  const words = (text === '' ? [] : text.split(' ')).map(wordOf);
  return go.parse(programWith(rules), words);
}

const stray = (word: string) => `stray-word: the node reads ${word} as a command and does not start`;
const unknown = (word: string) => `unknown-flag: ${word} is none`;

test.each<[words: string, uses: readonly string[], problems: readonly string[]]>([
  ['', [], []],
  ['--on --port 8551', ['on=true @0 literal', 'port=8551 @2'], []],
  ['-on -port=8551', ['on=true @0 literal', 'port=8551 @1'], []],
  ['-o --http.port=1', ['on as o=true @0', 'port as http.port=1 @1'], []],
  ['--on=true --on=false', ['on=true @0', 'on=false @1'], []],
  ['--on false', ['on=true @0 literal, unless --on gets false'], [stray('false')]],
  ['--on true', ['on=true @0 literal'], [stray('true')]],
  [
    '--on=yes',
    ['on=true @0, unless --on is taken out'],
    ['bad-value: --on gets “yes”, but it is neither true nor false: the node does not start'],
  ],
  [
    '--port',
    ['port=? (its value is missing) @0, unless --port is taken out'],
    ['missing-value: --port needs a value and none follows'],
  ],
  [
    '--port x --on',
    ['port=? (the node refuses “x”) @0, unless --port is taken out', 'on=true @2 literal'],
    ['bad-value: --port gets “x”, but it is not a whole number: the node does not start'],
  ],
  [
    '--port --on',
    ['port=? (the node refuses “--on”) @0, unless --port is taken out', 'on=true @1 literal'],
    ['bad-value: --port gets “--on”, but it is not a whole number: the node does not start'],
  ],
  ['--addr --on', ['addr=--on @1'], []],
  ['--addr= --on', ['addr= @0', 'on=true @1 literal'], []],
  ['--names a --names b,c', ['names=a @1', 'names=b,c @3'], []],
  [
    '--key --on',
    ['on=true @1 literal'],
    [
      'missing-value: --key takes the next word, --on, for its key file, since none is given: the node does not start',
    ],
  ],
  ['--key -on', ['key=-on @1'], []],
  ['--key=a --on', ['key=a @0', 'on=true @1 literal'], []],
  ['- x --on', ['on=true @2 literal'], [stray('-')]],
  ['console --on', ['on=true @1 literal'], []],
  ['console x y --on', ['on=true @3 literal'], []],
  ['x y console z', [], [stray('x')]],
  ['x --on y', ['on=true @1 literal'], [stray('x'), stray('y')]],
  ['-- x --on', ['| on=true @2 literal, unless -- is removed'], [stray('x')]],
  ['---on', ['on=true @0 literal'], ['bad-syntax: ---on is not a flag: bad flag syntax']],
  ['--=x --on', ['on=true @1 literal'], ['bad-syntax: --=x is not a flag: bad flag syntax']],
  [
    '--help --on',
    ['on=true @1 literal'],
    ['ending-flag: --help prints a text and ends; the node does not start'],
  ],
  ['-v=1', [], ['ending-flag: --v prints a text and ends; the node does not start']],
  [
    '--newer --on',
    ['on=true @1 literal, unless --newer takes a value'],
    ['unknown-flag certain: --newer is new'],
  ],
  ['-other=x --on', ['on=true @1 literal'], [unknown('-other')]],
  ['--was x', [], [unknown('--was'), stray('x')]],
  ['--had --on --on', ['on=true @2 literal'], [unknown('--had')]],
  ['--other x --on', ['on=true @2 literal'], [unknown('--other')]],
  ['--other --on x', ['on=true @1 literal'], [unknown('--other'), stray('x')]],
  ['--other --port 1', ['port=1 @2'], [unknown('--other')]],
  [
    '--other --on --port 1',
    ['on=true @1 literal, unless --other takes a value', 'port=1 @3'],
    [unknown('--other')],
  ],
  ['--other --on', ['on=true @1 literal, unless --other takes a value'], [unknown('--other')]],
  ['--other $X --on', ['on=true @2 literal'], [unknown('--other')]],
  ['--port $X', ['port=? (it cannot be known, a word (kend.conf:1), null) @1'], []],
  [
    '--port=$X --on',
    ['port=? (it cannot be known, a word (kend.conf:1), null) @0', 'on=true @1 literal'],
    [],
  ],
  ['--addr=10.0.0.$X', ['addr=? (it cannot be known, a word (kend.conf:1), null) @0'], []],
  ['--api=eth,$X,net,', ['api=? (it cannot be known, a word (kend.conf:1), eth,net) @0'], []],
  ['--api $X', ['api=? (it cannot be known, a word (kend.conf:1), null) @1'], []],
  ['--unlock 0x1,a$X', ['unlock=? (it cannot be known, a word (kend.conf:1), 0x1) @1'], []],
  ['--other=$X --on', ['on=true @1 literal'], [unknown('--other')]],
  [
    '--on --o',
    ['on=true @0 literal', 'on as o=true @1, unless --o is taken out'],
    ['conflicting-flags: --on and --o are one flag: the node refuses two forms of it and does not start'],
  ],
  ['--o -- --on', ['on as o=true @0', '| on=true @2 literal, unless -- is removed'], [stray('--on')]],
  ['--other --on $X', ['on=true @1 literal'], [unknown('--other')]],
  ['--on --port 1 --on', ['on=true @0 literal', 'port=1 @2', 'on=true @3 literal'], []],
])('%s', (text, uses, problems) => {
  const { occurrences, problems: found } = parsed(text);
  expect(occurrences.map(told)).toEqual(uses);
  expect(
    found.map(({ kind, release, message }) => `${[kind, release].filter(Boolean).join(' ')}: ${message}`),
  ).toEqual(problems);
  expect(found.every(({ fatal }) => fatal)).toBe(true);
});

test('two names of one flag are no problem for a node that counts one of them', () => {
  const counting = <T>(uses: readonly T[]) => uses.slice(1);
  expect(parsed('--on --o', { counting }).problems).toEqual([]);
  const { occurrences } = parsed('--on --o=false', { counting });
  expect(go.effective({ ...quiet, counting }, occurrences).map(told)).toEqual(['on as o=false @1']);
});

test('the problem of a missing key file names its variable, that of a value the place of the value', () => {
  expect(parsed('--key --on').problems).toMatchObject([{ variable: 'KEY_PATH', flags: ['key'] }]);
  expect(parsed('--port x').problems).toMatchObject([{ variable: null, at: span(1, 2, 3), flags: ['port'] }]);
  const [port, x] = ['--port', 'x'].map(wordOf) as [CommandWord, CommandWord];
  const asked = { ...port, cause: 'PORT' };
  expect(go.parse(programWith(), [asked, { ...x, at: null }]).problems).toMatchObject([
    { variable: 'PORT', at: span(1, 1, 2) },
  ]);
});

test('an unknown word may be any flag, or some', () => {
  const [unknown, on, other] = ['$X', '--on', '--other'].map(wordOf) as [
    CommandWord,
    CommandWord,
    CommandWord,
  ];
  const some: CommandWord = { ...unknown, maybe: ['port'], indeterminate: 'why', unknown: '$X (run.sh:7)' };
  const { maybe, occurrences } = go.parse(programWith(), [unknown, on, some]);
  const origin = expect.objectContaining({ kind: 'launcher', flag: '' });
  expect(maybe).toEqual([
    { flags: null, reason: 'it cannot be known', name: 'a word (kend.conf:1)', at: 0, origin },
    { flags: ['port'], reason: 'why', name: '$X (run.sh:7)', at: 2, origin },
  ]);
  expect(occurrences.map(told)).toEqual(['on=true @1 literal']);
  expect(go.parse(programWith(), [other, on, some]).occurrences.map(told)).toEqual([
    'on=true @1 literal, unless --other takes a value',
  ]);
  expect(go.parse(programWith(), [wordOf('--', 0), some]).maybe).toEqual([]);
});

test.each([
  ['--on --on=false', ['on=true @0 literal']],
  ['--on=true --on=false', ['on=true @0', 'on=false @1']],
  ['--port 1 --port 2', ['port=1 @1', 'port=2 @3']],
  ['--on --names a --port 1 --names b,c', ['on=true @0 literal', 'port=1 @4', 'names=a,b,c @6']],
  ['--names a --names $X', ['names=? (it cannot be known, a word (kend.conf:1), null) @3']],
  ['--names $X --names a', ['names=? (it cannot be known) @3']],
])('of %s count %j', (text, uses) => {
  expect(go.effective(quiet, parsed(text).occurrences).map(told)).toEqual(uses);
});

test('the written parts of unknown values stand for the values', () => {
  const { occurrences } = parsed('--api=eth,$X --addr=$X --port 1');
  expect(asWritten(occurrences).map(({ value, indeterminate }) => [value, indeterminate])).toEqual([
    ['eth', null],
    [null, 'it cannot be known'],
    [1, null],
  ]);
});
