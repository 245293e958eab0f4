/** What is let through, to whom, and what is said where the settings leave it open. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type Plan, planOf, readNetwork, readServerName, snippet } from '../../../src/node/harden/index.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { modules, signingMethods, signingModules } from '../../../src/node/kinds/kaia/modules.js';
import { kindOf } from '../../../src/node/kinds/node.js';
import { readConf } from '../editables.js';
import { loadNode } from '../load.js';

const base = 'NETWORK=mainnet\nDATA_DIR=/srv/kend\n';
const http = 'RPC_ENABLE=1\nRPC_API="klay,eth,net"\nRPC_ADDR=127.0.0.1\n';
const ws = 'WS_ENABLE=1\nWS_API="klay,eth"\nWS_ADDR=127.0.0.1\n';

function plan(text: string, given: Partial<Parameters<typeof planOf>[2]> = {}): Plan {
  const read = readConf('kend.conf', Buffer.from(base + text));
  return planOf(read, kaia, { monitoring: [], serverName: null, ...given });
}

async function planOfFile(name: string, text: string, service?: string): Promise<Plan> {
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  const conf = await loadNode(
    '-',
    { stdinFilename: name, ...(service === undefined ? {} : { service }) },
    host,
  );
  return planOf(conf, kindOf(kinds, conf.settings), { monitoring: [], serverName: null });
}

describe('modules', () => {
  test('public modules pass, kaia under both names', () => {
    expect(plan(http).http?.allowed).toEqual(['eth', 'kaia', 'klay', 'net', 'rpc']);
    expect(plan(http).http?.blocked).toEqual([]);
  });

  test('every privileged module is blocked', () => {
    const all = Object.keys(modules);
    const { allowed = [], blocked = [] } = plan(`${http}RPC_API="${all.join(',')}"\n`).http ?? {};
    expect(allowed).toEqual(['eth', 'kaia', 'klay', 'net', 'rpc', 'web3']);
    for (const name of blocked) expect(modules[name]?.privileged).toBe(true);
    expect(blocked).toContain('debug');
  });

  test('an empty list yields the built-in list', () => {
    expect(plan('RPC_ENABLE=1\n').http?.allowed).toEqual(['eth', 'kaia', 'klay', 'net', 'rpc', 'web3']);
  });

  test('both proxies hold back every method that signs, and no other', () => {
    const made = plan(http);
    for (const method of signingMethods) expect(snippet('njs', made)).toContain(`'${method}'`);
    expect(snippet('caddy', made)).toContain(`_(?:${signingMethods.join('|')})"`);
    for (const name of signingModules) expect(snippet('caddy', made)).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('ws', () => {
  test('passes if every offered module may pass', () => {
    expect(plan(ws).ws?.obstacles).toEqual([]);
    expect(snippet('nginx', plan(ws))).toContain('location = /ws');
    expect(snippet('caddy', plan(ws))).toContain('handle @ws');
  });

  test.each([
    ['a privileged module', 'WS_API="klay,debug,miner"\n', 'ws offers debug: set WS_API to klay.'],
    ['nothing but one', 'WS_API="debug"\n', 'remove debug from WS_API, or switch ws off.'],
    ['an unknown list', 'WS_API="$(cat apis)"\n', 'the modules of ws are unknown.'],
    ['an unlocked account', 'ADDITIONAL="--unlock 0x01"\n', 'the settings unlock an account'],
    ['an unknown account', 'ADDITIONAL="--unlock $(cat account)"\n', 'or may do so'],
  ])('is blocked with %s', (_, text, said) => {
    const made = plan(http + ws + text);
    expect(made.ws?.obstacles.join(' ')).toContain(said);
    expect(snippet('nginx', made)).not.toContain('/ws');
    expect(snippet('caddy', made)).not.toContain('/ws');
    expect(snippet('nginx', made)).toContain('ws is not forwarded');
  });
});

describe('the address that the proxy connects to', () => {
  test.each([
    ['', '127.0.0.1:8551'],
    ['RPC_ADDR=0.0.0.0\n', '127.0.0.1:8551'],
    ['RPC_ADDR="[::]"\nRPC_PORT=9000\n', '127.0.0.1:9000'],
    ['RPC_ADDR=10.1.2.3\n', '10.1.2.3:8551'],
    ['RPC_ADDR="[::1]"\n', '[::1]:8551'],
    ['RPC_ADDR=localhost\n', '127.0.0.1:8551'],
  ])('%j', (text, authority) => {
    const { http: found, undetermined } = plan(http + text);
    expect(found?.authority).toBe(authority);
    expect(undetermined).toEqual([]);
  });

  test.each([
    ['RPC_ADDR=node1\n', 'http: its address or port is unknown; 127.0.0.1:8551 is assumed'],
    ['RPC_PORT=0\n', 'http: its address or port is unknown; 127.0.0.1:8551 is assumed'],
    ['RPC_ADDR="[fe80::1%eth0]"\n', 'http: its address or port is unknown; 127.0.0.1:8551 is assumed'],
  ])('%j is undetermined', (text, said) => {
    expect(plan(http + text).undetermined).toEqual([said]);
  });

  test('callers who bypass the proxy are reported, with the setting that stops them', () => {
    const [said] = plan(`${http}RPC_ADDR=0.0.0.0\n`).http?.bypass ?? [];
    expect(said).toContain('Set RPC_ADDR to 127.0.0.1');
    expect(snippet('nginx', plan(`${http}RPC_ADDR=0.0.0.0\n`)).replace(/\n# /g, ' ')).toContain(said);
    expect(plan(http).http?.bypass).toEqual([]);
  });
});

describe('undetermined settings', () => {
  test.each([
    ['the switch', 'RPC_ENABLE="$(cat on)"\n', /^http: .*; 127\.0\.0\.1:8551 is assumed$/],
    ['the port', `${http}RPC_PORT="$(cat port)"\n`, /^http: .*; 127\.0\.0\.1:8551 is assumed$/],
    ['the modules', `${http}RPC_API="$(cat apis)"\n`, /^http: its modules are unknown .* are assumed$/],
    ['the peers', `${http}PORT="$(cat port)"\n`, /^p2p: .* 32323 is assumed$/],
  ])('%s', (_, text, said) => {
    const made = plan(text);
    expect(made.undetermined.join('\n')).toMatch(said);
    expect(made.http?.allowed).toContain('eth');
    expect(made.http?.allowed).not.toContain('debug');
    for (const product of ['nginx', 'caddy', 'nftables', 'systemd', 'compose'] as const)
      expect(snippet(product, made)).toContain('# Undetermined: ');
  });

  test('an unknown port of gRPC is assumed, and its reason is named', () => {
    const made = plan(`${http}ADDITIONAL="--grpc --grpcport $(cat port)"\n`);
    expect(made.undetermined).toContainEqual(expect.stringMatching(/^grpc: .+; port 8553 is assumed$/));
    expect(made.undetermined).not.toContainEqual(expect.stringMatching(/^http: /));
    expect(made.local.map(({ kind }) => kind)).toEqual(['http', 'grpc']);
  });

  test('settings that hold only under a condition are named and ignored', () => {
    const said = 'the node starts with other settings if “test -e /etc/open” holds; this file ignores them';
    const named = (text: string) => plan(`${http}${text}`).undetermined.filter((one) => one === said);
    expect(named('test -e /etc/open && RPC_API="klay,admin"\n')).toEqual([said]);
    // Each of its releases reads such settings in its own way.
    expect(named('test -e /etc/open && ADDITIONAL="--rpc.unsafe-debug.disable"\n')).toEqual([said]);
    expect(plan(http).undetermined).toEqual([]);
  });

  test.each(['abc', '65536'])('a node that does not start, with the port %s, is undetermined', (port) => {
    const made = plan(`${http}RPC_PORT=${port}\n`);
    expect(made.undetermined).toContain(
      'the node does not start with these settings; kaiactl node lint shows the reason',
    );
    expect(made.http?.authority).toBe('127.0.0.1:8551');
  });

  test.each([
    [http, true],
    [`${http}RPC_PORT="$(cat port)"\n`, false],
    ['RPC_ENABLE="$(cat on)"\n', false],
    [`${http}PORT="$(cat port)"\n`, false],
  ])('binding is restricted only where every port is known: %j, %j', (text, expected) => {
    const made = snippet('systemd', plan(text));
    expect(/^SocketBindDeny=1-65535\nSocketBindAllow=tcp:8551\n/m.test(made)).toBe(expected);
    expect(/^SocketBind/m.test(made)).toBe(expected);
  });

  test('a port that the kernel chooses is not reported as closed', () => {
    const said = snippet('systemd', plan(http)).replaceAll('\n# ', ' ');
    expect(said).toContain('a program can still open a port of the kernel’s choice.');
    // Not every kind of node has these methods, or is written in Go.
    expect(said).not.toMatch(/opens none|admin_|debug_|\bGo\b/);
  });
});

describe('nothing to put a proxy in front of', () => {
  test('is reported, and the snippet is a file of comments', () => {
    for (const product of ['nginx', 'njs', 'caddy'] as const) {
      const lines = snippet(product, plan('RPC_ENABLE=0\n')).trim().split('\n');
      for (const line of lines) expect(line).toMatch(/^(#|\/\/) /);
    }
    expect(snippet('nginx', plan('RPC_ENABLE=0\n'))).toContain('no proxy is needed');
  });

  test('except for the metrics, if --monitoring names a reader', () => {
    const monitoring = [readNetwork('10.20.0.0/16')];
    const made = plan('METRICS=1\nPROMETHEUS=1\n', { monitoring });
    expect(snippet('nginx', made)).toMatch(/location = \/metrics {\n +allow 10.20.0.0\/16;\n +deny all;/);
    expect(snippet('nginx', plan('METRICS=1\nPROMETHEUS=1\n'))).toContain('no proxy is needed');
  });
});

describe('ports', () => {
  const text = `${http}${ws}METRICS=1\nPROMETHEUS=1\nMULTICHANNEL=1\n`;

  test('http and ws open to this machine, metrics to the monitoring, and peers to everyone', () => {
    const monitoring = ['10.20.0.0/16', 'fd00::/8'].map(readNetwork);
    const made = snippet('nftables', plan(text, { monitoring }));
    const rules = made.split('\n').filter((line) => /(accept|drop)$/.test(line));
    expect(rules.map((line) => line.trim())).toEqual([
      'fib daddr type != local accept',
      'iifname "lo" accept',
      'tcp dport 32323 accept',
      'udp dport 32323 accept',
      'tcp dport 32324 accept',
      'ip saddr @monitoring4 tcp dport 61001 accept',
      'ip6 saddr @monitoring6 tcp dport 61001 accept',
      'tcp dport { 8551, 8552, 61001 } drop',
    ]);
    expect(made).toContain('elements = { 10.20.0.0/16 }');
  });

  test('without a subnet the metrics open to this machine only', () => {
    const made = snippet('nftables', plan(text));
    expect(made).not.toMatch(/^[^#]*saddr/m);
    expect(made).toContain('No monitoring subnet is given');
  });

  test('a boot node opens udp only', async () => {
    const made = await planOfFile('kbnd.conf', 'NETWORK=mainnet\nDATA_DIR=/srv/kbnd\nKEY_PATH=/k\n');
    expect(made.peers).toMatchObject([{ protocol: 'udp', port: 32323 }]);
  });

  test('a node without discovery has no udp, and its main bridge stays open', () => {
    const made = plan('NO_DISCOVER=1\nSC_MAIN_BRIDGE=1\nSC_MAIN_BRIDGE_PORT=50505\n');
    expect(made.peers.map(({ kind, protocol, port }) => `${kind} ${protocol} ${port}`)).toEqual([
      'p2p tcp 32323',
      'mainbridge tcp 50505',
    ]);
  });
});

describe('a container', () => {
  const compose = `services:
  en:
    image: kaiachain/kaia
    command: ken --datadir /d --rpc --rpcaddr 0.0.0.0 --ws --wsaddr 0.0.0.0 --metrics --prometheus
    ports: ["9551:8551", "8552:8552", "61001:61001"]
  other:
    image: kaiachain/kaia
    command: ken --datadir /d --rpc --rpcaddr 0.0.0.0
`;

  test('is reached and closed at its published port', async () => {
    const made = await planOfFile('compose.yaml', compose, 'en');
    expect(made.http?.authority).toBe('127.0.0.1:9551');
    expect(made.http?.bypass.join()).toContain('--for compose');
    expect(snippet('nftables', made)).toContain('tcp dport { 9551, 8552, 61001 } drop');
    expect(snippet('systemd', made)).toContain('SocketBindAllow=tcp:8551');
  });

  test('with the override, nothing but its peers’ ports is reached from elsewhere', async () => {
    const made = snippet('compose', await planOfFile('compose.yaml', compose, 'en'));
    const [ports = ''] = /( {4}ports: !override\n(?: {6}- .*\n)+)/.exec(made) ?? [];
    const merged = compose.replace(/ {4}ports: .*\n/, ports.replace(' !override', ''));
    const again = await planOfFile('compose.yaml', merged, 'en');
    expect([again.http?.bypass, again.ws?.bypass, again.undetermined]).toEqual([[], [], []]);
    expect(made).toContain('- "127.0.0.1:9551:8551" # http');
    expect(made).toContain('- "32323:32323/udp" # p2p');
  });

  test('on the host network publishes nothing, and the report says that', async () => {
    const host = compose.replace(
      '    ports: ["9551:8551", "8552:8552", "61001:61001"]',
      '    network_mode: host',
    );
    const made = snippet('compose', await planOfFile('compose.yaml', host, 'en'));
    expect(made).toContain('network_mode: host');
    expect(made).not.toMatch(/^[^#\n]/m);
  });

  test('in a cluster is closed by its Service, and the table says that it applies to one machine', async () => {
    const pod =
      'kind: Pod\nmetadata: {name: en, labels: {app: en}}\nspec: {containers: [{name: ken, image: k, command: [ken, --datadir, /d, --rpc, --rpcaddr, 0.0.0.0]}]}\n';
    const service =
      '---\nkind: Service\nmetadata: {name: en}\nspec: {type: LoadBalancer, selector: {app: en}, ports: [{port: 8551}]}\n';
    const made = await planOfFile('en.yaml', pod + service);
    expect(made.http?.bypass.join()).toContain('ClusterIP');
    expect(snippet('nftables', made)).toContain('a NetworkPolicy closes them');
    expect(snippet('systemd', made)).toContain('a unit that runs the node itself');
  });

  test('that publishes nothing is undetermined', async () => {
    const { undetermined, http, portsKnown } = await planOfFile('compose.yaml', compose, 'other');
    expect(undetermined).toEqual([
      'http: its port is not published on this machine; 127.0.0.1:8551 is assumed',
    ]);
    expect([http?.bypass, portsKnown]).toEqual([[], true]);
  });

  test('that publishes a free port of the machine has an unknown port', async () => {
    const { portsKnown } = await planOfFile('compose.yaml', compose.replace('9551:8551', '8551'), 'en');
    expect(portsKnown).toBe(false);
  });

  test('whose service has no valid name is named by its program', async () => {
    const made = snippet('compose', await planOfFile('compose.yaml', compose.replace('en:', 'e n:'), 'e n'));
    expect(made).toContain('\n  ken:\n');
    expect(made).toContain('Replace the name under “services”');
  });
});

describe('the unit', () => {
  const unit = '[Service]\nExecStart=/usr/bin/ken --datadir /srv/kaia --rpc\n';

  test.each([
    ['en-1.service', 'en-1'],
    ['kend@b.service', 'kend@b'],
    ['+en.service', 'kend'],
    ['en.service.old', 'kend'],
    ['en\\x2d1.service', 'kend'],
  ])('that was read from %s is %s', async (name, expected) => {
    const made = snippet('systemd', await planOfFile(name, unit));
    expect(made).toContain(`# Restricts the node of ${name}.\n`);
    expect(made).toContain(`/${expected}.service.d/harden.conf`);
  });

  test.each([
    ['ken --datadir /srv/kaia --rpc', 'A packaged node runs as root'],
    ['geth --datadir /srv/geth --http', 'Without User= the unit runs the node as root.'],
  ])('of %s says what is known of its user: %s', async (words, expected) => {
    const made = snippet(
      'systemd',
      await planOfFile('en.service', `[Service]\nExecStart=/usr/bin/${words}\n`),
    );
    expect(made).toContain(`# ${expected}`);
  });

  test.each([
    ['/srv/kend', true],
    ['/rooted', true],
    ['/srv/home/kaia', true],
    ['//home/kaia/data', false],
    ['/home', false],
    ['/root', false],
    ['/run/user/1000/kaia', false],
    ['data', false],
    ['$(cat folder)', false],
  ])('has no access to home folders with the data in %s: %s', (folder, expected) => {
    expect(/^ProtectHome=yes$/m.test(snippet('systemd', plan(`${http}DATA_DIR=${folder}\n`)))).toBe(expected);
  });
});

describe('names and subnets', () => {
  test('the name is the first valid Host name', () => {
    expect(plan(`${http}RPC_VHOSTS="localhost,*,en.example.com,b.example"\n`).serverName).toBe(
      'en.example.com',
    );
    expect(plan(`${http}RPC_VHOSTS="*"\n`).serverName).toBeNull();
    expect(plan(http, { serverName: 'rpc.example' }).serverName).toBe('rpc.example');
    expect(readServerName('RPC.Example')).toBe('rpc.example');
  });

  test.each(['', 'a', '127.0.0.1', 'a.b;', 'a..b', '-a.b', 'x.localhost', 'a.b\n', `${'a.'.repeat(130)}b`])(
    'not a name: %j',
    (name) => {
      expect(() => readServerName(name)).toThrow(/not a host name/);
    },
  );

  test.each([
    ['10.20.0.0/16', 4, '10.20.0.0/16'],
    ['192.0.2.7', 4, '192.0.2.7/32'],
    ['FD00::/8', 6, 'fd00::/8'],
  ])('%s', (given, family, cidr) => {
    expect(readNetwork(given)).toEqual({ family, cidr });
  });

  test.each([
    '',
    'all',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8;',
    '10.0.0.0/-1',
    'fe80::1%eth0',
  ])('not a subnet: %j', (given) => {
    expect(() => readNetwork(given)).toThrow(/not a subnet/);
  });

  test.each(['0.0.0.0/0', '::/0'])('the subnet %s covers every address', (given) => {
    expect(() => readNetwork(given)).toThrow(/every address/);
  });
});
