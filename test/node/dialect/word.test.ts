import { expect, test } from 'vitest';
import { type CommandWord, originOf, unknownOf } from '../../../src/node/dialect/word.js';
import { span } from '../judge/facts.js';

const [at, causeAt] = [span(1, 2, 3), span(4, 5, 6)];
const plain: CommandWord = {
  text: 'x',
  variable: null,
  at,
  cause: null,
  causeAt: null,
  indeterminate: null,
  maybe: null,
};

test.each<[Partial<CommandWord>, object, string]>([
  [{}, { kind: 'launcher', flag: 'rpc' }, 'a word (kend.conf:1)'],
  [{ at: null }, { kind: 'launcher', flag: 'rpc' }, 'a word'],
  [{ written: true }, { kind: 'flag', flag: 'rpc', at, on: 'command line' }, 'a word (kend.conf:1)'],
  [{ extra: true, variable: 'OPTS' }, { kind: 'flag', flag: 'rpc', at }, 'OPTS (kend.conf:1)'],
  [{ variable: 'A' }, { kind: 'assignment', variable: 'A', flag: 'rpc', at }, 'A (kend.conf:1)'],
  [{ variable: 'A', at: null }, { kind: 'environment', variable: 'A', at: null }, 'A'],
  [
    { variable: 'A', cause: 'B', causeAt },
    { kind: 'assignment', variable: 'A', flag: 'rpc', at },
    'A (kend.conf:1)',
  ],
  [
    { cause: 'B', causeAt },
    { kind: 'assignment', variable: 'B', flag: 'rpc', at: causeAt },
    'B (kend.conf:1)',
  ],
  [{ cause: 'B' }, { kind: 'environment', variable: 'B', at: null }, 'B (kend.conf:1)'],
  [{ unknown: '$X (run.sh:7)' }, { kind: 'launcher', flag: 'rpc' }, '$X (run.sh:7)'],
])('a flag has from a word with %j the origin %j, and %s names what is unknown', (word, origin, name) => {
  expect(originOf({ ...plain, ...word }, 'rpc')).toEqual(origin);
  expect(unknownOf({ ...plain, ...word })).toBe(name);
});
