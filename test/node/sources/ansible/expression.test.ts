/** Expressions of Ansible: what they become with the defaults, and which stay unknown. */
import { expect, test } from 'vitest';
import { fill, holds, Variables } from '../../../../src/node/sources/ansible/expression.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';
import { readYaml } from '../../../../src/node/sources/yaml/document.js';

const defaults = `
on: true
text: yes please
port: 8551
modules: [eth, net]
node: { rpc: { addr: 10.0.0.1 }, ports: [8551, 8552] }
base: /srv
folder: "{{ base }}/kend"
later: "{{ ansible_host }}:{{ port }}"
circle: "{{ circle }}"
l0: x
${Array.from({ length: 9 }, (_, at) => `l${at + 1}: "${`{{ l${at} }}`.repeat(40)}"`).join('\n')}
`;
const at = (text: string) => Placed.at(new LineIndex('x.j2', text));
const variables = () => {
  const root = readYaml(new LineIndex('main.yml', defaults))[0]?.root ?? null;
  return new Variables(new Steps()).with(root);
};

test.each([
  ['{{ port }}', '8551'],
  ['{{ on }}', 'True'],
  ['{{ on | int }}', '1'],
  ['{{ on | lower }}', 'true'],
  ['{{ on | bool | ternary("a", "b") }}', 'a'],
  ['{{ 1 if on else 0 }}', '1'],
  ['{{ 1 if not on else 0 }}', '0'],
  ["{{ modules | join(',') }},x", 'eth,net,x'],
  [
    "{{ (modules + (['x'] if not on else node.ports) + (on | ternary([], modules))) | join(',') }}",
    'eth,net,8551,8552',
  ],
  ["{{ (modules + (later if on and (absent | length == 0) else [])) | join(',') }}", unfilled],
  ["{{ (modules + (later if not on and absent is defined else [])) | join(',') }}", 'eth,net'],
  ['{{ node.rpc.addr }}:{{ node["ports"][1] }}', '10.0.0.1:8552'],
  ['{{ folder }}/conf', '/srv/kend/conf'],
  ['{{ absent | default("127.0.0.1") }}', '127.0.0.1'],
  ['{{ absent | d(port) }}', '8551'],
  ['{{ text | quote }}', "'yes please'"],
  ['{{ absent }}', unfilled],
  ['{{ ansible_host | default("x") }}', unfilled],
  ['{{ later }}', `${unfilled}:8551`],
  ['{{ circle }}', unfilled],
  ['{{ port + 1 }}', unfilled],
  ['{{ modules }}', unfilled],
  ['{{ lookup("env", "X") }}', unfilled],
  ['{{ port | made_up }}', unfilled],
])('%s becomes %j', (text, expected) => {
  expect(fill(at(text), variables()).text).toBe(expected);
});

test.each([
  ['on', true],
  ['not on | bool', false],
  ['port == 8551', true],
  ["base != '/srv' and on", false],
  ['absent', null],
  ['absent | default(false)', false],
  ['absent is defined', null],
  ['on or absent', null],
  ["inventory_hostname == 'a'", null],
])('when: %s holds: %s', (text, expected) => {
  expect(holds(at(text), variables())).toBe(expected);
});

test('a default has its place, and variables that double end at a limit', () => {
  expect(fill(at('{{ node.rpc.addr }}'), variables()).span()).toMatchObject({ file: 'main.yml', line: 6 });
  const many = variables();
  expect(fill(at('{{ l9 }}'), many).text).toContain(unfilled);
  expect(many.steps.left).toBe(0);
});
