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
