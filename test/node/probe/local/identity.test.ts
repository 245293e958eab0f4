/** The names of nodes, which a restart keeps. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProcessFacts } from '../../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { keeperOf, lastingPath, withNames } from '../../../../src/node/probe/local/identity.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-identity-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const unread = notSeen('not-permitted', 'permission denied');
const node = (words: string, more: Partial<ProcessFacts> = {}): ProcessFacts => ({
  pid: 7,
  argv: words.split(' '),
  startedAt: null,
  environment: seen({}),
  folder: seen('/home/kaia'),
  settings: null,
  sockets: seen([]),
  network: 'same',
  root: '',
  container: null,
  user: null,
  unit: null,
  containerName: null,
  ...more,
});
const namesOf = (...nodes: ProcessFacts[]) => withNames(kinds, nodes).map(({ name }) => name);

test.each([
  [
    'the data folder',
    node('/usr/bin/ken --datadir /var/kend/data', { unit: 'a.service' }),
    'ken /var/kend/data',
  ],
  ['a relative data folder, from its own folder', node('ken --datadir ./data'), 'ken /home/kaia/data'],
  ['a data folder of the environment', node('ken', { environment: seen({ KAIA_DATADIR: '/d' }) }), 'ken /d'],
  ['the unit', node('ken', { unit: 'kend.service', user: 'kaia' }), 'ken of kend.service'],
  ['the user', node('ken', { user: 'kaia' }), 'ken of user kaia'],
  ['the program alone', node('ken', { environment: unread }), 'ken'],
  [
    'the container before its data folder',
    node('ken --datadir /d', { containerName: 'chain/en' }),
    'ken in chain/en',
  ],
] as const)('a node is named by %s', (_, one, name) => {
  expect(namesOf(one)).toEqual([name]);
  expect(namesOf({ ...one, pid: 8 })).toEqual([name]);
});

test('nodes of one name are distinguished by user, container and finally order', () => {
  const one = node('ken --datadir /d', { user: 'root', container: 'aaaaaaaaaaaa' });
  expect(namesOf(one, { ...one, container: 'bbbbbbbbbbbb' })).toEqual([
    'ken /d (aaaaaaaaaaaa)',
    'ken /d (bbbbbbbbbbbb)',
  ]);
  expect(namesOf(one, { ...one, user: 'kaia' })).toEqual(['ken /d (root)', 'ken /d (kaia)']);
  expect(namesOf(one, one)).toEqual(['ken /d', 'ken /d (2)']);
});

/** A made-up /proc/<pid>. */
function proc(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const id = '3f'.repeat(32);
const inContainer = () => ({ root: join(folder, 'root'), container: id.slice(0, 12) });

test.each([
  ['0::/system.slice/kend.service\n', 'kend.service'],
  ['12:pids:/system.slice/kend@en-1.service\n0::/system.slice/kend@en-1.service\n', 'kend@en-1.service'],
  ['0::/system.slice/system-kend.slice/my\\x2dkend.service/payload\n', 'my-kend.service'],
  ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/kend.service\n', 'kend.service'],
  ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-1.scope\n', null],
  [`0::/system.slice/docker-${id}.scope\n`, null],
])('the unit of the control group %j is %s', (cgroup, unit) => {
  expect(keeperOf(proc({ cgroup }), { root: '', container: null }).unit).toBe(unit);
});

test.each([
  [{ Name: '/en-1', Config: { Labels: {} } }, 'en-1'],
  [{ Name: '/en-1', Config: {} }, 'en-1'],
  [compose('1'), 'chain/en'],
  [compose('2'), 'chain/en-2'],
])('a container of Docker with %j is %s', (config, name) => {
  const beside = join(folder, 'docker', 'containers', id);
  proc({
    mountinfo: `1 2 0:1 / / rw - overlay overlay rw\n3 2 8:1 ${beside}/hostname /etc/hostname rw - ext4 /dev/a rw\n`,
    [`docker/containers/${id}/config.v2.json`]: JSON.stringify(config),
  });
  expect(keeperOf(folder, inContainer()).containerName).toBe(name);
});

function compose(number: string) {
  const labels = { project: 'chain', service: 'en', 'container-number': number };
  const named = Object.entries(labels).map(([key, value]) => [`com.docker.compose.${key}`, value]);
  return { Name: `/chain-en-${number}`, Config: { Labels: Object.fromEntries(named) } };
}

test.each([
  ['en-0\n', 'en-0'],
  [`${id.slice(0, 12)}\n`, null],
  ['', null],
])('without a file of Docker the host name %j makes the name %s', (hostname, name) => {
  proc({ 'root/etc/hostname': hostname });
  expect(keeperOf(folder, inContainer()).containerName).toBe(name);
});

test('a path in a container has the name of the container; a file that the machine has too is that file', () => {
  const conf = proc({ 'kend.conf': '' });
  const one = node('ken', { root: '/', containerName: 'chain/en' });
  expect(lastingPath({ ...one, root: '/proc/9/root' }, '/proc/9/root/conf/kend.conf')).toBe(
    'chain/en:/conf/kend.conf',
  );
  expect(lastingPath({ ...one, root: '/proc/self/root' }, `/proc/self/root${conf}/kend.conf`)).toBe(
    process.platform === 'linux' ? `${conf}/kend.conf` : `chain/en:${conf}/kend.conf`,
  );
  expect(lastingPath({ ...one, root: '' }, '/etc/kend/conf/kend.conf')).toBe('/etc/kend/conf/kend.conf');
});
