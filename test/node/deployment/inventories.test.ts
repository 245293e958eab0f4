/** Variables of hosts and groups: the node is judged with them. */
import { expect, test } from 'vitest';
import { type Folder, gravely, reportOf } from './lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'a group in INI',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'hosts.ini': '[e]\nh1\n\n[e:vars]\nargs="--datadir=/d --http.addr=0.0.0.0 --http.api=eth,debug"\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
    },
    /^critical at hosts/,
  ],
  [
    'a line of a host',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
      'hosts.ini':
        '[e]\nh1 ansible_host=10.0.0.1 args="--datadir=/d --http.addr=0.0.0.0 --http.api=eth,debug"\n',
    },
    /^critical at hosts/,
  ],
  [
    'an inventory in YAML',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
      'inventory.yml':
        'all:\n  children:\n    e:\n      hosts:\n        h1: {}\n      vars:\n        args: "--datadir=/d --http.addr=0.0.0.0 --http.api=eth,debug"\n',
    },
    /^critical at inventory/,
  ],
  [
    'host_vars',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
      hosts: '[e]\nh1\n',
      'host_vars/h1.yml': 'args: --datadir=/d --http.addr=0.0.0.0 --http.api=eth,debug\n',
    },
    /^critical at host_vars/,
  ],
  [
    'group_vars beside an inventory',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
      'inventories/prod/hosts.ini': '[e]\nh1\n',
      'inventories/prod/group_vars/e.yml': 'args: "--datadir=/d --http.addr=0.0.0.0 --http.api=eth,debug"\n',
    },
    /^critical at inv/,
  ],
  [
    'a folder of group_vars',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
      hosts: '[e]\nh1\n',
      'group_vars/e/main.yml': 'args: "--datadir=/d --http.addr=0.0.0.0 --http.api=eth,debug"\n',
    },
    /^critical at group_vars/,
  ],
  [
    'an inventory over the defaults of a role',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service':
        '[Service]\nExecStart=/usr/bin/erigon --http.addr={{ addr }} --http.api={{ api }}\n',
      'roles/e/defaults/main.yml': 'addr: 127.0.0.1\napi: eth\n',
      'hosts.ini': '[e]\nh1\n[e:vars]\naddr=0.0.0.0\napi=eth,debug\n',
    },
    /^critical at hosts/,
  ],
  [
    'an inventory for a container',
    {
      'site.yml':
        "- hosts: e\n  tasks:\n    - docker_container:\n        name: g\n        image: ethereum/client-go:v1.13.14\n        command: --http --http.addr 0.0.0.0 --http.api {{ api }}\n        published_ports: ['8545:8545']\n",
      'inventory/hosts.yaml': 'e:\n  hosts:\n    h1:\n      api: eth,admin\n',
    },
    /^critical at inventory/,
  ],
  [
    'an inventory with harmless words',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        '- template: {src: e.service, dest: /etc/systemd/system/e.service}\n- systemd: {name: e, state: started}\n',
      'roles/e/templates/e.service': '[Service]\nExecStart=/usr/bin/erigon {{ args }}\n',
      'hosts.ini': '[e]\nh1\n[e:vars]\nargs=--datadir=/d --http.addr=127.0.0.1\n',
    },
    /^exit 0$/,
  ],
])('%s sets the words of a unit', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});

const role = {
  'site.yml': '- hosts: e\n  roles: [e]\n',
  'roles/e/tasks/main.yml': '- shell: nohup geth --http --http.addr {{ addr }} --http.api {{ api }} &\n',
  'roles/e/defaults/main.yml': 'addr: 127.0.0.1\napi: eth\n',
};
const open = 'addr: 0.0.0.0\n';

test.each<[string, Folder]>([
  ['a line and host_vars', { 'hosts.ini': '[e]\nh1 api=eth,admin\n', 'host_vars/h1.yml': open }],
  [
    'two files of a folder',
    { 'inventory/a': '[e]\nh1 api=eth,admin\n', 'inventory/b': '[e]\nh1 addr=0.0.0.0\n' },
  ],
  ['two files of host_vars', { 'host_vars/h1/a.yml': open, 'host_vars/h1/b.yml': 'api: eth,admin\n' }],
  [
    'a section and host_vars',
    { 'hosts.ini': '[e]\nh1\n[e:vars]\napi=eth,admin\n', 'host_vars/h1.yml': open },
  ],
])('values of one host in %s count together, in every release', async (_, files) => {
  const { targets } = await reportOf({ ...role, ...files });
  const messages = targets.flatMap(({ findings }) => findings.map(({ message }) => message));
  expect(messages.filter((one) => one.includes('offers admin'))).toEqual([
    expect.stringMatching(/^When \S+ sets (?:addr|api): http offers admin/),
  ]);
});

test.each<[string, Folder]>([
  ['two hosts', { 'host_vars/h1.yml': open, 'host_vars/h2.yml': 'api: eth,admin\n' }],
  ['two lines', { 'hosts.ini': '[e]\nh1 addr=0.0.0.0\nh2 api=eth,admin\n' }],
  [
    'a host and a group that it is not in',
    { 'hosts.ini': '[e]\nh1\n[f]\nh2\n[f:vars]\napi=eth,admin\n', 'host_vars/h1.yml': open },
  ],
  [
    'a group and a host that overrides it',
    {
      'hosts.ini': '[e]\nh1 addr=127.0.0.1\n[e:vars]\naddr=0.0.0.0\n',
      'host_vars/h1.yml': 'api: eth,admin\n',
    },
  ],
])('values of %s do not', async (_, files) => {
  expect(await gravely({ ...role, ...files })).toBe('exit 0');
});

test('a file of an inventory that is named is judged with its play, and is not counted as unread', async () => {
  const files = (api: string) => ({ ...role, 'hosts.ini': `[e]\nh1 api=${api}\n`, 'host_vars/h1.yml': open });
  expect(await gravely(files('eth,admin'), ['host_vars/h1.yml'])).toBe('critical at hosts.ini:2\nexit 1');
  expect(await gravely(files('eth,net'), ['host_vars/h1.yml'])).toBe('exit 0');
  const { targets } = await reportOf(files('eth,net'));
  expect(targets.map((one) => one.files)).toEqual([
    expect.arrayContaining(['hosts.ini', 'host_vars/h1.yml']),
  ]);
});
