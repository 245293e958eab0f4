/** Which nodes of a folder a firewall of the folder concerns. */
import { describe, expect, test } from 'vitest';
import { Firewalls, mayContain } from '../../../../src/node/deployment/firewalls.js';
import type { Settings, SourceKind } from '../../../../src/node/facts/settings.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

const closing = 'table inet f { chain in { type filter hook input priority 0; policy drop; } }';
const saved = '*filter\n:INPUT DROP [0:0]\nCOMMIT\n';

/** True where the firewalls of a folder close a port of a node's machine. */
function closes(
  node: string,
  firewalls: Readonly<Record<string, string>>,
  {
    kind = 'conf',
    byKind = [],
    paths = [],
    lines = [],
    texts = {},
  }: {
    kind?: SourceKind;
    byKind?: SourceKind[];
    paths?: string[];
    lines?: string[];
    texts?: Readonly<Record<string, string>>;
  } = {},
): boolean {
  const files = Object.entries(firewalls).map(([path, text]) => new LineIndex(path, text));
  const folder = {
    root: 'd',
    paths: [node, ...Object.keys(firewalls), ...paths],
    byKind: new Map(byKind.map((one) => [one, ['d/x']])),
    containing: Object.keys(texts).filter((path) => mayContain(texts[path] ?? '')),
  };
  const source = { kind, path: node, lines } as unknown as Settings['source'];
  const settings = { source } as Settings;
  const closed = new Firewalls(files, folder).closedFor(settings);
  return closed.some(({ of, ipv4, ipv6 }) => of === 'machine' && ipv4 === 'loopback' && ipv6 === 'loopback');
}

describe('a firewall concerns', () => {
  test.each([
    ['d/kend.conf', 'd/nftables.conf'],
    ['d/kend.conf', 'd/kaia.nft'],
    ['d/conf/kend.conf', 'd/firewall/node.nft'],
    ['d/etc/kend/conf/kend.conf', 'd/etc/nftables.conf'],
    ['d/opt/kend/conf/kend.conf', 'd/etc/nftables.conf'],
    ['d/en/etc/kend/conf/kend.conf', 'd/en/etc/nftables.conf'],
    ['d/kend/conf/kend.conf', 'd/nftables.conf'],
    ['d/kend.conf', 'd/apache2/node.nft'],
  ])('%s with %s', (node, path) => {
    expect(closes(node, { [path]: closing })).toBe(true);
  });

  test('a node of a unit or a script, also beside containers', () => {
    const beside = { byKind: ['compose' as const] };
    expect(closes('d/ken.service', { 'd/node.nft': closing }, { kind: 'systemd', ...beside })).toBe(true);
    expect(closes('d/start.sh', { 'd/node.nft': closing }, { kind: 'script', ...beside })).toBe(true);
  });

  test('both families with rules.v4 and rules.v6', () => {
    expect(closes('d/kend.conf', { 'd/rules.v4': saved, 'd/rules.v6': saved })).toBe(true);
    expect(closes('d/kend.conf', { 'd/rules.v4': saved })).toBe(false);
  });
});

const ufw = (number: string) => ({
  [`d/etc/ufw/before${number}.rules`]: `*filter\n:ufw${number}-before-input - [0:0]\nCOMMIT\n`,
  [`d/etc/ufw/user${number}.rules`]: `*filter\n:ufw${number}-user-input - [0:0]\nCOMMIT\n`,
});

test.each<[string, Readonly<Record<string, string>>, isRead?: boolean]>([
  ['a script of nft', { 'd/fw': `#!/usr/sbin/nft -f\n${closing}` }],
  ['a file of nftables', { 'd/nftables-node.rules': closing }],
  ['iptables-save', { 'd/iptables.save': saved, 'd/ip6tables.save': saved }],
  ['rules of iptables', { 'd/iptables': saved, 'd/ip6tables.conf': saved }],
  ['commands', { 'd/fw.sh': 'iptables -P INPUT DROP\nip6tables -P INPUT DROP\n' }],
  [
    'ufw',
    {
      'd/etc/default/ufw': 'IPV6=yes\nDEFAULT_INPUT_POLICY=DROP\n',
      'd/etc/ufw/ufw.conf': 'ENABLED=yes\n',
      ...ufw(''),
      ...ufw('6'),
    },
    false,
  ],
  ['nft with another name', { 'd/fw.conf': closing }, false],
  ['nft behind another name', { 'd/my-nftables.conf': closing }, false],
  ['a file of nft without a table', { 'd/a.nft': 'nft add rule inet f in accept\n' }, false],
  ['iptables-save with another name', { 'd/myrules.v4': saved, 'd/rules.v6': saved }, false],
  ['iptables-save with another ending', { 'd/rules.v4.bak': saved, 'd/rules.v6': saved }, false],
])('%s is recognised', (_, files, isRead = true) => {
  expect(closes('d/kend.conf', files)).toBe(isRead);
});

describe('a firewall does not concern', () => {
  test.each([
    ['d/a/kend.conf', 'd/nftables.conf'],
    ['d/kend.conf', 'd/a/nftables.conf'],
    ['d/a/etc/kend.conf', 'd/b/etc/nftables.conf'],
  ])('%s with %s', (node, path) => {
    expect(closes(node, { [path]: closing })).toBe(false);
  });

  test.each<[string, Parameters<typeof closes>[2]]>([
    ['Kubernetes', { kind: 'kubernetes' }],
    ['a conf that containers may mount', { byKind: ['compose'] }],
    [
      'a conf that a container of a unit may mount',
      { texts: { 'd/ken.container': '[Container]\nImage=x\n' } },
    ],
    ['a conf beside a script that starts containers', { texts: { 'd/up.sh': 'docker run x\n' } }],
    ['a conf beside a command over two lines', { texts: { 'd/up.sh': 'docker \\\n run x\n' } }],
    [
      'a conf beside a unit that starts containers',
      { texts: { 'd/x.service': 'ExecStart=/usr/bin/podman run x\n' } },
    ],
    ['a conf beside a Makefile of containers', { texts: { 'd/Makefile': 'up:\n\tdocker-compose up -d\n' } }],
    ['a unit with a network of its own', { kind: 'systemd', lines: ['NetworkNamespacePath=/run/netns/a'] }],
    ['machines of an inventory', { paths: ['d/host_vars/a.yml'] }],
    ['machines of an inventory in a file', { paths: ['d/inventory.ini'] }],
  ])('%s', (_, how) => {
    expect(closes('d/kend.conf', { 'd/nftables.conf': closing }, how)).toBe(false);
  });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['two of one kind', { 'd/nftables.conf': closing, 'd/old.nft': closing }],
  ['one of another name', { 'd/nftables.conf': closing, 'd/nftables.conf.bak': closing }],
  [
    'commands that are not read',
    { 'd/nftables.conf': closing, 'd/open.sh': 'nft add rule inet f in accept\n' },
  ],
  ['one that is not understood', { 'd/nftables.conf': closing, 'd/rules.v4': `${saved}x` }],
  ['one that closes less', { 'd/nftables.conf': closing, 'd/rules.v4': saved }],
])('of several firewalls in a folder, %s closes nothing', (_, files) => {
  expect(closes('d/kend.conf', files)).toBe(false);
});

test('a unit of the machine that waits for Docker starts no containers', () => {
  const texts = { 'd/ken.service': 'After=docker.service\nExecStart=/usr/bin/ken\n' };
  expect(closes('d/kend.conf', { 'd/nftables.conf': closing }, { texts })).toBe(true);
});

test('comments are no commands', () => {
  expect(closes('d/kend.conf', { 'd/nftables.conf': closing, 'd/notes.sh': '# nft -f x\n' })).toBe(true);
});

test('the files that are not understood are named', () => {
  const texts = { 'd/a.nft': closing, 'd/b.nft': closing, 'd/rules.v4': saved, 'd/up.sh': 'ufw enable\n' };
  const files = Object.entries(texts).map(([path, text]) => new LineIndex(path, text));
  const folder = { root: 'd', paths: [], byKind: new Map(), containing: [] };
  expect(new Firewalls(files, folder).unread).toEqual(['d/a.nft', 'd/b.nft', 'd/up.sh']);
});

test.each([
  ['security groups of a cloud', 'd/main.tf', 'resource "aws_security_group" "a" {}\n', true],
  ['a firewall of a cloud', 'd/main.tf', '  resource "google_compute_firewall" "a" {}\n', true],
  ['zones of firewalld', 'd/etc/firewalld/zones/public.xml', '<zone></zone>', false],
])('%s are named, and narrow nothing', (_, path, text, doesOtherCount) => {
  const files = [new LineIndex(path, text), new LineIndex('d/nftables.conf', closing)];
  const folder = { root: 'd', paths: [], byKind: new Map(), containing: [] };
  const { unread, read } = new Firewalls(files, folder);
  expect(unread).toEqual([path]);
  expect(read).toEqual(doesOtherCount ? ['d/nftables.conf'] : []);
});
