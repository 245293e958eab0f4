/** The operator's socket of servers whose surveys are on a chain: with a file, and with a database that two share. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../../src/main.js';
import { serve } from '../../../src/survey/server/serve.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { account, type Chain, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { fakeHost } from '../../survey/server/fake-host.js';
import {
  chainDefaults,
  inner,
  joinBody,
  listed,
  request,
  settings,
  started,
} from '../../survey/server/support.js';
import { secret } from '../../survey/store/backends.js';
import { type Cluster, noPostgres, startPostgres } from '../../survey/store/postgres.js';

async function admin(socket: string, ...words: string[]) {
  const { host, texts } = fakeHost(['survey', 'admin', ...words, '--admin-socket', socket]);
  return { code: await main(host), ...texts };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-admin-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe.skipIf(noAnvil !== null)('surveys on a chain, while their servers run', () => {
  let chain: Chain;
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    [chain, cluster] = await Promise.all([startChain(), noPostgres === null ? startPostgres() : null]);
  });
  afterAll(async () => {
    chain?.stop();
    await cluster?.stop();
  });

  const deployed = async () => String((await chain.survey('Survey', 1)).target);
  const setting = (place: string, adminSocket: string | null, surveys: readonly string[]) => ({
    secret,
    adminSocket,
    surveys,
    openStorage: () => openStorage(place, secret),
    chain: { ...chainDefaults, rpcUrls: [chain.url], managerKey: account(1).privateKey },
  });
  const joined = async (url: string, id: string, commitment: number) => {
    const answer = await request(`${url}/api/group/join`, 'POST', joinBody(commitment, { id }));
    return answer.status === 200 ? 'joined' : inner(answer, 'error').reason;
  };

  test('added, listed, closed and exported with a file, also after a restart', async () => {
    const [one, two] = [await deployed(), await deployed()];
    const store = join(folder(), 'survey.db');
    const socket = `${store}.admin`;
    const first = await serve(await settings(setting(store, socket, [one])));
    expect(await joined(first.url, two, 1)).toBe('this server does not serve it');
    expect((await admin(socket, 'add', account(7).address)).err).toContain('no contract at this address');
    expect((await admin(socket, 'close', two, '--yes')).err).toContain('no such survey');
    expect((await admin(socket, 'add', two)).code).toBe(0);
    expect(await joined(first.url, two, 1)).toBe('joined');
    await first.close();

    const { url } = await started(setting(store, socket, []));
    expect(await joined(url, two, 2)).toBe('joined');
    expect((await admin(socket, 'close', two, '--yes')).code).toBe(0);
    expect(await joined(url, two, 3)).toBe('Survey is finished');
    expect((await admin(socket, 'list')).out).toBe(
      `${two}  2 members  closed  any number per user, any scheme\n`,
    );
    expect(JSON.parse((await admin(socket, 'export', two)).out)).toMatchObject({
      survey: two,
      members: ['1', '2'],
    });
  });

  test.skipIf(noPostgres !== null)('on one of two servers, for both', async () => {
    const [one, two] = [await deployed(), await deployed()];
    const [place, socket] = [cluster?.database() ?? '', join(folder(), 'admin')];
    const [here, there] = [
      await started(setting(place, socket, [one])),
      await started(setting(place, null, [one])),
    ];
    expect(await joined(there.url, two, 1)).toBe('this server does not serve it');
    expect((await admin(socket, 'add', two)).code).toBe(0);
    expect(await joined(there.url, two, 1)).toBe('joined');
    expect((await admin(socket, 'close', two, '--yes')).code).toBe(0);
    expect(await joined(there.url, two, 2)).toBe('Survey is finished');
    expect(await listed(here.url, two)).toEqual(['1']);
    expect((await admin(socket, 'list')).out).toBe(
      `${one}  0 members  any number per user, any scheme\n${two}  1 member  closed  any number per user, any scheme\n`,
    );
    const { host, texts } = fakeHost(['survey', 'admin', 'list', '--store', place]);
    expect(await main(host)).toBe(2);
    expect(texts.err).toContain('--admin-socket');
  });

  test('a limit of members holds over concurrent joins', async () => {
    const id = await deployed();
    const socket = join(folder(), 'admin');
    const { url } = await started(setting(':memory:', socket, [id]));
    expect((await admin(socket, 'set', id, '--max-members', '3')).out).toContain(
      'limit of members: 3 (was none)',
    );
    const joins = await Promise.all(Array.from({ length: 8 }, (_, n) => joined(url, id, n + 1)));
    expect(joins.filter((one) => one === 'joined')).toHaveLength(3);
    expect(new Set(joins)).toEqual(new Set(['joined', 'it takes 3 members']));
    expect(await listed(url, id)).toHaveLength(3);
    const shown = JSON.parse((await admin(socket, 'show', id, '--format', 'json')).out);
    expect(shown).toMatchObject({
      members: 3,
      joinsCounted: 3,
      refusals: [{ reason: 'SURVEY_FULL', count: 5 }],
    });
  });

  test('a server that lists every survey has nothing to add to', async () => {
    const socket = join(folder(), 'admin');
    await started({
      adminSocket: socket,
      surveys: [],
      chain: { ...chainDefaults, rpcUrls: [chain.url], managerKey: null },
    });
    expect((await admin(socket, 'add', await deployed())).err).toContain('every survey on its chain');
  });
});
