/** Edits of the YAML file a node reads: a value of the type it has, on the line where it stands. */
import { expect, test } from 'vitest';
import type { Setting, Settings } from '../../../../src/node/facts/settings.js';
import { assignInYaml } from '../../../../src/node/fix/proposal/fix.js';
import { quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { span } from '../../judge/facts.js';

/** Settings of these lines, with a value that stands at the place. */
function settingsOf(
  lines: readonly string[],
  at: Setting['origin'] & { kind: 'yaml' },
  value: Setting['value'] = 'x',
): Settings {
  const set: Setting = { value, origin: at, shadowed: [], indeterminate: null };
  return {
    ...quietSettings,
    source: { ...quietSettings.source, path: 'kend.conf', lines },
    values: { rpcaddr: set },
  };
}
const yaml = (at: ReturnType<typeof span> | null) =>
  ({ kind: 'yaml', path: 'kend.conf', key: null, at }) as const;
const place = span(1, 10, 13);

test.each<[string, Setting['value'], string, string]>([
  ['a text', 'any', '127.0.0.1', '"127.0.0.1"'],
  ['a text that is a number', 'any', '5', '"5"'],
  ['a number', 5, '8551', '8551'],
  ['a switch off', true, '0', 'false'],
  ['a switch off by name', true, 'false', 'false'],
  ['a switch on', false, '1', 'true'],
])('%s', (_, old, value, text) => {
  expect(assignInYaml(settingsOf(['rpcaddr: any'], yaml(place), old), 'rpcaddr', value, 'rpc')).toEqual([
    { at: place, text },
  ]);
});

test.each([
  ['&a any', 10],
  ['*any', 10],
  ['!!str', 10],
  ['| any', 10],
  ['> any', 10],
  ['{ a }', 10],
  ['[any]', 10],
])('%s is more than a value', (written) => {
  const settings = settingsOf([`rpcaddr: ${written}`], yaml(place));
  expect(assignInYaml(settings, 'rpcaddr', 'x', 'rpc')).toBeNull();
});

test.each([
  ['which stands nowhere', yaml(null), 'x'],
  ['in another file', yaml({ ...place, file: 'other' }), 'x'],
  ['over two lines', yaml({ ...place, endLine: 2 }), 'x'],
  ['with a control character', yaml(place), 'a\nb'],
])('no edit is made for a value %s', (_, origin, value) => {
  expect(assignInYaml(settingsOf(['rpcaddr: any'], origin), 'rpcaddr', value, 'rpc')).toBeNull();
});

test.each<[string, string, string | null]>([
  ['a flat file', 'rpcaddr: any', '\nrpcport: "5"'],
  ['a nested one', '  rpcaddr: any', null],
  ['a list', '- rpcaddr: any', null],
  ['a key of another kind', '"rpcaddr": any', null],
  ['a key alone', 'rpcaddr:', null],
])('a missing key is inserted behind the line of its neighbour: %s', (_, line, text) => {
  const settings = settingsOf(['first: 1', line], yaml({ ...place, line: 2, endLine: 2 }));
  const end = { ...place, line: 2, endLine: 2, column: line.length + 1, endColumn: line.length + 1 };
  expect(assignInYaml(settings, 'rpcport', '5', 'rpcaddr')).toEqual(
    text === null ? null : [{ at: end, text }],
  );
  expect(assignInYaml(settings, 'rpcport', '5', 'ws')).toBeNull();
});
