/** What an audit believes: the kernel and the process before the address that was dialled. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointFacts } from '../../src/node/facts/live.js';
import type { Report } from '../../src/node/facts/report.js';
import { notSeen, seen } from '../../src/node/facts/seen.js';
import { badNode, quietEndpoint } from '../../src/node/judge/rule/examples.js';
import { judgeTarget } from '../node/pipeline.js';
import { childNode, closeChildren } from '../peers/child-node.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-evidence-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(closeChildren);

async function audit(...words: string[]): Promise<{ code: number; report: Report; stderr: string }> {
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', ...words]);
  return { code, report: expectValid(stdout), stderr };
}

function reachWith(change: Partial<EndpointFacts>, live = {}) {
  const example = badNode('x', change, undefined, live);
  if (!('facts' in example)) throw new Error('no facts');
  const { interfaces, undetermined, findings } = judgeTarget(example.facts, { failOn: 'high' });
  const [{ reach, reachBy } = {}] = interfaces;
  return { reach, reachBy, undetermined, findings };
}

test('the kernel’s sockets count before the address', () => {
  expect(reachWith({ bind: seen(['0.0.0.0']) })).toMatchObject({ reach: 'any', reachBy: 'socket' });
  expect(reachWith({ bind: seen(['127.0.0.1']) })).toMatchObject({ reach: 'loopback', reachBy: 'socket' });
  expect(reachWith({ bind: seen(['127.0.0.1', '10.0.0.1']) })).toMatchObject({ reach: 'private' });
});

test('a loopback address alone leaves the reach undetermined', () => {
  const alone = reachWith({ bind: notSeen('not-permitted', 'permission denied') });
  expect(alone).toMatchObject({ reach: 'loopback', reachBy: 'address' });
  expect(alone.undetermined).toMatchObject([
    { rule: 'public-bind', code: 'not-permitted', about: 'http://127.0.0.1:8551' },
  ]);
  expect(reachWith({ bind: seen(['127.0.0.1']) }).undetermined).toEqual([]);
});

test('a ws interface without a client version inherits the kind of the node’s other interfaces', () => {
  const example = badNode('x', {
    endpoint: { kind: 'ws', url: 'ws://127.0.0.1:8552' },
    modules: seen({ personal: '1.0', rpc: '1.0' }),
    client: notSeen('not-applicable', 'web3 is not offered'),
  });
  if (!('facts' in example) || example.facts.live === null) throw new Error('no facts');
  const { facts } = example;
  const isOpenQuestion = (endpoints: readonly EndpointFacts[]): boolean =>
    judgeTarget({ ...facts, live: { ...live, endpoints } }, { failOn: 'high' }).undetermined.some(
      ({ rule }) => rule === 'foreign-node',
    );
  const { live } = example.facts;
  expect(isOpenQuestion(live.endpoints)).toBe(true);
  expect(isOpenQuestion([...live.endpoints, quietEndpoint])).toBe(false);
});

test('--assume-reach narrows the reach, and each finding it changes names it', () => {
  const personal = { modules: seen({ personal: '1.0', kaia: '1.0' }), bind: seen(['0.0.0.0']) };
  const said = reachWith(personal, { assumed: { http: 'private' } });
  expect(said).toMatchObject({ reach: 'private', reachBy: 'assumed' });
  const finding = said.findings.find(({ rule }) => rule === 'privileged-module');
  expect(finding?.severity).toBe('high');
  expect(finding?.message).toMatch(/as --assume-reach says/);
});

const conf = (text: string): string => {
  const path = join(folder, 'kend.conf');
  writeFileSync(path, `NETWORK=mainnet\nDATA_DIR=${folder}/data\nLOG_DIR=${folder}\n${text}`);
  return path;
};

describe.skipIf(process.platform !== 'linux')('on Linux (skipped elsewhere: there is no /proc)', () => {
  test('an interface that was opened at run time is found beside a conf that keeps all closed', async () => {
    const words = ['--datadir', `${folder}/data`];
    const { ports } = await childNode(['127.0.0.1:0'], words, { modules: 'admin,personal,kaia' });
    const { report } = await audit(conf('RPC_ENABLE=0\nWS_ENABLE=0\n'));
    const [target] = report.targets;
    const found = target?.findings.find(({ rule }) => rule === 'undeclared-interface');
    expect(found).toMatchObject({
      subject: `http://127.0.0.1:${ports[0]}`,
      severity: 'medium',
      evidence: { modules: ['admin', 'kaia', 'personal'], reach: 'loopback', reachBy: 'socket' },
    });
    expect(target?.interfaces.find(({ source }) => source === 'process')).toMatchObject({
      state: 'open',
      bind: ['127.0.0.1'],
    });
  });

  test('a finding about a port that only the command line opens says that the conf does not', async () => {
    const words = ['--datadir', `${folder}/data`, '--rpc', '--rpcport'];
    const { ports } = await childNode(['127.0.0.1:18661'], [...words, '18661']);
    const { report } = await audit(conf('RPC_ENABLE=0\nWS_ENABLE=0\n'));
    const found = report.targets[0]?.findings.find(({ subject }) => subject.endsWith(`:${ports[0]}`));
    expect(found?.message).toContain('which the command line opens and the conf does not');
  });

  test('gRPC opened only by the command line is reported and judged by its services', async () => {
    const grpc = ['--grpc', '--grpcaddr', '127.0.0.1', '--grpcport', '18663'];
    await childNode(['127.0.0.1:18663'], ['--datadir', `${folder}/data`, ...grpc]);
    const { report } = await audit(conf('RPC_ENABLE=0\nWS_ENABLE=0\n'));
    const [target] = report.targets;
    expect(target?.interfaces.find(({ transport }) => transport === 'grpc')).toMatchObject({
      endpoint: 'grpc://127.0.0.1:18663',
      source: 'process',
      state: 'open',
      bind: ['127.0.0.1'],
      reach: 'loopback',
      reachBy: 'socket',
      modules: expect.objectContaining({ governance: '' }),
    });
    expect(target?.findings.map(({ subject }) => subject)).toContain('grpc governance');
  });

  test('gRPC enabled by settings is listed, also when nothing listens or the port is unknown', async () => {
    const path = conf('RPC_ENABLE=0\nWS_ENABLE=0\nADDITIONAL="--grpc --grpcport 1"\n');
    const { report } = await audit(path);
    expect(report.targets[0]?.interfaces).toContainEqual(
      expect.objectContaining({ endpoint: 'grpc://127.0.0.1:1', state: 'refused' }),
    );
    const unknown = await audit(conf('RPC_ENABLE=0\nWS_ENABLE=0\nADDITIONAL="$(cat flags)"\n'));
    expect(unknown.report.targets[0]?.interfaces).toContainEqual(
      expect.objectContaining({ transport: 'grpc', state: 'not-checked' }),
    );
  });

  test('a metrics port opened only by the command line is probed', async () => {
    const words = ['--datadir', `${folder}/data`, '--metrics', '--prometheus', '--prometheusport', '18664'];
    await childNode(['127.0.0.1:18664'], words);
    const { report } = await audit(conf('RPC_ENABLE=0\nWS_ENABLE=0\n'));
    const port = report.targets[0]?.interfaces.find(
      ({ transport, source }) => transport === 'metrics' && source === 'process',
    );
    expect(port?.endpoint).toMatch(/:18664$/);
  });

  test('the socket decides the reach of a port of the node that is given by its URL', async () => {
    const { ports } = await childNode(['127.0.0.1:0']);
    const { code, report } = await audit(`http://127.0.0.1:${ports[0]}`);
    expect(code).toBe(0);
    expect(report.targets[0]?.interfaces[0]).toMatchObject({ reach: 'loopback', reachBy: 'socket' });
  });

  test('a conf without a process on this machine is one open question', async () => {
    const { report } = await audit(conf('RPC_ENABLE=0\nWS_ENABLE=0\n'));
    expect(report.targets[0]?.undetermined.filter(({ rule }) => rule === 'pending-restart')).toHaveLength(1);
  });
});

const namespaces = process.platform === 'linux' && spawnSync('unshare', ['-n', 'true']).status === 0;
describe.skipIf(!namespaces)(
  'a node in a network of its own (skipped where unshare -n is not allowed)',
  () => {
    test('is judged by its sockets, words and conf; who answers at the same port here is not asked', async () => {
      let asked = 0;
      const other = createServer((_, response) => {
        asked += 1;
        response.writeHead(405).end();
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = other.address() as AddressInfo;
        const words = [
          '--datadir',
          `${folder}/data`,
          '--rpc',
          '--rpcport',
          `${port}`,
          '--rpcaddr',
          '0.0.0.0',
        ];
        const child = await childNode(
          [`0.0.0.0:${port}`, '127.0.0.1:0'],
          [...words, '--rpcapi', 'personal'],
          {
            unshare: '-n',
            modules: 'personal',
          },
        );
        const path = conf(`RPC_ENABLE=1\nRPC_PORT=${port}\nRPC_ADDR=0.0.0.0\nRPC_API=klay\nWS_ENABLE=0\n`);
        const { code, report } = await audit(path);
        expect(asked).toBe(0);
        const [target] = report.targets;
        const http = target?.interfaces.find(({ endpoint }) => endpoint.endsWith(`:${port}`));
        expect(http).toMatchObject({
          state: 'not-checked',
          bind: ['0.0.0.0'],
          reach: 'any',
          reachBy: 'socket',
        });
        const apart = target?.undetermined.filter((one) => one.code === 'other-namespace') ?? [];
        expect(apart.map(({ about }) => about)).toContain(`port ${child.ports[1]}`);
        expect(apart[0]?.reason).toContain(`nsenter -t ${child.pid} -n kaiactl node audit pid:${child.pid}`);
        expect(target?.findings).toContainEqual(
          expect.objectContaining({
            rule: 'privileged-module',
            subject: 'http personal',
            severity: 'critical',
          }),
        );
        expect(code).toBe(1);
      } finally {
        other.close();
      }
    });
  },
);

test('--assume-reach, the environment and an inventory narrow the reach, of conf and node', async () => {
  const path = conf('RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=klay,personal\nWS_ENABLE=0\n');
  const severityOf = (report: Report): string | undefined => {
    const found = report.targets[0]?.findings.find(({ subject }) => subject === 'http personal');
    if (found?.severity !== 'critical') expect(found?.message).toContain('as --assume-reach says');
    return found?.severity;
  };
  const lint = async (words: string[], env = {}) => {
    const given = { env: { XDG_CONFIG_HOME: '/nonexistent', ...env } };
    const { stdout } = await kaiactl(['node', 'lint', '--format', 'json', path, ...words], given);
    return severityOf(expectValid(stdout));
  };
  expect(await lint([])).toBe('critical');
  expect(await lint(['--assume-reach', 'http=private'])).toBe('high');
  expect(await lint([], { KAIACTL_ASSUME_REACH: 'http=private' })).toBe('high');
  const { report } = await audit(path, '--assume-reach', 'http=loopback');
  expect(severityOf(report)).toBe('medium');
  const inventory = join(folder, 'nodes.ini');
  writeFileSync(inventory, `[en-1]\nconf = ${path}\nassume-reach = http=private, ws=loopback\n`);
  expect(severityOf((await audit('--inventory', inventory)).report)).toBe('high');
  const wrong = await kaiactl(['node', 'lint', path, '--assume-reach', 'http=nobody']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('is not <interface>=<reach>') });
});

test('an audit ends with the list of facts that were not inspected', async () => {
  const path = conf('RPC_ENABLE=0\nWS_ENABLE=0\n');
  const { report } = await audit(path);
  expect(report.targets[0]?.notLookedAt).toEqual(
    expect.arrayContaining([
      'grpc (off in the conf)',
      'the process’s sockets',
      'a firewall or proxy in front',
    ]),
  );
  const { stdout } = await kaiactl(['node', 'audit', 'http://127.0.0.1:1']);
  expect(stdout).toMatch(
    /^not looked at: ws, ipc, grpc, metrics :61001 \(no conf says whether it is on\),\s+the process’s sockets/m,
  );
});
