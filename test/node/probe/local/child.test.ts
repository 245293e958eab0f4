/** Real processes of this machine: what they listen on is found although nothing names it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { plainAddress } from '../../../../src/jsonrpc/channel.js';
import { seen, seenValue } from '../../../../src/node/facts/seen.js';
import { gather } from '../../../../src/node/gather.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { type Machine, machineOf, processOf } from '../../../../src/node/probe/index.js';
import { machineSockets } from '../../../../src/node/probe/local/sockets.js';
import { confEndpoints } from '../../../../src/node/probe/target.js';
import { type ChildNode, childNode, closeChildren } from '../../../peers/child-node.js';
import { readConf } from '../../editables.js';
import { judgeTarget } from '../../pipeline.js';

afterEach(closeChildren);
const place = { proc: '/proc', platform: process.platform, kinds };
const linux = process.platform === 'linux';

describe.skipIf(!linux)('on Linux (skipped elsewhere: there is no /proc)', () => {
  test('a process is found by its name, with its sockets and its variables, and no other variable', async () => {
    const child = await childNode(['127.0.0.1:0', '::1:0'], ['--nodekeyhex', 'c0ffee'], {
      env: { KAIA_RPCPORT: '9551', SECRET_OF_OTHERS: 'x' },
    });
    const found = seenValue(machineOf(place).processes())?.find(({ pid }) => pid === child.pid);
    expect(found?.sockets).toEqual(
      seen([
        { address: '127.0.0.1', port: child.ports[0] },
        { address: '::1', port: child.ports[1] },
      ]),
    );
    expect(found?.environment).toEqual(seen({ KAIA_RPCPORT: '9551' }));
    expect(JSON.stringify(found)).not.toContain('c0ffee');
    const machine = seenValue(await machineSockets(place)) ?? [];
    expect(machine).toContainEqual({ address: '127.0.0.1', port: child.ports[0] });
  });

  test('the rules in force are read, and narrow the reach, of a node that is bound wider than loopback', async () => {
    const local = await childNode(['127.0.0.1:0'], ['--rpc'], { modules: 'kaia,admin' });
    const wide = await childNode(['127.0.0.1:0', ':::0'], ['--rpc'], { modules: 'kaia,admin' });
    const asked: number[] = [];
    const text = 'table inet f {\n chain c {\n type filter hook input priority 0; policy drop;\n }\n}';
    const machine: Machine = {
      ...machineOf(place),
      async rulesFor(pid) {
        asked.push(pid);
        return { isMachine: true, dumps: [{ program: 'nft', text }] };
      },
    };
    const audited = async ({ pid }: ChildNode) => {
      const process = processOf(pid, place);
      if (process.state !== 'seen') throw new Error(process.detail);
      const target = {
        name: 'x',
        role: null,
        conf: null,
        endpoints: [],
        metrics: [],
        process: process.value,
      };
      const options = { connection: plainAddress, timeoutMs: 10_000, depth: 'safe', machine } as const;
      const { signal } = new AbortController();
      return await gather(target, { ...options, signal, now: () => 0 });
    };
    expect(await audited(local)).not.toHaveProperty('closed');
    expect(asked).toEqual([]);
    const facts = await audited(wide);
    expect(asked).toEqual([wide.pid]);
    const report = judgeTarget(facts, { failOn: 'high' });
    const rows = report.interfaces.map(({ endpoint, reach, reachVia = [] }) => [
      endpoint,
      reach,
      ...reachVia,
    ]);
    expect(rows).toContainEqual([
      `http://[::1]:${wide.ports[1]}`,
      'loopback',
      'nft (rules in force): loopback',
    ]);
    const admin = report.findings.find(({ subject }) => subject === 'http admin');
    expect(admin?.message).toContain('this machine reaches it');
  });

  test('a process that is gone is not found', () => {
    expect(processOf(2 ** 22 + 1, place)).toMatchObject({ state: 'not-seen', code: 'not-found' });
  });

  test('an interface that no conf names is asked for its modules', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-child-'));
    try {
      const child = await childNode(['127.0.0.1:0'], ['--datadir', folder], { modules: 'personal,kaia' });
      const text = `NETWORK=mainnet\nRPC_ENABLE=0\nWS_ENABLE=0\nDATA_DIR=${folder}\nLOG_DIR=${folder}\n`;
      const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
      const facts = await gather(
        {
          name: 'x',
          role: null,
          conf: seen(conf),
          endpoints: confEndpoints(withKind(kinds, conf.settings)),
          metrics: [],
        },
        {
          connection: plainAddress,
          timeoutMs: 10_000,
          depth: 'safe',
          machine: machineOf(place),
          signal: new AbortController().signal,
          now: () => 0,
        },
      );
      const open = facts.live?.endpoints.filter(({ latencyMs }) => latencyMs !== null);
      expect(open).toHaveLength(1);
      expect(open?.[0]).toMatchObject({
        source: 'process',
        endpoint: { kind: 'http', url: `http://127.0.0.1:${child.ports[0]}` },
        modules: { value: { kaia: '1.0', personal: '1.0' } },
        bind: seen(['127.0.0.1']),
      });
      expect(facts.live?.sockets).toEqual([{ address: '127.0.0.1', port: child.ports[0], use: 'http' }]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** With a namespace of users, as rootless containers have: everyone may make those, where the kernel allows it. */
describe.each(['-n', '-rn'])(
  'in a network of its own, unshare %s (skipped where that is not allowed)',
  (unshare) => {
    test.skipIf(!linux || spawnSync('unshare', [unshare, 'true']).status !== 0)(
      'the sockets are those of its namespace',
      async () => {
        const taken = (seenValue(await machineSockets(place)) ?? []).map(({ port }) => port);
        const own = [18_551, 28_551, 38_551].find((one) => !taken.includes(one));
        const child = await childNode([`127.0.0.1:${own}`], [], { unshare });
        expect(seenValue(processOf(child.pid, place))?.sockets).toEqual(
          seen([{ address: '127.0.0.1', port: own }]),
        );
        const machine = seenValue(await machineSockets(place)) ?? [];
        expect(machine.filter(({ port }) => port === own)).toEqual([]);
      },
    );
  },
);

const pidNamespace = '-n -p -f --kill-child --mount-proc';
test.skipIf(!linux || spawnSync('unshare', [...pidNamespace.split(' '), 'true']).status !== 0)(
  'with process ids of its own (skipped where unshare -p is not allowed): found with the id that this machine gives it',
  async () => {
    const { pid: parent } = await childNode(['127.0.0.1:18552'], [], { unshare: pidNamespace });
    const nodes = seenValue(machineOf(place).processes()) ?? [];
    const found = nodes.find(
      ({ sockets }) => seenValue(sockets)?.some(({ port }) => port === 18552) === true,
    );
    expect(found).toMatchObject({ network: 'other', root: `/proc/${found?.pid}/root` });
    expect(found?.pid).not.toBe(parent);
  },
);
