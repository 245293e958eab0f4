/** Command lines of conf and process compared, flag by flag. */
import { describe, expect, test } from 'vitest';
import { notSeen } from '../../../../src/node/facts/seen.js';
import { flagDifferences, hasEffect, processFlag } from '../../../../src/node/judge/live/command-line.js';
import { quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { processOf } from '../facts.js';

const late = notSeen('timeout', 'no answer within 2 s');
const quiet = withKind(kinds, quietSettings);

describe('command lines', () => {
  const words = (text: string | null) =>
    (text ?? '?').split(' ').map((word) => ({ text: text === null ? null : word, variable: null, at: null }));
  const between = (planned: string | null, ...argv: string[]) =>
    flagDifferences({ ...quiet, start: words(planned) }, { process: processOf(argv) });

  test.each<[string, string | null, string[], string[] | null]>([
    ['the same', '--a 1 --b', ['--a', '1', '--b'], []],
    ['joined or not, one dash or two', '--a=1 -b', ['-a', '1', '--b'], []],
    ['the last counts', '--a 1 --a 2', ['--a', '2'], []],
    ['another value', '--a 1', ['--a', '2'], ['a 1 2']],
    ['an empty value', '--a=', ['--a', '2'], ['a  2']],
    ['a switch', '--a', [], ['a on null']],
    ['a switch that the process has', '', ['--a', '--b', 'x'], ['a null on', 'b null x']],
    ['a word that belongs to none', '--a 1 stray', ['--a', '1'], []],
    ['a stray word first', 'stray --a 1', ['--a', '1'], []],
    [
      'what the launcher adds itself',
      '--a',
      ['--a', '--log.file', 'x', '--autorestart.daemon.path', 'y'],
      [],
    ],
    ['words not known', null, [], null],
  ])('%s', (_, planned, argv, expected) => {
    expect(
      between(planned, ...argv)?.map(({ flag, conf, process }) => `${flag} ${conf} ${process}`) ?? null,
    ).toEqual(expected);
  });

  test('without a process, or without words, there is nothing to compare', () => {
    expect(flagDifferences(quiet, { process: late })).toBeNull();
    expect(flagDifferences({ ...quiet, start: null }, { process: processOf([]) })).toBeNull();
    expect(processFlag({ process: late }, 'a')).toBeNull();
    expect(processFlag({ process: processOf(['--a', '1']) }, 'a')).toBe('1');
  });

  test.each([
    ['verbosity', '3', '4', false],
    ['log.x', null, 'on', false],
    ['xverbosity', '3', '4', true],
    ['debugx', null, 'on', true],
    ['rpcapi', 'klay, eth', 'eth,kaia', false],
    ['wsapi', 'eth', 'eth,net', true],
    ['rpcapi', null, 'eth', true],
    ['wsapi', 'eth', null, true],
    ['rpcport', '1', '2', true],
  ])('%s from %s to %s: has effect %s', (flag, conf, process, expected) => {
    expect(hasEffect(quiet, { flag, conf, process })).toBe(expected);
  });
});
