/** Variables of hosts and groups: the node is judged with them. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from './lint-folder.js';

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
