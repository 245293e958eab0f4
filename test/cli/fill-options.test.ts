/** Where an option's value comes from: command line, then environment, then settings file, then default. */
import { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { fillOptions } from '../../src/cli/fill-options.js';
import { repeatable } from '../../src/options/common.js';

type Values = Readonly<Record<string, string | readonly string[]>>;

/** The options of a command after a command line, an environment and a settings file. */
function filled(words: readonly string[], env: Record<string, string> = {}, values?: Values) {
  const command = new Command()
    .addOption(repeatable('--header <line>', 'a header'))
    .addOption(new Option('--fail-on <severity>', 'a threshold').choices(['low', 'high']).default('high'))
    .option('--note <text>', 'any text')
    .option('--quiet', 'no notes')
    .option('--no-wait', 'do not wait')
    .exitOverride();
  command.parse(words, { from: 'user' });
  const where = 'config.ini [node]';
  const sections = values === undefined ? [] : [{ where, placeOf: () => where, named: false, values }];
  fillOptions(command as never, { env }, sections);
  return command.opts();
}

test.each<[string, string, string[] | undefined]>([
  ['one line', 'a: 1', ['a: 1']],
  ['several lines', 'a: 1\nb: 2', ['a: 1', 'b: 2']],
  ['a last line end', 'a: 1\n', ['a: 1']],
  ['empty lines', '\n\na: 1\n\n\nb: 2\n\n', ['a: 1', 'b: 2']],
  ['nothing', '', undefined],
  ['empty lines alone', '\n\n', undefined],
])('a variable of a list option is split when it has %s', (_, text, expected) => {
  expect(filled([], { KAIACTL_HEADER: text }).header).toEqual(expected);
});

test('a variable of an option that takes one value keeps its line ends', () => {
  expect(filled([], { KAIACTL_NOTE: 'a\n\nb' }).note).toBe('a\n\nb');
  expect(filled([], { KAIACTL_NOTE: '' }).note).toBe('');
});

test('the command line overrides the environment, which overrides the settings file, then the default', () => {
  const values = { 'fail-on': 'low', header: ['c: 3', 'd: 4'], note: 'file' };
  const env = { KAIACTL_FAIL_ON: 'high', KAIACTL_HEADER: 'b: 2', KAIACTL_NOTE: 'environment' };
  expect(filled(['--note', 'word', '--header', 'a: 1', '--fail-on', 'low'], env, values)).toMatchObject({
    note: 'word',
    header: ['a: 1'],
    failOn: 'low',
  });
  expect(filled([], env, values)).toMatchObject({ note: 'environment', header: ['b: 2'], failOn: 'high' });
  expect(filled([], {}, values)).toMatchObject({ note: 'file', header: ['c: 3', 'd: 4'], failOn: 'low' });
  expect(filled([])).toMatchObject({ failOn: 'high', wait: true });
});

test.each([
  ['1', true],
  ['True', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['No', false],
  ['off', false],
  ['', false],
])('a switch accepts the value %j', (text, expected) => {
  expect(filled([], { KAIACTL_QUIET: text }).quiet).toBe(expected);
  expect(filled([], {}, { wait: text }).wait).toBe(expected);
});

test.each<[Record<string, string>, Values | undefined, string]>([
  [{ KAIACTL_QUIET: 'maybe' }, undefined, 'the environment variable KAIACTL_QUIET sets quiet to “maybe”'],
  [{ KAIACTL_FAIL_ON: 'hgih' }, undefined, 'the environment variable KAIACTL_FAIL_ON sets fail-on to “hgih”'],
  [{}, { 'fail-on': 'hgih' }, 'config.ini [node] sets fail-on to “hgih”'],
])('a value that the option does not allow is rejected: %j %j', (env, values, message) => {
  expect(() => filled([], env, values)).toThrow(message);
});
