/** A made-up dialect beside Go's: words are name:value, switches say yes or no, and of two uses the first counts. */
import { expect, test } from 'vitest';
import type { Dialect } from '../../../src/node/dialect/dialect.js';
import { go } from '../../../src/node/dialect/go/index.js';
import { Recorder } from '../../../src/node/dialect/recorder.js';
import { settingsOfWords } from '../../../src/node/sources/argv/node.js';
import { moonOf } from '../kinds/moon.js';
import { gethSettings } from '../sources/geth.js';

const colons: Dialect = {
  ...go,
  parse(program, words) {
    const record = new Recorder(program, colons.value);
    for (const word of words) {
      const [name = '', value = 'yes'] = (word.text ?? '').split(/:(.*)/s);
      const flag = program.flags.byName.get(name);
      if (flag === undefined) record.report('stray-word', `${name} is no word of this program`, word, []);
      else record.take(word, flag, name, value, word);
    }
    return record;
  },
  effective: (_, uses) => uses.toReversed(),
  value(type, text) {
    if (type !== 'bool') return { value: text };
    return /^(?:yes|no)$/.test(text) ? { value: text === 'yes' } : { refused: 'it is neither yes nor no' };
  },
  unbindable: (host) => (/^[\d.]+$/.test(host) ? null : `${host} is not an address`),
};

function startOf(dialect: Dialect, ...words: readonly string[]) {
  const kind = moonOf(dialect);
  const settings = settingsOfWords({ ...gethSettings('', '', words), kind, launcher: 'moond', file: null });
  const { host, state, modules } = settings.listeners.find((one) => one.kind === 'http') ?? {};
  return { host, state, modules, problems: settings.problems.map(({ message }) => message) };
}

test('a dialect decides how words become flags, what repeats mean and which hosts are bound', () => {
  expect(startOf(colons, 'serve', 'bind:0.0.0.0', 'bind:127.0.0.1', 'offer:vault')).toEqual({
    host: '0.0.0.0',
    state: 'on',
    modules: ['vault'],
    problems: [],
  });
  expect(startOf(colons, 'serve', 'bind:localhost').host).toBeNull();
  expect(startOf(go, '--serve', '--bind', '0.0.0.0', '--bind=localhost', '--offer=vault')).toEqual({
    host: 'localhost',
    state: 'on',
    modules: ['vault'],
    problems: [],
  });
});

test('a dialect decides which words and values the program refuses', () => {
  expect(startOf(colons, '--serve', 'serve:true').problems).toEqual([
    '--serve is no word of this program',
    '--serve gets “true”, but it is neither yes nor no: the node does not start',
  ]);
  expect(startOf(go, '--serve=yes').problems).toEqual([
    '--serve gets “yes”, but it is neither true nor false: the node does not start',
  ]);
});
