/** Which value of a variable counts in a role. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { loadNodes } from '../../load.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-ansible-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

const [defaults, vars] = ['roles/en/defaults/main.yml', 'roles/en/vars/main.yml'];

test.each<[string, Record<string, string>, string, string]>([
  ['its defaults', { [defaults]: 'api: eth' }, '{ role: en }', 'eth'],
  ['the play’s vars', { [defaults]: 'api: eth', play: 'api: net' }, '{ role: en }', 'net'],
  [
    'its own vars',
    { [defaults]: 'api: eth', play: 'api: net', [vars]: 'api: admin' },
    '{ role: en }',
    'admin',
  ],
  ['a parameter', { [vars]: 'api: eth' }, '{ role: en, api: admin }', 'admin'],
  ['the vars of the parameters', { [vars]: 'api: eth' }, '{ role: en, vars: { api: admin } }', 'admin'],
])('%s', async (name, { play, ...files }, role, expected) => {
  const root = join(folder, name.replace(/\W/g, '_'));
  const template = 'RPC_ENABLE=1\nRPC_API="{{ api }}"\nNETWORK=mainnet\nDATA_DIR=/d\n';
  const all = {
    ...files,
    'roles/en/tasks/main.yml': '- template: { src: kend.conf.j2, dest: /etc/kend/conf/kend.conf }\n',
    'roles/en/templates/kend.conf.j2': template,
    'play.yml': `- hosts: all\n${play === undefined ? '' : `  vars: { ${play} }\n`}  roles: [${role}]\n`,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { nodes } = await loadNodes(
    join(root, 'play.yml'),
    {},
    { cwd: root, stdin: Readable.from([]), signal },
  );
  expect(nodes.map(({ conf }) => conf.settings.values.rpcapi?.value)).toEqual([expected]);
});

const [narrow, wide] = ['--http --http.api eth', '--http --http.addr 0.0.0.0 --http.api eth,admin'];
const defaultsOf = (command: string, module: string) =>
  `module_defaults: {${module}: {command: "${command}"}}`;
const container = (args = '') =>
  `docker_container: {name: n, image: "ethereum/client-go:v1.13.14", network_mode: host${args}}`;

test.each<[string, string, string]>([
  [
    'of a play',
    `${defaultsOf(wide, 'community.docker.docker_container')}\n  tasks:\n  - ${container()}`,
    'eth,admin',
  ],
  [
    'of a block',
    `tasks:\n  - ${defaultsOf(wide, 'docker_container')}\n    block:\n    - ${container()}`,
    'eth,admin',
  ],
  ['of a task', `tasks:\n  - ${container()}\n    ${defaultsOf(wide, 'docker_container')}`, 'eth,admin'],
  [
    'of a group',
    `${defaultsOf(wide, 'group/community.docker.docker')}\n  tasks:\n  - ${container()}`,
    'eth,admin',
  ],
  ['of another module', `${defaultsOf(wide, 'podman_container')}\n  tasks:\n  - ${container()}`, ''],
  [
    'that a task overrides',
    `${defaultsOf(wide, 'docker_container')}\n  tasks:\n  - ${container(`, command: "${narrow}"`)}`,
    'eth',
  ],
  [
    'that a block overrides',
    `${defaultsOf(wide, 'docker_container')}\n  tasks:\n  - ${defaultsOf(narrow, 'docker_container')}\n    block:\n    - ${container()}`,
    'eth',
  ],
])('module_defaults %s', async (name, play, expected) => {
  const path = join(folder, `${name.replace(/\W/g, '_')}.yml`);
  writeFileSync(path, `- hosts: all\n  ${play}\n`);
  const { nodes } = await loadNodes(path, {}, { cwd: folder, stdin: Readable.from([]), signal });
  expect(nodes.map(({ conf }) => conf.settings.values['http.api']?.value ?? '')).toEqual([expected]);
});
