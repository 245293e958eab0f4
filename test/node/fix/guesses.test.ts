/** Edits where launcher, package or kind of a file are guessed: only what is right whatever the file is for. */
import { expect, test, vi } from 'vitest';
import type { Finding } from '../../../src/node/facts/report.js';
import { apply } from '../../../src/node/fix/edits.js';
import { fixFile } from '../../../src/node/fix/fix-file.js';
import type { Editable } from '../../../src/node/sources/text/editable.js';
import { type ConfOptions, editableOf, editables, readConf } from '../editables.js';
import { factsOf } from '../judge/facts.js';
import { judgeTarget, propose } from '../pipeline.js';

const tail = 'NETWORK_ID=10000\nDATA_DIR=/srv/node\n';

function findings(path: string, text: string, options: ConfOptions = {}): readonly Finding[] {
  return judgeTarget(factsOf(readConf(path, Buffer.from(text), options)), { failOn: 'high' }).findings;
}

async function fixed(path: string, text: string, options: ConfOptions = {}): Promise<string | undefined> {
  const facts = [factsOf(readConf(path, Buffer.from(text), options))];
  const all = await fixFile(facts, editables, {
    unsafe: true,
    findings: async (one, files) => judgeTarget(one, { failOn: 'high', editables: files }).findings,
    judge: (one) => propose(one, {}),
  });
  return all?.after;
}

const fragment = `SC_SUB_BRIDGE=1\nSC_PARENT_CHAIN_ID=1001\nSC_ANCHORING_PERIOD=1\nREWARDBASE=""\n${tail}`;
const wide = `RPC_ENABLE=1\nRPC_API="klay,eth,net"\nNETWORK="mainnet"\nDATA_DIR=/srv/node\n`;

test('a line that another launcher reads is not deleted', async () => {
  const text = `${wide}SC_SUB_BRIDGE=1\n`;
  const finding = findings('node.conf', text).find(({ rule }) => rule === 'unread-setting');
  expect(finding).toMatchObject({ subject: 'SC_SUB_BRIDGE', edits: [], safety: null });
  expect(finding?.fix).toContain('kaiactl guesses that kend reads the file: give --launcher to get an edit.');
  expect(await fixed('node.conf', text)).toBe(text);
});

test('a fragment for the conf of another launcher stays unchanged', async () => {
  expect(await fixed('additional-node.conf', fragment)).toBe(fragment);
});

test('the line is deleted when the launcher is given', async () => {
  const text = `${wide}SC_SUB_BRIDGE=1\n`;
  expect(await fixed('node.conf', text, { launcher: 'kcnd' })).toBe(text.replace('SC_SUB_BRIDGE=1\n', ''));
});

test.each([
  ['TXPOOL_LIFE_TIME=30m', {}, 'kend.conf'],
  ['GCMODE=archive', {}, 'kend.conf'],
  ['GCMODE=archive', {}, '/etc/kend/kend.conf'],
])('a variable that a package of the launcher reads is not reported as unread: %s', (line, options, path) => {
  const all = findings(path, `${line}\nNETWORK="mainnet"\nDATA_DIR=/srv/node\n`, options);
  expect(all.filter(({ rule }) => rule === 'unread-setting')).toEqual([]);
});

test.each<[string, string, ConfOptions, string]>([
  ['TXPOOL_LIFE_TIME=30m', 'kend.conf', { package: 'tar' }, 'kend (tar) does not read TXPOOL_LIFE_TIME'],
  ['GCMODE=archive', '/etc/kend/conf/kend.conf', {}, 'kend (rpm) does not read GCMODE'],
  ['SC_SUB_BRIDGE=1', 'kend.conf', {}, 'kend does not read SC_SUB_BRIDGE'],
])(
  'a variable is reported as unread for a known package, with its name: %s',
  (line, path, options, message) => {
    const text = `${line}\nNETWORK="mainnet"\nDATA_DIR=/srv/node\n`;
    const [finding] = findings(path, text, options).filter(({ rule }) => rule === 'unread-setting');
    expect(finding?.message).toContain(message);
    expect(finding?.safety).toBe('safe');
    expect(apply(text, finding?.edits ?? [])).toBe(text.replace(`${line}\n`, ''));
  },
);

test('a line that no launcher reads is deleted, also when the launcher is a guess', async () => {
  const text = `${wide}LOG_MAXBACKUPS=3\n`;
  expect(await fixed('node.conf', text)).toBe(text.replace('LOG_MAXBACKUPS=3\n', ''));
});

test('private modules are removed from a list, also when the launcher is a guess', async () => {
  const text = `RPC_ENABLE=1\nRPC_API="klay,admin"\n${tail}`;
  expect(await fixed('node.conf', text)).toBe(text.replace('klay,admin', 'klay'));
});

test('a file that may be no conf is not changed', async () => {
  const text = `LOG_MAXBACKUPS=3\nRPC_ENABLE=1\nRPC_API="klay,admin"\n${tail}`;
  expect(await fixed('kend.conf', text, { guessed: true })).toBe(text);
  const [finding] = findings('kend.conf', text, { guessed: true }).filter(
    ({ edits = [] }) => edits.length > 0,
  );
  expect(finding).toBeUndefined();
  const advised = findings('kend.conf', text, { guessed: true }).map(({ fix }) => fix);
  expect(advised.filter((fix) => fix.includes('give --launcher'))).toHaveLength(2);
});

test.each([
  ['kend.conf', {}, 'name', 'guess'],
  ['en.kend.conf', {}, 'name', 'guess'],
  ['/etc/kend/conf/kend.conf', {}, 'name', 'path'],
  ['/opt/kend-v2.2.1/conf/kend.conf', {}, 'name', 'path'],
  ['/srv/kcnd/node.conf', {}, 'path', 'guess'],
  ['node.conf', {}, 'guess', 'guess'],
  ['node.conf', { launcher: 'kend' }, 'option', 'guess'],
  ['kend.conf', { package: 'rpm' }, 'name', 'option'],
] as const)('%s with %j yields the launcher by %s and the package by %s', (path, options, by, packageBy) => {
  const report = judgeTarget(factsOf(readConf(path, Buffer.from(wide), options)), { failOn: 'high' });
  expect(report.conf).toMatchObject({ by, packageBy });
  expect(report.conf?.guessed).toBe(by === 'guess' ? true : undefined);
});

test.each([
  [wide, 'kend'],
  ['RPC_API=klay\n', 'kend'],
  ['SC_SUB_BRIDGE=1\n', 'kscnd'],
  ['REWARDBASE=0x1\n', 'kcnd'],
  ['SC_SUB_BRIDGE=1\nBOOTNODES=\n', 'kspnd'],
  ['KEY_PATH=/k\nAUTHORIZED_NODES=\n', 'kbnd'],
  ['SCSIGNER=0x1\n', 'kscnd'],
  ['# for the ksend\nREWARDBASE=0x1\n', 'ksend'],
])('without a name the launcher that reads most variables of %j is chosen: %s', (text, launcher) => {
  expect(readConf('x', Buffer.from(text)).settings).toMatchObject({ launcher, by: 'guess' });
});

test('of edits that are tried together, only those that do not hold there are tried alone', () => {
  const open =
    'RPC_ENABLE=1\nRPC_API="klay,subbridge"\nRPC_ADDR="0.0.0.0"\nRPC_CORSDOMAIN="*"\nRPC_VHOSTS="*"\n';
  const conf = readConf('node.conf', Buffer.from(`${open}SC_SUB_BRIDGE=0\nSCSIGNER=\n${tail}`));
  const file = editableOf(conf) as Editable;
  const read = vi.fn(file.read);
  const files = new Map([[conf.settings.source, { ...file, read }]]);
  const { findings: all } = judgeTarget(factsOf(conf), { failOn: 'high', editables: files });
  const edited = all.filter(({ edits = [] }) => edits.length > 0).map(({ rule }) => rule);
  expect(edited).toEqual(['public-bind', 'wildcard-cors', 'wildcard-vhosts']);
  expect(all.find(({ rule }) => rule === 'latent-module')?.fix).toContain('give --launcher to get an edit');
  expect(read).toHaveBeenCalledTimes(31);
});
