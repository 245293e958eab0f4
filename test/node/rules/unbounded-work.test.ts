/** Limits on work that are off or far above the default of the release. */
import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../offline.js';

async function found(command: string, ...options: string[]) {
  const { out } = await run(['node', 'lint', '--command-line', command, '--format', 'json', ...options]);
  const [target] = (JSON.parse(out) as Report).targets;
  return {
    findings: (target?.findings ?? []).filter(({ rule }) => rule === 'unbounded-work'),
    undetermined: (target?.undetermined ?? []).filter(({ rule }) => rule === 'unbounded-work'),
  };
}

const geth = 'geth --http --http.api eth --http.addr';
const ken = 'ken --rpc --rpcapi eth --rpcaddr 0.0.0.0 --ws --wsapi eth --wsaddr 0.0.0.0';

test.each([
  [`${geth} 0.0.0.0 --rpc.gascap 0`, 'v1.17.8', 'medium', '--rpc.gascap 0 (no limit on the gas of a call)'],
  [
    `${geth} 10.0.0.3 --rpc.evmtimeout 0s`,
    'v1.17.8',
    'low',
    '--rpc.evmtimeout 0s (no limit on the time of a call)',
  ],
  [
    `${geth} 0.0.0.0 --rpc.evmtimeout 50.5s`,
    'v1.13.15',
    'medium',
    '(the time of a call: 10 times the default 5s)',
  ],
  [`${geth} 0.0.0.0 --rpc.gascap 300000000`, 'v1.9.25', 'medium', '12 times the default 25000000'],
  [
    `${geth} 0.0.0.0 --rpc.batch-request-limit=0`,
    'v1.13.15',
    'medium',
    'no limit on the requests of a batch',
  ],
  [
    `${geth} 0.0.0.0 --rpc.batch-response-max-size=0`,
    'v1.13.15',
    'medium',
    'no limit on the bytes that answer',
  ],
  [`${geth} 0.0.0.0 --rpc.rangelimit 0`, 'v1.17.8', 'medium', 'no limit on the blocks of a search for logs'],
  [
    `${geth} 0.0.0.0 --rpc.http-body-limit 100`,
    'v1.17.8',
    'medium',
    'the size of a request: 20 times the default 5',
  ],
])('%s of %s is %s', async (command, release, severity, message) => {
  const { findings } = await found(command, '--node-version', release);
  expect(findings).toMatchObject([
    { severity, subject: 'http work', message: expect.stringContaining(message) },
  ]);
});

test.each([
  [`${geth} 127.0.0.1 --rpc.gascap 0`, 'v1.17.8'],
  [`${geth} 0.0.0.0`, 'v1.17.8'],
  [`${geth} 0.0.0.0 --rpc.gascap 500000000 --rpc.evmtimeout 50s`, 'v1.17.8'],
  [`${geth} 0.0.0.0 --rpc.batch-request-limit=-1 --rpc.http-body-limit 0 --rpc.txfeecap 0`, 'v1.17.8'],
  [`${geth} 0.0.0.0 --rpc.rangelimit 1000000`, 'v1.17.8'],
  [`${ken} --wsmaxconnections 0 --api.filter.getLogs.deadline 0`, 'v2.2.1'],
])('%s of %s passes', async (command, release) => {
  expect(await found(command, '--node-version', release)).toEqual({ findings: [], undetermined: [] });
});

test('each interface has one finding, which names its caps with their places, and a fix for all', async () => {
  const caps = '--rpc.evmtimeout 0 --wsmaxconnections 100000 --rpc.gascap 0';
  const { findings } = await found(`${ken} ${caps}`, '--node-version', 'v2.2.1');
  expect(findings.map(({ subject, fix, related }) => [subject, fix, related?.length])).toEqual([
    ['http work', 'Set --rpc.gascap to 50000000 and --rpc.evmtimeout to 5s.', 1],
    ['ws work', 'Set --rpc.gascap to 50000000, --rpc.evmtimeout to 5s and --wsmaxconnections to 3000.', 2],
  ]);
  expect(findings.map(({ edits }) => edits?.map(({ text }) => text))).toEqual([
    ['50000000', '5s'],
    ['50000000', '5s', '3000'],
  ]);
});

test('a cap whose value cannot be known leaves the check undetermined', async () => {
  const { undetermined } = await found(`${geth} 0.0.0.0 --rpc.gascap $GAS`, '--node-version', 'v1.17.8');
  expect(undetermined).toMatchObject([
    { code: 'indeterminate', about: 'http', reason: expect.stringContaining('$GAS') },
  ]);
});
