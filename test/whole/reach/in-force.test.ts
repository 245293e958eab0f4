/** The rules in force narrow the reach of a running node as far as its callers see, and never further. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { InterfaceReport, Report } from '../../../src/node/facts/report.js';
import { installed } from '../../node/report/tools.js';
import { childNode, closeChildren } from '../../peers/child-node.js';
import { expectValid } from '../../peers/report.js';
import { kaiactl } from '../../peers/run.js';
import { canMakeNetworks, farther, hasLegacyTables, Network, places, type Where } from './network.js';

const what = 'rules in force';
if (!canMakeNetworks) process.stderr.write(`SKIPPED: ${what}: it needs root and network namespaces\n`);
const programs = ['nft', 'tc', 'ip', 'nsenter', 'setpriv'].every((one) => installed(one, what));
/** Elsewhere, as in a container, no namespace is that of a machine. */
const isMachine = process.platform === 'linux' && readlinkSync('/proc/self/ns/pid') === 'pid:[4026531836]';
if (!isMachine) process.stderr.write(`SKIPPED: ${what} of a machine: this is a container\n`);

if (!hasLegacyTables) process.stderr.write(`SKIPPED: ${what} of legacy iptables: they cannot be made\n`);
const program = fileURLToPath(new URL('../../../bin/kaiactl.js', import.meta.url));
const port = 8551;
/** A port that rules lead to the node's. */
const other = 9000;
const nobody = 65_534;

const reset = 'reject with tcp reset';
const loads = (...lines: readonly string[]) => ["nft -f - <<'END'", ...lines, 'END'];
const chain = (rules: readonly string[], hook = 'input priority filter') =>
  loads(
    'table inet filter {',
    'chain input {',
    `type filter hook ${hook}; policy accept;`,
    'iifname "lo" accept',
    'meta l4proto ipv6-icmp accept',
    ...rules,
    '}',
    '}',
  );
const privately = ['ip saddr { 10.0.0.0/8, 192.168.0.0/16 } accept', 'ip6 saddr fd00::/8 accept'];
// nft 1.0.6 lists a family after which another statement comes.
const [all4, all6] = ['ipv4', 'ipv6'].map((one) => `meta nfproto ${one} meta l4proto tcp counter ${reset}`);
const all = [`${all4}`, `${all6}`];
const byIptables = (kind: string) =>
  ['iptables', 'ip6tables'].map(
    (one) => `${one}${kind} -A INPUT ! -i lo -p tcp --dport ${port} -j REJECT --reject-with tcp-reset`,
  );

describe.skipIf(!canMakeNetworks || !programs)('in namespaces (skipped where they may not be made)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-in-force-'));
  let network: Network;
  beforeAll(async () => {
    network = await Network.open(folder);
  });
  afterEach(async () => {
    await closeChildren();
    await network.machine.shell([
      'nft flush ruleset',
      ...(hasLegacyTables ? ['iptables-legacy -F', 'ip6tables-legacy -F'] : []),
      'tc qdisc del dev eth0 clsact 2>/dev/null || true',
    ]);
  });
  afterAll(async () => {
    await network?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const modules = 'kaia,admin';
  const node = (more: object = {}, words: readonly string[] = []) =>
    childNode([`:::${port}`], ['--rpc', ...words], { modules, within: network.machine.pid ?? 0, ...more });

  /** Audited in the node's network, which is that of the machine, or that of a container. */
  async function audited(
    pid: number,
    as: 'machine' | 'container',
    { user = 0, target = `pid:${pid}` } = {},
  ): Promise<InterfaceReport> {
    const command = [process.execPath, program, 'node', 'audit', target, '--format', 'json'];
    const first = as === 'machine' ? `mount --bind /proc/${pid} /proc/1;` : '';
    const words = ['-t', `${pid}`, '-n', 'unshare', '-m', 'sh', '-c', `${first} exec "$@"`, 'sh'];
    const drop = user === 0 ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    return await new Promise((resolve, reject) => {
      execFile('nsenter', [...words, ...drop, ...command], (_error, stdout, stderr) => {
        if (stdout === '') reject(new Error(stderr));
        else resolve(httpOf(stdout));
      });
    });
  }

  function httpOf(text: string): InterfaceReport {
    const [target] = (expectValid(text) as Report).targets;
    return target?.interfaces.find(({ transport }) => transport === 'http') as InterfaceReport;
  }

  const rowOf = ({ reach, reachBy, reachVia = [] }: InterfaceReport) =>
    [reach, reachBy, ...reachVia].join(' · ');

  /** The farthest place from which a connection to the port ends at the node. */
  async function seen(at = port): Promise<Where | null> {
    const found = await Promise.all(
      places.map(async (where): Promise<Where | null> => {
        const { inside, waysTo } = network.callerAt(where);
        const connected = await inside.connect(waysTo(at));
        return connected.length > 0 ? where : null;
      }),
    );
    return found.reduce(farther);
  }

  const rulesets: readonly [name: string, rules: readonly string[], row: string][] = [
    ['no rules', [], 'any · socket'],
    ['another port', chain([`tcp dport ${other} ${reset}`]), 'any · socket'],
    ['the port closed', chain(all), 'loopback · socket · nft (rules in force): loopback'],
    ['a private network', chain([...privately, ...all]), 'private · socket · nft (rules in force): private'],
    ['IPv4 alone', chain([`${all4}`]), 'any · socket'],
    [
      'IPv4 alone, which nft 1.0.6 does not list',
      chain([`meta nfproto ipv4 tcp dport ${port} ${reset}`]),
      'any · socket',
    ],
    ['a public address', chain(['ip saddr 203.0.113.2 accept', ...all]), 'any · socket'],
    ['iptables', byIptables(''), 'loopback · socket · nft (rules in force): loopback'],
  ];

  test.skipIf(!isMachine).each(rulesets)(
    '%s: the reach told is the one that callers see',
    async (_name, rules, row) => {
      const { pid } = await node();
      await network.machine.shell(rules);
      expect(rowOf(await audited(pid, 'machine'))).toBe(row);
      expect(await seen()).toBe(row.split(' ')[0]);
    },
  );

  test.skipIf(!isMachine || !hasLegacyTables)(
    'tables of legacy iptables are not read, so that no rule narrows (skipped without it)',
    async () => {
      const { pid } = await node();
      await network.machine.shell([...chain(all), ...byIptables('-legacy')]);
      expect(rowOf(await audited(pid, 'machine'))).toBe('any · socket');
    },
  );

  test.skipIf(!isMachine)('a port that is led to the node’s after the rules that close it', async () => {
    const { pid } = await node();
    await network.machine.shell([
      ...chain([`tcp dport ${port} drop`], 'prerouting priority raw'),
      ...loads(
        'table inet nat {',
        'chain pre {',
        'type nat hook prerouting priority dstnat;',
        `tcp dport ${other} redirect to :${port}`,
        '}',
        '}',
      ),
    ]);
    expect(rowOf(await audited(pid, 'machine'))).toBe('any · socket');
    expect(await seen(other)).toBe('any');
  });

  test.skipIf(!isMachine)('a conf whose process runs', async () => {
    const data = mkdtempSync(join(folder, 'data-'));
    const conf = join(data, 'kend.conf');
    const settings = ['RPC_ENABLE=1', 'RPC_API=kaia,admin', 'RPC_ADDR=0.0.0.0', `RPC_PORT=${port}`];
    writeFileSync(conf, [`NETWORK=mainnet`, `DATA_DIR=${data}`, ...settings, ''].join('\n'));
    const started = ['--rpcaddr', '0.0.0.0', '--rpcport', `${port}`, '--rpcapi', 'kaia,admin'];
    const { pid } = await node({}, ['--datadir', data, ...started]);
    await network.machine.shell(chain([...privately, ...all]));
    const row = 'private · socket · nft (rules in force): private';
    expect(rowOf(await audited(pid, 'machine', { target: conf }))).toBe(row);
  });

  test.skipIf(!isMachine)('programs that may divert packets before the rules', async () => {
    const { pid } = await node();
    await network.machine.shell([...chain(all), 'tc qdisc add dev eth0 clsact']);
    expect(rowOf(await audited(pid, 'machine'))).toBe('any · socket');
  });

  test.skipIf(!isMachine)('without root no rules are read, and the socket decides', async () => {
    const { pid } = await node({ uid: nobody });
    await network.machine.shell(chain(all));
    expect(rowOf(await audited(pid, 'machine', { user: nobody }))).toBe('any · socket');
    expect(rowOf(await audited(pid, 'machine'))).toContain('nft');
  });

  /** A container behind the machine, whose private address any caller of the machine may have. */
  describe('a node in a container', () => {
    const inside = '10.88.0.2';
    const lead = loads(
      'table ip nat {',
      'chain pre {',
      'type nat hook prerouting priority dstnat;',
      `tcp dport ${other} dnat to ${inside}:${port}`,
      '}',
      'chain post {',
      'type nat hook postrouting priority srcnat;',
      'oifname "inner" masquerade',
      '}',
      '}',
    );

    async function contained(rules: readonly string[]): Promise<number> {
      const { pid } = await node({ within: undefined, unshare: '-n' });
      const enter = ['-t', `${network.machine.pid}`, '-n', 'ip', 'link', 'add', 'name', 'inner'];
      execFileSync('nsenter', [...enter, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `${pid}`]);
      await network.machine.shell([
        'ip link set inner up; ip addr add 10.88.0.1/24 dev inner; echo 1 > /proc/sys/net/ipv4/ip_forward',
        ...lead,
      ]);
      const script = [
        `ip link set eth0 up; ip addr add ${inside}/24 dev eth0; ip route add default via 10.88.0.1`,
        ...rules,
      ].join('\n');
      execFileSync('nsenter', ['-t', `${pid}`, '-n', 'sh', '-ec', script]);
      return pid;
    }

    /** From outside as well as inside its network. */
    async function rowsOf(pid: number): Promise<string[]> {
      const { stdout } = await kaiactl(['node', 'audit', `pid:${pid}`, '--format', 'json']);
      return [httpOf(stdout), await audited(pid, 'container')].map(rowOf);
    }

    test('rules for private networks narrow nothing: another address may be behind one of them', async () => {
      const pid = await contained(chain([...privately, ...all]));
      expect(await rowsOf(pid)).toEqual(['any · socket', 'any · socket']);
      expect(await seen(other)).toBe('any');
    });

    test('rules that close the port narrow its reach', async () => {
      const pid = await contained(chain(all));
      const row = 'loopback · socket · nft (rules in force): loopback';
      expect(await rowsOf(pid)).toEqual([row, row]);
      expect(await seen(other)).toBeNull();
    });
  });
});
