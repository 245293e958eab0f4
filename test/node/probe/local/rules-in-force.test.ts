/** Which rulesets are listed in the network of a process, and every doubt that leaves them unread. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rulesInForce, runLister } from '../../../../src/node/probe/local/rules-in-force.js';

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'kaiactl-in-force-'));
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

interface Process {
  readonly net?: string | null;
  readonly pids?: string;
  readonly uid?: number;
}

function run(pid: string, { net = '[1]', pids = '[4026531836]', uid = 0 }: Process = {}): void {
  const folder = join(proc, pid);
  for (const name of ['ns', 'net']) mkdirSync(join(folder, name), { recursive: true });
  if (net !== null) symlinkSync(`net:${net}`, join(folder, 'ns', 'net'));
  symlinkSync(`pid:${pids}`, join(folder, 'ns', 'pid'));
  writeFileSync(join(folder, 'status'), `Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
}

/** The node is process 7. */
function machine(node: Process = {}, self: Process = {}): void {
  run('1');
  run('self', self);
  run('7', node);
}
const file = (name: string, text: string) => writeFileSync(join(proc, '7', 'net', name), text);

/** What is found, and what was asked; `change` is what programs print instead. */
async function found(change: Readonly<Record<string, string | null>> = {}, platform = 'linux') {
  const asked: string[] = [];
  const rules = await rulesInForce(7, { proc, platform }, async (words) => {
    const line = words.join(' ');
    asked.push(line);
    const [, program = ''] = /(?:^|\/net )(.*)/.exec(line) ?? [];
    return program in change ? (change[program] ?? null) : `${program}: nothing`;
  });
  return { rules, asked: asked.sort() };
}

test('lists the rules of nft in its own network, and looks for what goes around them', async () => {
  machine();
  expect(await found({ 'nft list ruleset': 'table ip a { }' })).toEqual({
    rules: { isMachine: true, dumps: [{ program: 'nft', text: 'table ip a { }' }] },
    asked: ['ip -o link show', 'nft list ruleset', 'tc qdisc show'],
  });
});

test('enters the network of the node', async () => {
  machine({ net: '[2]' });
  const { rules, asked } = await found();
  expect(rules?.isMachine).toBe(false);
  const enter = `nsenter --net=${proc}/7/ns/net`;
  expect(asked).toEqual([`${enter} ip -o link show`, `${enter} nft list ruleset`, `${enter} tc qdisc show`]);
});

test('lists tables of legacy iptables where there are any', async () => {
  machine();
  file('ip_tables_names', 'filter\n');
  file('ip6_tables_names', '');
  expect((await found()).rules?.dumps.map(({ program }) => program)).toEqual(['nft', 'iptables-legacy']);
  file('ip6_tables_names', 'raw\n');
  const { rules, asked } = await found();
  expect(rules?.dumps.map(({ program, text }) => `${program} ${text}`)).toEqual([
    'nft nft list ruleset: nothing',
    'iptables-legacy iptables-legacy-save: nothing',
    'ip6tables-legacy ip6tables-legacy-save: nothing',
  ]);
  expect(asked).toContain('ip6tables-legacy-save');
});

test.each<[name: string, node: Process, self: Process]>([
  ['of a container', { net: '[2]' }, { net: '[2]' }],
  ['of the first process of a container', {}, { pids: '[4026532000]' }],
])('the network %s is not that of the machine', async (_, node, self) => {
  machine(node, self);
  expect((await found()).rules?.isMachine).toBe(false);
});

describe('reads no rules', () => {
  test.each<[name: string, node: Process, self: Process, platform?: string]>([
    ['without root', {}, { uid: 1000 }],
    ['where the network is not known', { net: null }, {}],
    ['elsewhere than on Linux', {}, {}, 'darwin'],
  ])('%s', async (_, node, self, platform) => {
    machine(node, self);
    expect(await found({}, platform)).toEqual({ rules: null, asked: [] });
  });

  test.each<[name: string, change: Readonly<Record<string, string | null>>]>([
    ['nft', { 'nft list ruleset': null }],
    ['tc', { 'tc qdisc show': null }],
    ['ip', { 'ip -o link show': null }],
    ['iptables-legacy-save', { 'iptables-legacy-save': null }],
  ])('where %s fails', async (_, change) => {
    machine();
    file('ip_tables_names', 'filter\n');
    expect((await found(change)).rules).toBeNull();
  });

  test.each([
    ['tc qdisc show', 'qdisc clsact ffff: dev eth0 parent ffff:fff1'],
    ['tc qdisc show', 'qdisc ingress ffff: dev eth0 parent ffff:fff1 ----------------'],
    ['ip -o link show', '2: eth0: <BROADCAST,UP> mtu 1500 xdp/id:12 qdisc mq state UP'],
    ['ip -o link show', '2: eth0: <BROADCAST,UP> mtu 1500 xdpgeneric/id:12 qdisc mq state UP'],
  ])('where %s prints %s', async (program, text) => {
    machine();
    expect((await found({ [program]: text })).rules).toBeNull();
  });

  test('where the kernel balances connections itself', async () => {
    machine();
    const head = 'IP Virtual Server version 1.2.1 (size=4096)\nProt LocalAddress:Port Scheduler Flags\n';
    file('ip_vs', head);
    expect((await found()).rules).not.toBeNull();
    file('ip_vs', `${head}TCP  0A000001:0050 rr\n`);
    expect(await found()).toEqual({ rules: null, asked: [] });
  });

  test('where it cannot be read whether there are legacy tables', async () => {
    machine();
    mkdirSync(join(proc, '7', 'net', 'ip6_tables_names'));
    expect(await found()).toEqual({ rules: null, asked: [] });
  });
});

const shell = (script: string) => runLister(['sh', '-c', script]);

describe('a program', () => {
  test('is that of the system, without the user’s environment', async () => {
    expect(await shell('echo $PATH $HOME $LC_ALL')).toBe('/usr/sbin:/usr/bin:/sbin:/bin C\n');
  });

  test.each([
    ['is missing', () => runLister(['kaiactl-no-such-program'])],
    ['fails', () => shell('echo table; exit 1')],
    ['warns of what it cannot list', () => shell('echo table; echo "unknown expression type x" >&2')],
    ['does not end', () => runLister(['sleep', '600'], 50)],
    ['prints without end', () => runLister(['yes'])],
  ])('that %s lists nothing', async (_, list) => {
    expect(await list()).toBeNull();
  });

  test('may name the tables that iptables made', async () => {
    const warning = '# Warning: table ip filter is managed by iptables-nft, do not touch!';
    expect(await shell(`echo table; echo "${warning}" >&2; echo "${warning}" >&2`)).toBe('table\n');
  });
});
