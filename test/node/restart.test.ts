/** Running processes beside a conf that was edited after their start. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../src/node/facts/report.js';
import { childNode, closeChildren, simulatedChild } from '../peers/child-node.js';
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
      ...{ rule: 'privileged-module', subject: 'http personal', severity: 'critical' },
    });
    expect(target.interfaces.find(({ transport }) => transport === 'http')?.reach).toBe('loopback');
    // A finding that the file suppresses does not count after the restart either.
    const ignore = '# kaiactl-ignore privileged-module(personal) reason="a test"\n';
    const text = readFileSync(path, 'utf8').replace('RPC_API', `${ignore}RPC_API`);
    writeFileSync(path, text);
    const [accepted] = withRule((await audit(path)).target, 'pending-restart');
    expect(accepted).toMatchObject({ severity: 'medium', message: expect.not.stringContaining('Critical') });
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
    const { pid } = await childNode(
      ['127.0.0.1:18731'],
      [
        ...['--rpc', '--rpcaddr', '127.0.0.1', '--rpcport', '18731', '--rpcapi', 'eth'],
        ...['--rpccorsdomain', '*', '--rpcvhosts', '*', '--ipcdisable'],
      ],
    );
    const { target } = await audit(`pid:${pid}`);
    const [http] = target.interfaces.filter(({ transport }) => transport === 'http');
    expect(http).toMatchObject({ state: 'open', reach: 'loopback' });
    expect(target.findings.filter(({ rule }) => rule.startsWith('wildcard-'))).toEqual([]);
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
