/** Conditions in templates of Ansible that plain variables decide. */
import { expect, test } from 'vitest';
import { Variables } from '../../../../src/node/sources/ansible/expression.js';
import { decide } from '../../../../src/node/sources/ansible/statements.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';
import { readYaml } from '../../../../src/node/sources/yaml/document.js';

const variables = `off: false
none: null
empty: ''
list: []
zero: 0
on: true
word: "false"
name: a
ref: "{{ off }}"
`;

function decided(text: string): string {
  const root = readYaml(new LineIndex('defaults/main.yml', variables))[0]?.root ?? null;
  const known = new Variables(new Steps()).with(root);
  return decide(Placed.at(new LineIndex('a.j2', text)), known).text;
}

test.each([
  'off',
  'none',
  'empty',
  'list',
  'zero',
  'ref',
  'not on',
  'on and off',
  'not on or zero',
  'name == "b"',
])('{%% if %s %%} prints nothing', (condition) => {
  expect(decided(`geth{% if ${condition} %} --unlock a{% endif %} --http`)).toBe('geth --http');
});

test.each([
  'on',
  'word',
  'name',
  'not off',
  'off or on',
  "name == 'a'",
  'on == true',
  'on is defined',
  'off | bool or on',
])('{%% if %s %%} prints its branch', (condition) => {
  expect(decided(`geth{% if ${condition} %} --ws{% endif %} --http`)).toBe('geth --ws --http');
});

test.each([
  'geth{% if other %} --ws{% endif %}',
  'geth{% if other is defined %} --ws{% endif %}',
  'geth{% if name in others %} --ws{% endif %}',
  'geth{% if on and other %} --ws{% endif %}',
  '{% set off = true %}geth{% if off %} --ws{% endif %}',
  '{% raw %}{% if off %} --ws{% endif %}{% endraw %}',
])('%s stays as it is written', (text) => {
  expect(decided(text)).toBe(text);
});

test.each([
  ['{% if off %}a{% elif on %}b{% else %}c{% endif %}', 'b'],
  ['{% if off %}a{% elif zero %}b{% else %}c{% endif %}', 'c'],
  ['{% if on %}a{% elif on %}b{% else %}c{% endif %}', 'a'],
  ['{% if off %}a{% elif x %}b{% else %}c{% endif %}', '{% elif x %}b{% else %}c{% endif %}'],
  ['{% if x %}a{% else %}{% if off %}b{% endif %}c{% endif %}', '{% if x %}a{% else %}c{% endif %}'],
  ['{% if off %}a{% if on %}b{% endif %}{% endif %}c', 'c'],
  ['a \\\n{% if on %}\n --b \\\n{% endif %}\n --c', 'a \\\n --b \\\n --c'],
  ['a {%- if off -%} b {%- endif -%} c', 'ac'],
])('%s prints %s', (text, expected) => {
  expect(decided(text)).toBe(expected);
});
