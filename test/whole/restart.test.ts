/** Running processes beside a conf that was edited after their start. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../src/node/facts/report.js';
import { childNode, closeChildren, simulatedChild } from '../peers/child-node.js';
import { freePort } from '../peers/free-port.js';
import { kaiactl } from '../peers/run.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-restart-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(async () => {
  await closeChildren();
  rmSync(folder, { recursive: true, force: true });
});

function conf(lines: string): string {
  const path = join(folder, 'kend.conf');
  const common = `NETWORK=mainnet\nDATA_DIR=${folder}/data\nLOG_DIR=${folder}\n`;
  writeFileSync(path, common + lines);
  return path;
}

async function audit(target: string): Promise<{ code: number; target: TargetReport }> {
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', target, '--format', 'json']);
  const [one] = (JSON.parse(stdout) as Report).targets;
  if (one === undefined) throw new Error(stderr);
  return { code, target: one };
}

const withRule = ({ findings }: TargetReport, id: string) => findings.filter(({ rule }) => rule === id);

describe.skipIf(process.platform !== 'linux')('on Linux (skipped elsewhere: there is no /proc)', () => {
  const running = async (...words: string[]) => {
    const own = ['--mainnet', '--datadir', `${folder}/data`, '--rpc', '--rpcaddr', '127.0.0.1'];
    const { ports } = await childNode(['127.0.0.1:0'], [...own, ...words], { modules: 'eth,net' });
    return ports[0] ?? 0;
  };

  test('what a conf would open at the next start is one finding, high, and nothing is said to listen', async () => {
    const port = await running('--rpcapi', 'eth,net');
    const path = conf(
      `RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_PORT=${port}\nRPC_API="eth,net,personal"\nRPC_CORSDOMAIN="*"\nWS_ENABLE=1\nWS_ADDR=127.0.0.1\nWS_API=eth\n`,
    );
    const { code, target } = await audit(path);
    expect(code).toBe(1);
    expect(target.findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'high pending-restart',
    ]);
    const [finding] = target.findings;
    expect(finding?.message).toContain(
      `After a restart, http would listen on 0.0.0.0:${port}, offer personal and accept any origin; ws would listen on 127.0.0.1:8552. Critical after a restart: privileged-module http personal.`,
    );
    expect(JSON.stringify(target.findings)).not.toContain('listens');
    expect(finding?.evidence?.afterRestart).toContainEqual({
      rule: 'privileged-module',
      subject: 'http personal',
      severity: 'critical',
    });
    expect(target.interfaces.find(({ transport }) => transport === 'http')?.reach).toBe('loopback');
    // A finding that the file suppresses does not count after the restart either.
    const ignore = '# kaiactl-ignore privileged-module(personal) reason="a test"\n';
    const text = readFileSync(path, 'utf8').replace('RPC_API', `${ignore}RPC_API`);
    writeFileSync(path, text);
    const [accepted] = withRule((await audit(path)).target, 'pending-restart');
    expect(accepted).toMatchObject({ severity: 'medium', message: expect.not.stringContaining('Critical') });
  });

  describe('a unit', () => {
    const unit = (...lines: string[]): string => {
      const path = join(folder, 'kaia.service');
      const exec = `ExecStart=/usr/bin/ken --mainnet --datadir ${folder}/data --rpc --rpcport ${port}`;
      writeFileSync(path, ['[Service]', ...lines, exec, ''].join('\n'));
      return path;
    };
    const opening = 'After a restart, http would listen on 0.0.0.0';
    let port = 0;
    const started = async (env: Readonly<Record<string, string>>) => {
      port = await freePort();
      const words = ['--mainnet', '--datadir', `${folder}/data`, '--rpc', '--rpcport', `${port}`];
      await childNode([`127.0.0.1:${port}`], words, { env, modules: 'eth,net' });
    };

    test.each([
      ['Environment=', (lines: string) => `Environment=${lines.replace('\n', ' ')}`],
      [
        'EnvironmentFile=',
        (lines: string) => {
          writeFileSync(join(folder, 'kaia.env'), `${lines}\n`);
          return `EnvironmentFile=${folder}/kaia.env`;
        },
      ],
    ])('%s that opens personal at the next start is high', async (_name, write) => {
      const before = { KAIA_RPCADDR: '127.0.0.1', KAIA_RPCAPI: 'eth,net' };
      await started(before);
      const same = await audit(unit(write('KAIA_RPCADDR=127.0.0.1\nKAIA_RPCAPI=eth,net')));
      expect(withRule(same.target, 'pending-restart')).toEqual([]);
      expect(same.target.checks).toContainEqual({ rule: 'pending-restart', verdict: 'pass' });
      const { code, target } = await audit(unit(write('KAIA_RPCADDR=0.0.0.0\nKAIA_RPCAPI=eth,net,personal')));
      expect(code).toBe(1);
      const found = target.findings.map(({ rule, severity }) => `${severity} ${rule}`);
      expect(found).toEqual(['high pending-restart']);
      expect(target.findings[0]?.message).toContain(`${opening}:${port} and offer personal.`);
      expect(target.findings[0]?.fix).toMatch(/then restart the node\.$/);
    });

    test('its command line that opens personal at the next start is high', async () => {
      await started({});
      const path = unit();
      expect(withRule((await audit(path)).target, 'pending-restart')).toEqual([]);
      const text = readFileSync(path, 'utf8').trimEnd();
      writeFileSync(path, `${text} --rpcaddr 0.0.0.0 --rpcapi personal\n`);
      const [finding] = withRule((await audit(path)).target, 'pending-restart');
      expect(finding).toMatchObject({ severity: 'high', message: expect.stringContaining(opening) });
    });

    test('its data folder in the environment identifies the process', async () => {
      const data = `${folder}/data`;
      await childNode(['127.0.0.1:0'], ['--mainnet'], { env: { KAIA_DATADIR: data } });
      const path = join(folder, 'kaia.service');
      writeFileSync(path, `[Service]\nEnvironment=KAIA_DATADIR=${data}\nExecStart=/usr/bin/ken --mainnet\n`);
      const { target } = await audit(path);
      expect(target.process).toMatchObject({ dataDir: data });
      expect(withRule(target, 'pending-restart')).toEqual([]);
    });
  });

  test('a conf that closes an interface leaves it open until the restart', async () => {
    const port = await running('--rpcport', '1', '--rpcapi', 'eth,personal');
    const { target } = await audit(conf(`RPC_ENABLE=0\nRPC_PORT=${port}\nWS_ENABLE=0\n`));
    expect(withRule(target, 'pending-restart')).toMatchObject([
      { severity: 'medium', message: expect.stringContaining('After a restart, http would be closed.') },
    ]);
    expect(withRule(target, 'privileged-module').map(({ subject }) => subject)).toContain('http personal');
  });

  test('the command line says *, and the node refuses foreign callers: no finding', async () => {
    const port = await freePort();
    const { pid } = await childNode(
      [`127.0.0.1:${port}`],
      [
        '--rpc',
        '--rpcaddr',
        '127.0.0.1',
        '--rpcport',
        `${port}`,
        '--rpcapi',
        'eth',
        '--rpccorsdomain',
        '*',
        '--rpcvhosts',
        '*',
        '--ipcdisable',
      ],
    );
    const { target } = await audit(`pid:${pid}`);
    const [http] = target.interfaces.filter(({ transport }) => transport === 'http');
    expect(http).toMatchObject({ state: 'open', reach: 'loopback' });
    expect(target.findings.filter(({ rule }) => rule.startsWith('wildcard-'))).toEqual([]);
  });

  test('an interface on which nothing listens while IPC answers is closed, and no open question', async () => {
    const path = conf('RPC_ENABLE=0\nWS_ENABLE=0\n');
    const words = ['--rpc', '--rpcport', `${await freePort()}`, '--datadir', `${folder}/data`];
    const { pid } = await simulatedChild(path, words);
    const { target } = await audit(`pid:${pid}`);
    const http = target.interfaces.find(({ transport }) => transport === 'http');
    expect(http?.state).toBe('closed');
    expect(target.undetermined.filter(({ about }) => about === http?.endpoint)).toEqual([]);
    expect(withRule(target, 'missing-interface')).toMatchObject([{ subject: 'http' }]);
  });

  test('an access list of a process without a conf is one finding, by its flag, seen there', async () => {
    const path = conf('RPC_ENABLE=1\nRPC_ADDR=127.0.0.1\nRPC_PORT=0\nRPC_VHOSTS="*"\n');
    const port = await freePort();
    writeFileSync(path, readFileSync(path, 'utf8').replace('RPC_PORT=0', `RPC_PORT=${port}`));
    const words = ['--rpc', '--rpcport', `${port}`, '--rpcvhosts', '*', '--datadir', `${folder}/data`];
    const { pid } = await simulatedChild(path, words);
    const { target } = await audit(`pid:${pid}`);
    expect(withRule(target, 'wildcard-vhosts')).toMatchObject([
      {
        subject: '--rpcvhosts',
        related: [{ at: { endpoint: `http://127.0.0.1:${port}` }, note: 'seen here' }],
      },
    ]);
    const [finding] = withRule(target, 'wildcard-vhosts');
    expect(finding?.fix).toContain('--rpcvhosts');
    const written = (await audit(path)).target;
    expect(withRule(written, 'wildcard-vhosts').map(({ subject }) => subject)).toEqual(['RPC_VHOSTS']);
  });

  test('a variable of the process is named in the drift, and nothing changed at run time', async () => {
    const { ports } = await childNode(
      ['127.0.0.1:0'],
      ['--mainnet', '--datadir', `${folder}/data`, '--rpc', '--rpcaddr', '127.0.0.1'],
      { modules: 'eth,net,personal', env: { KAIA_RPCAPI: 'eth,net,personal' } },
    );
    const path = conf(`RPC_ENABLE=1\nRPC_ADDR=127.0.0.1\nRPC_PORT=${ports[0]}\nRPC_API=\nWS_ENABLE=0\n`);
    const { target } = await audit(path);
    expect(target.drift).toContainEqual(
      expect.objectContaining({ process: 'eth,net,personal', note: 'KAIA_RPCAPI of the process' }),
    );
    expect(target.drift?.map(({ note }) => note)).not.toContain('changed at run time');
  });

  test('the default socket of --datadir is declared', async () => {
    const path = conf('RPC_ENABLE=0\nWS_ENABLE=0\n');
    const { pid } = await simulatedChild(path, ['--datadir', `${folder}/data`]);
    const { target } = await audit(`pid:${pid}`);
    expect(target.interfaces).toContainEqual(
      expect.objectContaining({ endpoint: `ipc:${folder}/data/klay.ipc`, state: 'open' }),
    );
    expect(withRule(target, 'undeclared-interface')).toEqual([]);
  });
});
