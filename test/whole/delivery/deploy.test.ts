/** The commands of deploy/ and docs/ match the program's options. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { exit } from '../../../src/errors.js';
import { main } from '../../../src/main.js';
import { installed } from '../../node/report/tools.js';
import { freePort } from '../../peers/free-port.js';
import { account, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { fakeHost } from '../../survey/server/fake-host.js';
import { stub } from '../../survey/server/support.js';
import { noPostgres, startPostgres } from '../../survey/store/postgres.js';

const at = (name: string) => new URL(`../../../${name}`, import.meta.url).pathname;
const read = (name: string) => readFileSync(at(name), 'utf8');

test.each([
  'deploy/compose.yaml',
  'deploy/kaiactl-survey.service',
  'docs/survey-server.md',
  'docs/survey-restore.md',
])('%s names options there are', async (name) => {
  const known = new Set<string>();
  for (const verb of ['serve', 'admin', 'backup', 'restore', 'members']) {
    const { host, texts } = fakeHost(['survey', verb, '--help']);
    await main(host);
    for (const [option] of texts.out.matchAll(/--[a-z-]+/g)) known.add(option);
  }
  const named = [...read(name).matchAll(/(?<=[\s`"'-])--[a-z][a-z-]+/g)].map(([option]) => option);
  expect(named.length).toBeGreaterThan(3);
  // An option of systemctl and of docker, and one of createdb.
  known.add('--signal').add('--owner');
  expect(named.filter((option) => !known.has(option))).toEqual([]);
});

/** The names of metrics as a server that has just started shows them. */
async function shownMetrics(): Promise<string[]> {
  const { host, abort, texts, line } = fakeHost([
    'survey',
    'serve',
    '--store',
    join(folder(), 'survey.db'),
    '--port',
    '0',
    '--log',
    'off',
  ]);
  const ended = main(host);
  const [url] = await line(/^http:\S+/m);
  const text = await (await fetch(`${url}/metrics`)).text();
  abort.abort();
  expect([await ended, texts.err]).toEqual([0, expect.stringContaining('note:')]);
  return [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? '');
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-deploy-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('the dashboard queries only existing metrics', async () => {
  const shown = await shownMetrics();
  const { panels } = JSON.parse(read('deploy/grafana.json'));
  const queries = panels.flatMap((panel: { targets: { expr: string }[] }) => panel.targets);
  const asked = queries.flatMap(({ expr }: { expr: string }) => expr.match(/kaiactl_\w+/g) ?? []);
  expect(asked).toHaveLength(queries.length);
  expect(asked.filter((name: string) => !shown.includes(name.replace(/_bucket$/, '')))).toEqual([]);
});

test.each(['deploy/kaiactl-survey.service', 'docs/watch.md'])(
  '%s: systemd retries no wrong option',
  (name) => {
    const text = read(name);
    expect(text.match(/^Restart\w*=.*$/gm)).toEqual([
      'Restart=on-failure',
      `RestartPreventExitStatus=${exit.usage}`,
    ]);
  },
);

test('the unit is hardened: an exposure of at most 2.5, and more time to stop than a join takes', async () => {
  const unit = at('deploy/kaiactl-survey.service');
  if (installed('systemd-analyze', 'the exposure of deploy/kaiactl-survey.service')) {
    const words = ['security', '--offline=true', '--no-pager', unit];
    const { stdout } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect(Number(/exposure level .*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2.5);
  }
  const { host, texts } = fakeHost(['survey', 'serve', '--help']);
  await main(host);
  const join = Number(/--chain-timeout[\s\S]*?default: "(\d+)s"/.exec(texts.out)?.[1]);
  expect(join).toBeGreaterThan(0);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('deploy/kaiactl-survey.service'))?.[1])).toBeGreaterThan(
    join + 10,
  );
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  for (const name of ['one', 'two', 'database']) {
    expect(services[name], name).toMatchObject({
      healthcheck: { timeout: '5s' },
      mem_limit: '1g',
      pids_limit: expect.any(Number),
    });
  }
  expect(Number.parseInt(services.one.stop_grace_period, 10)).toBeGreaterThan(join + 10);
});

test('hadolint and systemd-analyze accept the Dockerfile and the unit', () => {
  if (installed('hadolint', 'deploy/Dockerfile against hadolint')) {
    const { stdout } = spawnSync('hadolint', [at('deploy/Dockerfile')], { encoding: 'utf8' });
    expect(stdout).toBe('');
  }
  if (installed('systemd-analyze', 'deploy/kaiactl-survey.service against systemd-analyze')) {
    // It looks for the program, too.
    const unit = join(folder(), 'kaiactl-survey.service');
    writeFileSync(unit, read('deploy/kaiactl-survey.service').replace('/usr/bin/kaiactl', '/bin/true'));
    expect(spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' }).stderr).toBe('');
  }
});

describe.skipIf(noAnvil !== null)('the commands of deploy/ run as written', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain?.stop());

  /** A folder with the manager's key, and what takes the place of names in the words. */
  async function place() {
    const path = folder();
    writeFileSync(join(path, 'manager.key'), account(1).privateKey, { mode: 0o600 });
    const survey = String((await chain.survey('Survey', 1)).target);
    return {
      path,
      survey,
      variables: { SURVEY: survey, CHANNEL_ID: '1', RPC_URL: chain.url, CHAIN_ID: '1001' },
    };
  }

  /** Runs the words on free ports; it is healthy, lists the survey, and ends on a signal. */
  async function serves(
    [program, ...words]: readonly string[],
    survey: string,
    operations?: string,
  ): Promise<void> {
    expect(program).toBe('kaiactl');
    expect(words.join(' ')).not.toMatch(/\$|%[a-zA-Z]\b/);
    const { host, abort, texts, line } = fakeHost([...words, '--port', '0']);
    const ended = main(host);
    const early = ended.then(() => Promise.reject(new Error(texts.err)));
    const [url] = await Promise.race([line(/^http:\S+/m), early]);
    const health = await (await fetch(`${operations ?? url}/healthz`)).json();
    expect(health).toMatchObject({ status: 'ok', chainId: 1001 });
    expect((await fetch(`${url}/api/group/members?id=${survey}`)).status).toBe(200);
    abort.abort();
    expect(await ended).toBe(0);
  }

  test('the unit starts', async () => {
    const { path, survey, variables } = await place();
    const line = /^ExecStart=([\s\S]*?[^\\])$/m.exec(read('deploy/kaiactl-survey.service'))?.[1] ?? '';
    const words = line
      .replaceAll('\\\n', ' ')
      .replace('/usr/bin/', '')
      .replace('%S/kaiactl-survey', path)
      .replace('%d', path)
      .replace('--metrics-port 9464', '--metrics-port 0')
      .replace(/\$\{(\w+)\}/g, (_, name) => variables[name as keyof typeof variables]);
    await serves(words.trim().split(/\s+/), survey);
  });

  test.skipIf(noPostgres !== null)('the servers of the compose file, by the image’s entrypoint', async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const { path, survey, variables } = await place();
    const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(read('deploy/Dockerfile')) ?? [];
    const [node, program, ...first] = JSON.parse(entrypoint) as string[];
    expect([node, program]).toEqual(['node', '/app/bin/kaiactl.js']);
    const { services, secrets } = parse(read('deploy/compose.yaml'), { merge: true });
    expect(services.one.secrets.filter((name: string) => !(name in secrets))).toEqual([]);
    expect(services.one.command).toContain('--operations-address=0.0.0.0:9464');
    expect(services.one.ports).toEqual(['127.0.0.1:8787:8787']);
    const port = await freePort();
    const words = services.one.command.map((word: string) =>
      word
        .replace('postgres://survey@database/survey', cluster.database())
        .replace('/run/secrets', path)
        .replace('/participants', path)
        .replace('0.0.0.0:9464', `127.0.0.1:${port}`)
        .replace(/\$\{(\w+):\?\}/g, (_, name) => variables[name as keyof typeof variables]),
    );
    const local = first.map((word) => word.replace('0.0.0.0', '127.0.0.1'));
    expect(services.two.command).toEqual(services.one.command);
    await serves(['kaiactl', ...local, ...words], survey, `http://127.0.0.1:${port}`);
    // The server wrote its first decision, the survey's policy, beside the secret that it made.
    expect(services.one.volumes).toEqual(['./secrets/participants:/participants']);
    expect(readFileSync(join(path, 'secret.decisions'), 'utf8')).toContain('"action":"policy"');
    expect(services.check).toMatchObject({ restart: 'no', command: services.one.command });
    const completed = { check: { condition: 'service_completed_successfully' } };
    for (const name of ['one', 'two']) expect(services[name].depends_on).toMatchObject(completed);
    const checked = async (...more: readonly string[]) => {
      const { host, texts } = fakeHost([...local, ...words, ...more], {
        KAIACTL_CHECK: services.check.environment.KAIACTL_CHECK,
      });
      return [await main(host), texts.out];
    };
    expect(await checked()).toEqual([0, 'can serve: surveys on chain 1001\n']);
    expect(await checked('--chain-id', '8217')).toEqual([2, '']);
    const { url } = await stub(() => 'hang up');
    const silent = local.concat(words.filter((word: string) => !word.startsWith('--rpc-url')));
    const { host } = fakeHost([...silent, '--rpc-url', url, '--check']);
    expect(await main(host)).toBe(3);
  });
});
