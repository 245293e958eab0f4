/** Files that several targets use: each cause is one finding, which names the targets. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { summarise } from '../../../src/node/summarise.js';
import { fullReport, targetOf } from '../../node/report/reports.js';
import { kaiactl } from '../../peers/run.js';

const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-shared-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(scratch, 'd-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}

const lint = (cwd: string, ...options: string[]) => kaiactl(['node', 'lint', '.', ...options], { cwd });

async function targetsOf(cwd: string, ...options: string[]): Promise<Report['targets']> {
  const { stdout } = await lint(cwd, '--format', 'json', ...options);
  return (JSON.parse(stdout) as Report).targets;
}

const service = (name: string, port: string, api: string, comment = '') =>
  `  ${name}:\n    image: kaiachain/kaia:v2.2.1\n    env_file: shared.env\n${comment}    command: ken --datadir /d --rpc --rpcaddr 0.0.0.0 --rpcvhosts a --rpcapi ${api}\n    ports: ["${port}:8551"]\n`;

test('loose modes count for every file of a target, once a file', async () => {
  const folder = folderOf({
    'compose.yaml': `services:\n${service('a', '127.0.0.1:1', 'eth')}${service('b', '127.0.0.1:2', 'eth')}`,
    'shared.env': 'LEVEL=1\n',
  });
  chmodSync(join(folder, 'shared.env'), 0o666);
  const [a, b] = await targetsOf(folder);
  expect(a?.findings).toMatchObject([
    {
      rule: 'loose-permissions',
      at: { file: 'shared.env', line: 1 },
      message: expect.stringContaining('Other targets with this cause: b.'),
      targets: ['compose.yaml: a', 'compose.yaml: b'],
    },
  ]);
  const own = { rule: 'loose-permissions', subject: '0666', severity: 'high', target: 'compose.yaml: a' };
  expect(b).toMatchObject({ findings: [], shared: [own], verdict: 'fail' });
  const { stdout } = await lint(folder);
  expect(stdout).toContain('1 finding with compose.yaml: a');
  expect(stdout).toContain('1 finding on 2 nodes in 1 file: 1 high.');
});

const comment = '    # kaiactl-ignore privileged-module(admin) reason="office"\n';

test('a comment that one of the targets needs is not unused', async () => {
  const files = (api: string) => ({
    'compose.yaml': `services:\n${service('a', '127.0.0.1:1', 'eth')}${service('b', '127.0.0.1:2', api, comment)}`,
    'shared.env': 'LEVEL=1\n',
  });
  const needed = await targetsOf(folderOf(files('eth,admin')), '--fail-on', 'low');
  expect(needed.map(({ verdict, findings }) => [verdict, findings.map(({ rule }) => rule)])).toEqual([
    ['pass', []],
    ['pass', ['privileged-module']],
  ]);
  const unused = await targetsOf(folderOf(files('eth')), '--fail-on', 'low');
  expect(unused.map(({ verdict, findings }) => [verdict, findings.map(({ rule }) => rule)])).toEqual([
    ['fail', ['unused-suppression']],
    ['fail', []],
  ]);
});

test('a setting of a shared file is one finding, where it is worst', async () => {
  const flags = '# the modules\nKAIA_RPCAPI=eth,admin\n';
  const start = (name: string, port: string) => service(name, port, 'eth').replace(' --rpcapi eth', '');
  const folder = folderOf({
    'compose.yaml': `services:\n${start('a', '127.0.0.1:1')}${start('b', '2')}`,
    'shared.env': flags,
  });
  const [a, b] = await targetsOf(folder);
  const isOfModule = ({ rule }: { rule: string }) => rule === 'privileged-module';
  expect(b?.findings.filter(isOfModule)).toMatchObject([
    {
      severity: 'critical',
      at: { file: 'shared.env', line: 2 },
      targets: ['compose.yaml: b', 'compose.yaml: a'],
    },
  ]);
  expect(a?.findings.filter(isOfModule)).toEqual([]);
  expect(a?.shared?.filter(isOfModule)).toMatchObject([{ severity: 'medium', target: 'compose.yaml: b' }]);
});

test('a shared finding fails at the threshold of each of its targets', () => {
  const options = { version: '1', startedAt: 0, finishedAt: 0, failOn: 'none' } as const;
  const target = (failOn: 'none' | 'high', over: object) => ({
    ...targetOf((what) => what),
    failOn,
    ...over,
  });
  const [finding] = fullReport().targets[0]!.findings;
  const lead = target('none', {
    findings: [{ ...finding!, severity: 'high', suppressed: null }],
    undetermined: [],
  });
  const shared = [{ rule: 'public-bind', subject: 'http', severity: 'high', target: lead.name } as const];
  const code = (failOn: 'none' | 'high') =>
    summarise([lead, target(failOn, { findings: [], undetermined: [], shared })], options).exitCode;
  expect([code('none'), code('high')]).toEqual([0, 1]);
});

test('a list that several interfaces use is one finding, which names them', async () => {
  const start = (http: string, ws: string) =>
    `API=eth,personal\nOTHER=eth,admin\nken --datadir /d --rpc --rpcaddr 0.0.0.0 --rpcapi ${http} --ws --wsaddr 10.0.0.1 --wsapi ${ws}\n`;
  const found = async (http: string, ws: string) => {
    const [target] = await targetsOf(folderOf({ 'run.sh': start(http, ws) }));
    return target?.findings.flatMap(({ rule, severity, subject, message }) =>
      rule === 'privileged-module'
        ? [`${severity} ${subject}${/ Other interfaces[^.]*/.exec(message)?.[0] ?? ''}`]
        : [],
    );
  };
  expect(await found('$API', '$API')).toEqual([
    'critical http personal Other interfaces with this cause: ws',
  ]);
  expect(await found('$OTHER', '$API')).toEqual(['critical http admin', 'high ws personal']);
});

test('a list that the conf copies from one interface to the other is one finding, without an edit of half of it', async () => {
  const conf = [
    'NETWORK=mainnet',
    'DATA_DIR=/d',
    'RPC_ENABLE=1',
    'RPC_API="admin,klay"',
    'WS_ENABLE=1',
    'WS_ADDR=0.0.0.0',
    'WS_API=$RPC_API',
    '',
  ];
  const [target] = await targetsOf(folderOf({ 'kend.conf': conf.join('\n') }));
  const found = target?.findings.filter(({ rule }) => rule === 'privileged-module');
  expect(found).toMatchObject([
    { severity: 'critical', subject: 'ws admin', at: { line: 4 }, edits: [], safety: null },
  ]);
  expect(found?.[0]?.message).toContain('Other interfaces with this cause: http.');
});

test('a file with a secret is one finding, whatever names it', async () => {
  const start = (port: string) => `ken --datadir /d --port ${port} --nodekey keys/nodekey\n`;
  const folder = folderOf({ 'a.sh': start('1'), 'b.sh': `# b\n${start('2')}`, '.gitignore': 'x\n' });
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys/nodekey'), `${'3d'.repeat(32)}\n`, { mode: 0o600 });
  const [a, b] = await targetsOf(folder);
  const secrets = (one: typeof a) => one?.findings.filter(({ rule }) => rule === 'secret-in-conf');
  expect(secrets(a)).toMatchObject([{ subject: 'keys/nodekey', targets: ['a.sh', 'b.sh'] }]);
  expect(secrets(b)).toEqual([]);
  expect(b?.shared).toMatchObject([{ rule: 'secret-in-conf', target: 'a.sh' }]);
});
