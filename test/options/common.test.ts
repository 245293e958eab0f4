import { Command, type CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { assumeReach, common, format, probe, repeatable } from '../../src/options/common.js';

/** The options of a command with these words, or the reason why it refuses them. */
function given(...words: readonly string[]): unknown {
  const silent = { writeErr: () => {} };
  const command = common(new Command()).exitOverride().configureOutput(silent);
  for (const option of [repeatable('--node <name>', ''), assumeReach(), probe(), format(['text', 'json'])])
    command.addOption(option);
  try {
    return command.parse(words, { from: 'user' }).opts();
  } catch (error) {
    return (error as CommanderError).message;
  }
}

const defaults = { color: 'auto', quiet: false, verbose: false, probe: 'safe', format: 'text' };

test.each<[string, object]>([
  ['', {}],
  ['-q -v', { quiet: true, verbose: true }],
  ['--config a.ini --profile b', { config: 'a.ini', profile: 'b' }],
  ['--color always', { color: 'always' }],
  ['--no-color', { color: 'never' }],
  ['--node a', { node: ['a'] }],
  ['--node a --node b --node a', { node: ['a', 'b', 'a'] }],
  ['--assume-reach http=private --assume-reach ws=any', { assumeReach: ['http=private', 'ws=any'] }],
  ['--probe none --format json', { probe: 'none', format: 'json' }],
])('%j sets %j and leaves the defaults', (words, expected) => {
  expect(given(...words.split(' ').filter((word) => word !== ''))).toEqual({ ...defaults, ...expected });
});

test.each([
  ['--color', 'auto, always, never'],
  ['--probe', 'none, safe'],
  ['--format', 'text, json'],
])('%s accepts %s and nothing else', (name, choices) => {
  expect(given(name, 'other')).toContain(`Allowed choices are ${choices}.`);
});
