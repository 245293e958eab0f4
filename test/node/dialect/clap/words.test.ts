/** Command lines as clap 4 parses them: the uses of options, other readings behind |, and why the node does not start. */
import { expect, test } from 'vitest';
import { clap } from '../../../../src/node/dialect/clap/index.js';
import type { Program } from '../../../../src/node/dialect/dialect.js';
import type { Flag, FlagType } from '../../../../src/node/dialect/flag.js';
import { asWritten, type Occurrence } from '../../../../src/node/dialect/occurrence.js';
import type { CommandWord } from '../../../../src/node/dialect/word.js';
import { span } from '../../judge/facts.js';

const flagOf = (name: string, type: FlagType, aliases: readonly string[] = []): Flag => {
  return { name, aliases, type, environment: [], fallback: null };
};
const flags = [
  flagOf('http', 'bool'),
  flagOf('quiet', 'bool', ['q']),
  flagOf('verbosity', 'count', ['v']),
  flagOf('http.addr', 'ip', ['addr']),
  flagOf('http.api', 'string'),
  flagOf('http.port', 'port'),
  flagOf('peers', 'list'),
  flagOf('otlp', 'joined'),
  flagOf('storage', 'optional'),
];
const older = [flagOf('was', 'bool'), flagOf('had', 'string')];

const program: Program = {
  flags: {
    flags,
    byName: new Map(flags.flatMap((flag) => [flag.name, ...flag.aliases].map((name) => [name, flag]))),
    byEnvironment: new Map(),
    defaults: {},
  },
  rules: {
    ofAnyRelease: (name) => older.find((one) => one.name === name) ?? null,
    opensMore: (name) => name === 'http',
    decides: (name) => (name === 'http.addr' ? 'addr' : name === 'http.api' ? 'api' : null),
    literal: new Set(),
    counting: null,
    unlock: null,
    keyFile: null,
  },
  consoles: ['node'],
  unknown: (written) => ({ message: `${written} is none` }),
  isKnown: (text) => !text.includes('$'),
};

/** A word that holds $ is not known: what is around it is. `_` alone is an empty word. */
function wordOf(text: string, at: number): CommandWord {
  const word = { variable: null, cause: null, causeAt: null, indeterminate: null, maybe: null };
  const place = span(1, at + 1, at + 2);
  return text.includes('$')
    ? { ...word, text: null, at: place, partly: text }
    : { ...word, text: text === '_' ? '' : text, at: place };
}

const told = (one: Occurrence) => {
  const name = one.written === one.flag.name ? one.written : `${one.flag.name} as ${one.written}`;
  const value = one.value ?? `? (${one.indeterminate}${one.unknown ? `, ${one.unknown.written}` : ''})`;
  const doubts = one.doubts.length === 0 ? '' : `, unless ${one.doubts.join(' and ')}`;
  return `${one.isFirst ? '' : '| '}${name}=${value} @${one.at}${doubts}`;
};

function parsed(text: string) {
  return clap.parse(program, (text === '' ? [] : text.split(' ')).map(wordOf));
}

const stray = (word: string) => `stray-word: the node does not expect the word ${word} and does not start`;
const unknown = (word: string) => `unknown-flag: ${word} is none`;
const noValue = (given: string) => `bad-value: --http takes no value: with ${given} the node does not start`;
const ends = (word: string) => `ending-flag: ${word} prints a text and ends; the node does not start`;
const twice = (name: string, count: number) =>
  `conflicting-flags: --${name} is given ${count} times: the node takes it once and does not start`;

test.each<[words: string, uses: readonly string[], problems: readonly string[]]>([
  ['', [], []],
  ['node --http --http.port 8551', ['http=true @1', 'http.port=8551 @3'], []],
  [
    '--http.addr=:: --addr ::1',
    ['http.addr=:: @0', 'http.addr as addr=::1 @2, unless the repeated --http.addr is taken out'],
    [twice('http.addr', 2)],
  ],
  ['--http=true', ['http=true @0, unless --http is taken out'], [noValue('=true')]],
  ['--http=false', ['http=true @0, unless --http is taken out'], [noValue('=false')]],
  ['--http=$X', ['http=true @0, unless --http is taken out'], [noValue('one')]],
  ['--http= -q', ['http=true @0, unless --http is taken out', 'quiet as q=true @1'], [noValue('=')]],
  ['--http true', ['http=true @0'], [stray('true')]],
  ['--http false', ['http=true @0, unless --http gets false'], [stray('false')]],
  [
    '--http --http',
    ['http=true @0', 'http=true @1, unless the repeated --http is taken out'],
    [twice('http', 2)],
  ],
  ['--http.api=', ['http.api= @0'], []],
  ['--http.api _ --http', ['http.api= @1', 'http=true @2'], []],
  ['--http.api eth, admin', ['http.api=eth, @1'], [stray('admin')]],
  [
    '--http.api --http',
    ['http.api=? (its value is missing) @0, unless --http.api is taken out', 'http=true @1'],
    ['missing-value: --http.api needs a value and --http is a flag'],
  ],
  [
    '--http.api',
    ['http.api=? (its value is missing) @0, unless --http.api is taken out'],
    ['missing-value: --http.api needs a value and none follows'],
  ],
  [
    '--http.api -q',
    ['http.api=? (its value is missing) @0, unless --http.api is taken out', 'quiet as q=true @1'],
    ['missing-value: --http.api needs a value and -q is a flag'],
  ],
  ['--http.api -', ['http.api=- @1'], []],
  ['--http.api=-q', ['http.api=-q @0'], []],
  ['--HTTP --htt', [], [unknown('--HTTP'), unknown('--htt')]],
  [
    '--http.addr localhost',
    ['http.addr=? (the node refuses “localhost”) @0, unless --http.addr is taken out'],
    ['bad-value: --http.addr gets “localhost”, but it is not an IP address: the node does not start'],
  ],
  [
    '--http.addr=',
    ['http.addr=? (the node refuses “”) @0, unless --http.addr is taken out'],
    ['bad-value: --http.addr gets “”, but it is not an IP address: the node does not start'],
  ],
  ['--peers a --peers=b,c', ['peers=a @1', 'peers=b,c @2'], []],
  [
    '-vvv -v',
    ['verbosity as v=true @0', 'verbosity as v=true @0', 'verbosity as v=true @0', 'verbosity as v=true @1'],
    [],
  ],
  ['--otlp x', ['otlp= @0'], [stray('x')]],
  ['--otlp=x --storage --http', ['otlp=x @0', 'storage= @1', 'http=true @2'], []],
  ['--storage true --http', ['storage=true @1', 'http=true @2'], []],
  ['-http', [], [ends('-h')]],
  ['-qd', ['quiet as q=true @0'], [unknown('-d')]],
  ['--q', [], [unknown('--q')]],
  ['--version --help', [], [ends('--version'), ends('--help')]],
  ['-- x --http', ['| http=true @2, unless -- is removed'], [stray('x')]],
  ['--=x', [], ['bad-syntax: --=x is not a flag']],
  ['---http', [], [unknown('---http')]],
  [
    '--http node',
    ['http=true @0'],
    ['stray-word: --http is before node: the node takes flags behind it alone and does not start'],
  ],
  ['node x y --http z', ['http=true @3'], [stray('x'), stray('z')]],
  ['--brand-new x --http', ['http=true @2'], [unknown('--brand-new')]],
  ['--brand-new --http x', ['http=true @1'], [unknown('--brand-new'), stray('x')]],
  ['--brand-new=x y', [], [unknown('--brand-new'), stray('y')]],
  ['--was x --had y', [], [unknown('--was'), stray('x'), unknown('--had')]],
  ['--http.api $X --http', ['http.api=? (it cannot be known, null) @1', 'http=true @2'], []],
  ['--http.api=eth,$X', ['http.api=? (it cannot be known, eth) @0'], []],
  ['--new=$X --http', ['http=true @1'], [unknown('--new')]],
])('%s', (words, uses, problems) => {
  const { occurrences, problems: found } = parsed(words);
  expect(occurrences.map(told)).toEqual(uses);
  expect(found.map(({ kind, message }) => `${kind}: ${message}`)).toEqual(problems);
});

test('a word that cannot be known may be any flag, and one behind a flag is its value', () => {
  const { maybe, values } = parsed('node $EXTRA --http.api $LIST');
  expect(maybe.map(({ at, flags }) => [at, flags])).toEqual([[1, null]]);
  expect([...values].map(({ partly }) => partly)).toEqual(['$LIST']);
});

test('the written part of an unknown list counts where only what is written does', () => {
  expect(asWritten(parsed('--http.api=admin,$X').occurrences).map(told)).toEqual(['http.api=admin @0']);
});

test('a flag that is given twice is told with the place of the last', () => {
  const words = ['--http', '--http'].map((text, at): CommandWord => ({ ...wordOf(text, at), written: true }));
  const [problem] = clap.parse(program, words).problems;
  expect(problem).toMatchObject({ fatal: true, flags: ['http'], at: span(1, 2, 3) });
});
