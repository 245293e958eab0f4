/** Two servers with one manager's key beside one: how long 100 joins at once take, in turns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers/wallet';
import { account, type Chain, noAnvil, startChain } from '../survey/chain/anvil.js';
import { joiner, type Spawned, spawnServer, token } from '../survey/server/process.js';
import { noPostgres, startPostgres } from '../survey/store/postgres.js';
import { type Bench, interleave, type Tell } from './bench.js';

const joins = 100;
const rounds = 3;

/** Servers that share a database and a manager's key; each call has 100 people join them at once. */
async function crowd(servers: readonly Spawned[], survey: string): Promise<() => Promise<number>> {
  const wallet = new Wallet(`0x${'11'.repeat(32)}`);
  const send = joiner(wallet, survey, await token('U1'), 'U1');
  let last = 0;
  return async () => {
    const answers = await Promise.all(
      Array.from({ length: joins }, (_, n) => send(servers[n % servers.length]?.url ?? '', last + n + 1)),
    );
    last += joins;
    return answers.filter((status) => status === 200).length;
  };
}

async function run(tell: Tell): Promise<void> {
  const missing = noAnvil ?? noPostgres;
  if (missing !== null)
    return tell({
      what: '100 joins at once at two servers with one key',
      value: 'not measured',
      instead: missing,
    });
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
  const [chain, cluster] = await Promise.all([startChain('--block-time', '0.3'), startPostgres()]);
  const spawned: Spawned[] = [];
  const started = async (count: number, manager: number, on: Chain) => {
    const survey = String((await on.survey('Survey', manager)).target);
    const key = join(folder, `manager-${manager}`);
    writeFileSync(key, account(manager).privateKey, { mode: 0o600 });
    const shared = ['--store', cluster.database(), '--participant-secret-file', join(folder, 'secret')];
    const onChain = ['--rpc-url', on.url, '--manager-key-file', key, '--survey', survey];
    const words = [...shared, ...onChain, '--rate-limit', '0', '--joins-per-user', '0'];
    const servers: Spawned[] = [];
    for (let n = 0; n < count; n++) servers.push(await spawnServer(words));
    spawned.push(...servers);
    return crowd(servers, survey);
  };
  const [one, two] = [await started(1, 1, chain), await started(2, 2, chain)];
  const counts = { one: 0, two: 0 };
  const took = await interleave(rounds, {
    one: async () => {
      counts.one += await one();
    },
    two: async () => {
      counts.two += await two();
    },
  });
  const all = (rounds + 1) * joins;
  tell({
    what: `${joins} joins at once at two servers with one key`,
    value: `${took.two.toFixed(0)} ms, ${counts.two} of ${all} joined`,
    instead: `at one server ${took.one.toFixed(0)} ms, ${counts.one} of ${all} joined`,
    ratio: `${(took.two / took.one).toFixed(2)} × the time`,
  });
  for (const { child } of spawned) child.kill('SIGKILL');
  chain.stop();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

export const replicas: Bench = { name: 'replicas', run };
