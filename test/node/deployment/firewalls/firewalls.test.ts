/** Which ports a ruleset surely closes, and to whom: a table for each format. */
import { describe, expect, test } from 'vitest';
import { closedPorts } from '../../../../src/node/deployment/firewalls/closed-ports.js';
import { readSaved } from '../../../../src/node/deployment/firewalls/iptables.js';
import { readNft } from '../../../../src/node/deployment/firewalls/nft.js';
import { ip4, ip6 } from '../../../../src/node/deployment/firewalls/ranges.js';
import { type Ruleset, Unread } from '../../../../src/node/deployment/firewalls/ruleset.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

/** `any`, `private` or `loopback` over IPv4 and IPv6, with the lines that close the port. */
function reachAt(port: number, firewalls: readonly Ruleset[], of = 'machine'): string {
  const found = closedPorts(firewalls).find(
    ({ ports: [low, high], of: one }) => one === of && low <= port && port <= high,
  );
  if (found === undefined) return 'any any';
  return `${found.ipv4} ${found.ipv6} ${found.by.map((one) => one.replace('f:', '')).join(',')}`;
}

function nft(text: string): Ruleset {
  return readNft(new LineIndex('f', text));
}

const chain = (rules: string, policy = 'drop') =>
  `table inet filter {\nchain input {\ntype filter hook input priority filter; policy ${policy};\n${rules}\n}\n}`;

describe('nft', () => {
  test.each<[name: string, text: string, port: number, reach: string]>([
    ['a policy', chain(''), 8551, 'loopback loopback 3'],
    ['a policy that accepts', chain('tcp dport 22 drop', 'accept'), 8551, 'any any'],
    ['a rule', chain('tcp dport 8551 drop', 'accept'), 8551, 'loopback loopback 4'],
    ['a rule of another port', chain('tcp dport 8551 drop', 'accept'), 8552, 'any any'],
    [
      'a list and a range',
      chain('tcp dport { 22, 8500-8600 } reject with tcp reset', 'accept'),
      8551,
      'loopback loopback 4',
    ],
    ['a refusal by ICMP', chain('reject with icmp type host-prohibited', 'accept'), 8551, 'loopback any 4'],
    ['a refusal by ICMPv6', chain('reject with icmpv6 admin-prohibited', 'accept'), 8551, 'any loopback 4'],
    [
      'a refusal by either',
      chain('reject with icmpx host-unreachable', 'accept'),
      8551,
      'loopback loopback 4',
    ],
    ['all but a port', chain('tcp dport != 8551 accept'), 8551, 'loopback loopback 3'],
    ['an accepted port', chain('iifname "lo" accept\ntcp dport 8551 accept'), 8551, 'any any'],
    [
      'usual first rules',
      chain(
        'iif lo accept\nct state established,related accept\nct state invalid drop\nicmp type echo-request accept\nmeta l4proto ipv6-icmp accept\nudp dport 8551 accept\nct state new tcp dport { ssh, https } counter packets 0 bytes 0 accept comment "all {of} these"\nlog prefix "in: " flags all limit rate 5/minute',
      ),
      8551,
      'loopback loopback 3',
    ],
    ['a private network', chain('ip saddr 10.0.0.0/8 tcp dport 8551 accept'), 8551, 'private loopback 3'],
    [
      'a public address',
      chain('ip saddr { 10.0.0.0/8, 192.0.2.1 } tcp dport 8551 accept'),
      8551,
      'any loopback 3',
    ],
    [
      'all but a private network',
      chain('ip saddr != 10.0.0.0/8 tcp dport 8551 drop', 'accept'),
      8551,
      'private any 4',
    ],
    ['private networks of IPv6', chain('ip6 saddr fd00::/8 accept'), 8551, 'loopback private 3'],
    ['more than a private network', chain('ip saddr 10.0.0.0/7 accept'), 8551, 'any loopback 3'],
    [
      'another chain that drops',
      `${chain('accept', 'accept')}\n${chain('tcp dport 8551 drop', 'accept').replace('filter {', 'other {')}`,
      8551,
      'loopback loopback 10',
    ],
    ['a chain of one family', chain('').replace('inet', 'ip'), 8551, 'loopback any 3'],
    [
      'a test that is not understood, before a drop',
      chain('ip daddr 192.0.2.1 tcp dport 8551 drop', 'accept'),
      8551,
      'any any',
    ],
    ['an interface before an accept', chain('iifname "eth0" tcp dport 8551 accept'), 8551, 'any any'],
    [
      'an interface and another port',
      chain('iifname "eth0" tcp dport 22 accept'),
      8551,
      'loopback loopback 3',
    ],
    ['words that are not understood', chain('socket transparent 1 tcp dport 22 accept'), 8551, 'any any'],
    ['a rate', chain('tcp dport 8551 limit rate 10/second burst 5 packets accept'), 8551, 'any any'],
    ['a mark set', chain('meta mark set 0x1'), 8551, 'loopback loopback 3'],
    ['a queue', chain('tcp dport 8551 queue num 0'), 8551, 'any any'],
    ['untracked packets', chain('ct state untracked accept'), 8551, 'any any'],
    [
      'a verdict map of states',
      chain('ct state vmap { established : accept, related : accept, invalid : drop }'),
      8551,
      'loopback loopback 3',
    ],
    ['a verdict map of ports', chain('tcp dport vmap { 8551 : accept, 8552 : drop }'), 8551, 'any any'],
    [
      'a verdict map of another port',
      chain('tcp dport vmap { 8551 : accept, 8552 : drop }', 'accept'),
      8552,
      'loopback loopback 4',
    ],
    [
      'a verdict map of concatenations',
      chain('ip saddr . tcp dport vmap { 10.0.0.1 . 8551 : accept }'),
      8551,
      'any any',
    ],
    ['a concatenation', chain('tcp dport . ip saddr { 22 . 10.0.1 } accept'), 8551, 'any any'],
    ['a mask', chain('ip saddr & 255.0.0.0 == 10.0.0.0 accept'), 8551, 'any any'],
    ['a header of an extension', chain('ip6 nexthdr tcp drop', 'accept'), 8551, 'any any'],
    [
      'other protocols',
      chain(
        'ip6 nexthdr { icmpv6, udp } accept\nmeta nfproto ipv4 udp dport 1 accept\nmeta l4proto { icmp, udp } accept',
      ),
      8551,
      'loopback loopback 3',
    ],
    ['a family', chain('meta nfproto ipv4 accept'), 8551, 'any loopback 3'],
    [
      'addresses of the machine',
      chain('fib daddr type local tcp dport 8551 drop', 'accept'),
      8551,
      'loopback loopback 4',
    ],
    ['a loop', chain('jump input'), 8551, 'any any'],
    [
      'variables',
      `define lan = { 10.0.0.0/8, fd00::1 }\ndefine ports = 8551\n${chain('ip saddr { $lan, 192.168.0.0/16 } tcp dport { $ports } accept').replace(', fd00::1', '')}`.replace(
        ', fd00::1',
        '',
      ),
      8551,
      'private loopback 5',
    ],
    [
      'a set',
      chain('ip saddr @lan accept').replace(
        'filter {',
        'filter {\nset lan {\ntype ipv4_addr; flags interval;\nelements = { 10.0.0.0/8,\n 192.168.0.0-192.168.0.9 }\n}',
      ),
      8551,
      'private loopback 8',
    ],
    [
      'a set with a public address',
      chain('ip saddr @lan accept').replace(
        'filter {',
        'filter {\nset lan { type ipv4_addr; elements = { 192.0.2.1 comment "office" } }',
      ),
      8551,
      'any loopback 4',
    ],
    [
      'an empty set',
      chain('ip saddr @lan accept').replace('filter {', 'filter {\nset lan { type ipv4_addr; }'),
      8551,
      'any loopback 4',
    ],
    [
      'a set that rules change',
      chain('ip saddr @lan accept\ntcp dport 9 add @lan { ip saddr }').replace(
        'filter {',
        'filter {\nset lan { type ipv4_addr; elements = { 10.0.0.1 } }',
      ),
      8551,
      'any loopback 4',
    ],
    [
      'a set that ends',
      chain('ip saddr @lan accept').replace(
        'filter {',
        'filter {\nset lan { type ipv4_addr; flags dynamic; elements = { 10.0.0.1 } }',
      ),
      8551,
      'any loopback 4',
    ],
    [
      'a set of a command',
      `${chain('ip saddr @lan accept').replace('filter {', 'filter {\nset lan { type ipv4_addr; }')}\nadd element inet filter lan { 10.0.0.1 }`,
      8551,
      'private loopback 4',
    ],
    [
      'a chain that comes back',
      `table inet filter {\nchain one { tcp dport 22 accept; return; tcp dport 8551 accept; }\nchain input { type filter hook input priority 0; policy drop; jump one; }\n}`,
      8551,
      'loopback loopback 3',
    ],
    [
      'a goto does not come back',
      `table inet filter {\nchain one { tcp dport 22 accept; }\nchain input { type filter hook input priority 0; policy accept; goto one; drop; }\n}`,
      8551,
      'any any',
    ],
    [
      'a goto ends at the policy',
      `table inet filter {\nchain one { tcp dport 22 accept; }\nchain input { type filter hook input priority 0; policy drop; goto one; accept; }\n}`,
      8551,
      'loopback loopback 3',
    ],
    [
      'a jump that is not sure',
      chain('iifname eth0 jump one', 'accept').replace('filter {', 'filter {\nchain one { drop; }'),
      8551,
      'any any',
    ],
    ['a dormant table', chain('').replace('filter {', 'filter {\nflags dormant;'), 8551, 'any any'],
    ['a table that is flushed', `${chain('')}\nflush ruleset`, 8551, 'any any'],
    ['a table that is deleted', `${chain('')}\ndelete table inet filter`, 8551, 'any any'],
    [
      'a table that replaces itself',
      `add table inet filter\ndelete table inet filter\n${chain('')}`,
      8551,
      'loopback loopback 5',
    ],
    [
      'rules of commands',
      `flush ruleset\nadd table inet f\nadd chain inet f in { type filter hook input priority 0; policy drop; }\nadd rule inet f in tcp dport 8551 accept\nadd rule inet f in drop`,
      8552,
      'loopback loopback 5',
    ],
    [
      'a chain without rules',
      `${chain('tcp dport 8551 drop', 'accept')}\nflush chain inet filter input`,
      8551,
      'any any',
    ],
    [
      'another chain without rules',
      `${chain('tcp dport 8551 drop', 'accept')}\nflush chain inet filter other`,
      8551,
      'loopback loopback 4',
    ],
    [
      'a table without rules',
      `${chain('tcp dport 8551 drop', 'accept')}\nflush table inet filter`,
      8551,
      'any any',
    ],
    [
      'another table without rules',
      `${chain('tcp dport 8551 drop', 'accept')}\nflush table inet other\nflush table filter`,
      8551,
      'loopback loopback 4',
    ],
    ['a table that is destroyed', `${chain('')}\ndestroy table inet filter`, 8551, 'any any'],
    ['another table that is deleted', `${chain('')}\ndelete table ip filter`, 8551, 'loopback loopback 3'],
    [
      'objects that hold no rule',
      `${chain('').replace('filter {', 'filter {\ncounter c { packets 0 bytes 0 }\nquota q { 1 bytes }\nlimit l { rate 1/second }\nct helper h { type "ftp" protocol tcp; }\ncomment "x"')}\nadd counter inet filter d\ncreate quota inet filter r { 1 bytes }`,
      8551,
      'loopback loopback 8',
    ],
    [
      'a table of two parts',
      `${chain('', 'accept')}\ncreate table inet filter { chain input { tcp dport 8551 drop; } }`,
      8551,
      'loopback loopback 7',
    ],
    [
      'a flag of a table',
      chain('').replace('filter {', 'filter {\nflags owner, persist;'),
      8551,
      'loopback loopback 4',
    ],
    ['a flag and a comment of a chain', chain('comment "all"\nflags offload'), 8551, 'loopback loopback 3'],
    [
      'a set with a time',
      chain('ip saddr @lan accept').replace(
        'filter {',
        'filter {\nset lan { type ipv4_addr; timeout 1h; elements = { 10.0.0.1 } }',
      ),
      8551,
      'any loopback 4',
    ],
    [
      'a set with flags',
      chain('ip saddr @lan accept').replace(
        'filter {',
        'filter {\nset lan { type ipv4_addr; flags constant; elements = { 10.0.0.1 } }',
      ),
      8551,
      'private loopback 4',
    ],
    [
      'a set whose elements end',
      chain('ip saddr @lan accept').replace(
        'filter {',
        'filter {\nset lan { type ipv4_addr; flags interval, timeout; elements = { 10.0.0.1 } }',
      ),
      8551,
      'any loopback 4',
    ],
    [
      'elements of a set that is not there',
      `${chain('ip saddr @lan accept')}\nadd element inet filter lan { 10.0.0.1 }`,
      8551,
      'any loopback 3',
    ],
    [
      'a variable that is defined again',
      `define ports = 22\nredefine ports = 8551\n${chain('tcp dport $ports accept')}`,
      8551,
      'any any',
    ],
    [
      'a priority with an offset',
      `${chain('tcp dport 80 accept').replace('hook input priority filter', 'hook prerouting priority raw + 250')}\ntable ip nat { chain pre { type nat hook prerouting priority dstnat; tcp dport 80 redirect to :8551; } }`,
      8551,
      'any any',
    ],
    [
      'a chain of a device',
      chain('').replace('hook input', 'hook input device "eth0"'),
      8551,
      'loopback loopback 3',
    ],
    ['a table of a bridge', chain('').replace('inet', 'bridge'), 8551, 'any any'],
    ['a chain of forwarding', chain('').replace('hook input', 'hook forward'), 8551, 'any any'],
    [
      'a translation of ports',
      `table ip nat { chain pre { type nat hook prerouting priority dstnat; tcp dport 80 redirect to :8551; } }\n${chain('tcp dport 80 accept')}`,
      8551,
      'loopback loopback 4',
    ],
    [
      'a translation of ports after a chain',
      `table ip nat { chain pre { type nat hook prerouting priority dstnat; tcp dport 80 redirect to :8551; } }\n${chain('tcp dport 8551 drop', 'accept').replace('hook input priority filter', 'hook prerouting priority mangle')}`,
      8551,
      'any any',
    ],
  ])('%s', (_, text, port, reach) => {
    expect(reachAt(port, [nft(text)])).toBe(reach);
  });

  test.each([
    ['an include', `include "/etc/nftables.d/*.nft"\n${chain('')}`],
    ['an include in a chain', chain('include "/etc/nftables.d/*.nft"')],
    ['a rule that is inserted', `${chain('')}\ninsert rule inet filter input accept`],
    ['a rule that is placed', `${chain('')}\nadd rule inet filter input position 1 accept`],
    ['an unknown variable', chain('tcp dport $PORTS accept')],
    ['an include in a set', chain('').replace('filter {', 'filter {\nset s { include "x" }')],
    ['an include in a table', chain('').replace('filter {', 'filter {\ninclude "x"')],
    ['a table that is deleted by its handle', `${chain('')}\ndelete table handle 3`],
    ['a chain that is deleted', `${chain('')}\ndelete chain inet filter other`],
    ['a set that is flushed', `${chain('')}\nflush set inet filter other`],
    ['an object that is not known', `${chain('')}\nadd thing inet filter other`],
    ['a rule by its index', `${chain('')}\nadd rule inet filter input index 1 accept`],
    ['a variable that is defined twice', `define a = 1\ndefine a = 2\n${chain('')}`],
    ['a variable without a value', `define a =\n${chain('')}`],
    ['a chain without a hook', chain('').replace('hook input', 'x')],
    ['a packet that is rewritten', chain('tcp dport set 8551')],
    ['connections that are not tracked', chain('notrack')],
    ['a target of iptables without a name in nft', chain('tcp dport 80 counter xt target "NETMAP"')],
    ['an open brace', 'table inet filter {'],
    [
      'variables that double again and again',
      Array.from(
        { length: 40 },
        (_, at) => `define a${at} = ${at === 0 ? '1' : `{ $a${at - 1}, $a${at - 1} }`}`,
      )
        .concat(chain('tcp dport $a39 accept'))
        .join('\n'),
    ],
    ['many braces', `table inet filter {${'{'.repeat(20_000)}${'}'.repeat(20_001)}`],
    ['another language', 'server { listen 80; }'],
    ['a policy that is misspelt', chain('').replace('policy drop', 'policy dorp')],
    ['a hook that is misspelt', chain('').replace('hook input', 'hook inptu')],
    ['a statement that is misspelt', chain('tcp dport 22 acept')],
    ['an expression that is misspelt', chain('tpc dport 22 accept')],
    ['a chain that is not there', chain('jump other')],
    ['a set that is not there', chain('ip saddr @lan accept')],
    ['a verdict map that is not there', chain('tcp dport vmap @ports')],
    [
      'an error in another table',
      `${chain('')}\ntable ip x { chain y { type filter hook input priority 0; policy acept; } }`,
    ],
    ['a priority that is not known', chain('').replace('priority filter', 'priority later')],
  ])('reads no ruleset with %s', (_, text) => {
    expect(() => nft(text)).toThrow(Unread);
  });

  test('a published port is closed before Docker translates it', () => {
    const before = chain(
      'fib daddr type != local accept\niifname "lo" accept\ntcp dport 8551 drop',
      'accept',
    );
    const early = nft(before.replace('hook input priority filter', 'hook prerouting priority mangle'));
    expect(reachAt(8551, [early], 'container')).toBe('loopback loopback 6');
    expect(reachAt(8551, [early])).toBe('loopback loopback 6');
    expect(reachAt(8551, [nft(before)], 'container')).toBe('any any');
    const late = nft(before.replace('hook input priority filter', 'hook prerouting priority filter'));
    expect(reachAt(8551, [late], 'container')).toBe('any any');
  });

  test('before the kernel tracks connections, no state is known', () => {
    const raw = (rules: string) =>
      nft(chain(rules, 'accept').replace('hook input priority filter', 'hook prerouting priority raw'));
    expect(reachAt(8551, [raw('tcp dport 8551 drop')])).toBe('loopback loopback 4');
    expect(reachAt(8551, [raw('ct state new tcp dport 8551 drop')])).toBe('any any');
    expect(reachAt(8551, [raw('ct state invalid accept\ntcp dport 8551 drop')])).toBe('any any');
  });

  test('a ruleset that takes too many steps closes nothing', () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, at) => `tcp dport ${at + 1} accept`).join('\n');
    expect(reachAt(8551, [nft(chain(rules(100)))])).toBe('loopback loopback 3');
    expect(reachAt(8551, [nft(chain(rules(2_000)))])).toBe('any any');
  });

  test('of two firewalls the wider one counts', () => {
    const [closed, open] = [nft(chain('')), nft(chain('ip saddr 10.0.0.0/8 accept'))];
    expect(reachAt(8551, [closed, open])).toBe('private loopback 3');
  });
});

const saved = (rules: string, policy = 'DROP') =>
  `# Generated\n*filter\n:INPUT ${policy} [0:0]\n:OTHER - [0:0]\n${rules}\nCOMMIT\n`;

describe('iptables', () => {
  test.each<[name: string, rules: string, policy: string, reach: string]>([
    ['a policy', '', 'DROP', 'loopback any 3'],
    ['a policy that accepts', '', 'ACCEPT', 'any any'],
    [
      'usual rules',
      '-A INPUT -i lo -j ACCEPT\n[5:9] -A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\n-A INPUT -p icmp -j ACCEPT\n-A INPUT -p tcp -m tcp --dport 22 -m comment --comment "ssh -j ACCEPT" -j ACCEPT\n-A INPUT -p udp -j ACCEPT\n-A INPUT -j LOG --log-prefix "dropped: "\n-A INPUT -j REJECT --reject-with icmp-host-prohibited',
      'ACCEPT',
      'loopback any 11',
    ],
    ['a port', '-A INPUT -p tcp --dport 8551 -j ACCEPT', 'DROP', 'any any'],
    [
      'a list of ports',
      '-A INPUT -p tcp -m multiport --dports 22,8500:8600 -j DROP',
      'ACCEPT',
      'loopback any 5',
    ],
    ['all but a port', '-A INPUT -p tcp ! --dport 8551 -j ACCEPT', 'DROP', 'loopback any 3'],
    [
      'a private network',
      '-A INPUT -s 10.0.0.0/255.0.0.0 -p tcp --dport 8551 -j ACCEPT',
      'DROP',
      'private any 3',
    ],
    [
      'all but a private network',
      '-A INPUT ! -s 10.0.0.0/8 -p tcp --dport 8551 -j DROP',
      'ACCEPT',
      'private any 5',
    ],
    [
      'a range of addresses',
      '-A INPUT -m iprange --src-range 10.0.0.1-10.0.0.9 -j ACCEPT',
      'DROP',
      'private any 3',
    ],
    ['an interface', '-A INPUT -i eth0 -j ACCEPT', 'DROP', 'any any'],
    ['an interface before a drop', '-A INPUT -i eth0 -j DROP', 'ACCEPT', 'any any'],
    [
      'all interfaces but loopback',
      '-A INPUT ! -i lo -p tcp --dport 8551 -j DROP',
      'ACCEPT',
      'loopback any 5',
    ],
    ['a module', '-A INPUT -m set --match-set blocked src -j DROP', 'ACCEPT', 'any any'],
    ['a module without options', '-A INPUT -m socket -j DROP', 'ACCEPT', 'any any'],
    ['a module that accepts', '-A INPUT -m set --match-set allowed src -j ACCEPT', 'DROP', 'any any'],
    ['a rate', '-A INPUT -p tcp --syn -m limit --limit 1/s -j ACCEPT', 'DROP', 'any any'],
    ['new connections', '-A INPUT -p tcp --syn -m state --state NEW -j DROP', 'ACCEPT', 'loopback any 5'],
    [
      'new connections without SYN',
      '-A INPUT -p tcp ! --syn -m state --state NEW -j DROP',
      'ACCEPT',
      'any any',
    ],
    [
      'a chain',
      '-A INPUT -j OTHER\n-A OTHER -p tcp --dport 8551 -j RETURN\n-A OTHER -j DROP',
      'ACCEPT',
      'any any',
    ],
    [
      'a chain that drops',
      '-A INPUT -j OTHER\n-A OTHER -p tcp --dport 8551 -j DROP',
      'ACCEPT',
      'loopback any 6',
    ],
    [
      'a rule that is inserted',
      '-A INPUT -j DROP\n-I INPUT -p tcp --dport 8551 -j ACCEPT',
      'ACCEPT',
      'any any',
    ],
    [
      'a rule that is inserted at a place',
      '-A INPUT -j DROP\n--insert INPUT 1 -p tcp --dport 8551 -j ACCEPT',
      'ACCEPT',
      'any any',
    ],
    ['a flushed chain', '-A INPUT -j ACCEPT\n-F INPUT', 'DROP', 'loopback any 3'],
    ['another flushed chain', '-A INPUT -j ACCEPT\n--flush OTHER', 'DROP', 'any any'],
    ['a flushed table', '-A INPUT -j ACCEPT\n--flush', 'DROP', 'loopback any 3'],
    ['a policy of a command', '-P INPUT DROP', 'ACCEPT', 'loopback any 5'],
    ['a policy by its long name', '--policy INPUT DROP', 'ACCEPT', 'loopback any 5'],
    ['a chain of a command', '-N NEW\n-A INPUT -j NEW\n-A NEW -j DROP', 'ACCEPT', 'loopback any 7'],
    [
      'a chain by its long name',
      '--new-chain NEW\n--append INPUT --jump NEW\n-A NEW -j DROP',
      'ACCEPT',
      'loopback any 7',
    ],
    ['commands that change no rule', '-X\n-Z INPUT\n--zero\n--delete-chain OTHER', 'DROP', 'loopback any 3'],
    ['a goto does not come back', '-A INPUT -g OTHER\n-A INPUT -j DROP', 'ACCEPT', 'any any'],
    ['a goto by its long name', '-A INPUT --goto OTHER\n-A INPUT -j DROP', 'ACCEPT', 'any any'],
    ['a target with a word that is not known', '-A INPUT -j DROP x', 'ACCEPT', 'any any'],
    [
      'a negation is for one test',
      '-A INPUT ! -i lo -s 10.0.0.0/8 -p tcp --dport 8551 -j ACCEPT',
      'DROP',
      'private any 3',
    ],
    ['a negation behind another test', '-A INPUT -p tcp ! -s 10.0.0.0/8 -j DROP', 'ACCEPT', 'private any 5'],
    ['two networks', '-A INPUT --source 10.0.0.0/8,192.168.0.0/16 -j ACCEPT', 'DROP', 'private any 3'],
    ['a network by another name', '-A INPUT --src 10.0.0.0/8 -j ACCEPT', 'DROP', 'private any 3'],
    ['a host name', '-A INPUT -s host.example -j ACCEPT', 'DROP', 'any any'],
    ['a service', '-A INPUT -p tcp --dport ssh -j ACCEPT', 'DROP', 'loopback any 3'],
    ['a port by another name', '-A INPUT -p tcp --destination-port 8551 -j DROP', 'ACCEPT', 'loopback any 5'],
    ['every protocol', '-A INPUT -p all -j DROP', 'ACCEPT', 'loopback any 5'],
    ['a protocol by its number', '-A INPUT --protocol 6 -j DROP', 'ACCEPT', 'loopback any 5'],
    ['all but a protocol', '-A INPUT ! -p tcp -j DROP', 'ACCEPT', 'any any'],
    ['all but another protocol', '-A INPUT ! --proto udp -j DROP', 'ACCEPT', 'loopback any 5'],
    ['untracked connections', '-A INPUT -m conntrack --ctstate UNTRACKED -j DROP', 'ACCEPT', 'any any'],
    ['translated connections', '-A INPUT -m conntrack --ctstate DNAT -j ACCEPT', 'DROP', 'any any'],
    ['all but new connections', '-A INPUT -m conntrack ! --ctstate NEW -j DROP', 'ACCEPT', 'any any'],
    ['established connections', '-A INPUT -m state --state ESTABLISHED -j DROP', 'ACCEPT', 'any any'],
    [
      'targets without a verdict',
      '-A INPUT -j LOG --log-level 4\n-A INPUT -j NFLOG --nflog-group 1\n-A INPUT -j MARK --set-mark 1\n-A INPUT -j CONNMARK --save-mark\n-A INPUT -j ULOG\n-A INPUT -j AUDIT --type drop',
      'DROP',
      'loopback any 3',
    ],
    ['an option of a target before it', '-A INPUT --log-prefix x -j DROP', 'ACCEPT', 'any any'],
    [
      'addresses of the network',
      '-A INPUT -m addrtype --dst-type BROADCAST,MULTICAST -j DROP',
      'ACCEPT',
      'any any',
    ],
    ['counters and a family', '-A INPUT -c 1 2 -4 -m icmp6 -m tcp -j DROP', 'ACCEPT', 'loopback any 5'],
    ['a module that begins like another', '-A INPUT -m tcpmss -j DROP', 'ACCEPT', 'any any'],
    [
      'a comment in quotes',
      '-A INPUT -m comment --comment \'a -j ACCEPT\' -m comment --comment "b \\" -j ACCEPT" -j DROP',
      'ACCEPT',
      'loopback any 5',
    ],
    [
      'addresses of the machine',
      '-A INPUT -m addrtype ! --dst-type LOCAL -j ACCEPT',
      'DROP',
      'loopback any 3',
    ],
  ])('%s', (_, rules, policy, reach) => {
    expect(reachAt(8551, [readSaved(new LineIndex('f', saved(rules, policy)), ip4)])).toBe(reach);
  });

  test('rules of both families close a port', () => {
    const [v4, v6] = [ip4, ip6].map((family) => readSaved(new LineIndex('f', saved('')), family));
    const both = { bases: [...v4!.bases, ...v6!.bases], translates: false };
    expect(reachAt(8551, [both])).toBe('loopback loopback 3');
  });

  test('a chain before a translation counts only where nothing is translated', () => {
    const raw = '*raw\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -p tcp --dport 8551 -j DROP\nCOMMIT\n';
    const nat =
      '*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -p tcp --dport 80 -j REDIRECT --to-ports 8551\nCOMMIT\n';
    const reach = (text: string, of: string) => reachAt(8551, [readSaved(new LineIndex('f', text), ip4)], of);
    expect(reach(raw, 'container')).toBe('loopback any 3');
    expect(reach(raw + nat, 'container')).toBe('any any');
    expect(reach(raw + nat, 'machine')).toBe('any any');
  });

  test.each([
    ['tables without the chain', '*filter\n:OTHER - [0:0]\n-A OTHER -j DROP\nCOMMIT\n'],
    ['a chain that only forwards', '*filter\n:FORWARD DROP [0:0]\nCOMMIT\n'],
    ['a table of another hook', '*mangle\n:OUTPUT DROP [0:0]\nCOMMIT\n'],
    ['rules of another table', '*nat\n:INPUT DROP [0:0]\nCOMMIT\n'],
  ])('%s close nothing', (_, text) => {
    expect(reachAt(8551, [readSaved(new LineIndex('f', text), ip4)])).toBe('any any');
  });

  test.each(['DNAT --to-destination 127.0.0.1:8551', 'TPROXY --on-port 8551', 'NETMAP --to 127.0.0.0/8'])(
    '%s translates ports',
    (target) => {
      const raw = '*raw\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -p tcp --dport 8551 -j DROP\nCOMMIT\n';
      const nat = `*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -j ${target}\nCOMMIT\n`;
      expect(reachAt(8551, [readSaved(new LineIndex('f', raw + nat), ip4)])).toBe('any any');
    },
  );

  test.each([
    '-I INPUT 21 -j ACCEPT',
    'x-Z',
    '-E a b',
    '-A INPUT -j NOTRACK',
    '-R INPUT 1 -j ACCEPT',
    '-I INPUT 3 -j ACCEPT',
    '-A INPUT -j CT --notrack',
    'server {',
    '-A INPUT -p tcp --dprot 22 -j ACCEPT',
    '-A INPUT -p tcp -x -j ACCEPT',
    '-A INPUT -m multport -j ACCEPT',
    '-A INPUT -m xtcp -j DROP',
    '-A INPUT -j ACEPT',
    '-A INPUT -j constructor',
    ':INPUT DORP [0:0]',
  ])('reads no ruleset with %s', (line) => {
    expect(() => readSaved(new LineIndex('f', saved(line)), ip4)).toThrow(Unread);
  });

  test('reads no ruleset whose last table has no COMMIT', () => {
    const text = saved('-A INPUT -i lo -j ACCEPT').replace(/COMMIT\n$/, '');
    expect(() => readSaved(new LineIndex('f', text), ip4)).toThrow(Unread);
  });
});
