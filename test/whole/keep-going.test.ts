/** A batch that meets faults: it retries them, reads the list before it sends a join again, and stops at its limits. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BatchFiles, batchFiles, countingApi } from '../survey/batch-api.js';
import { kaiactl, type Setting } from '../survey/command.js';
import { receipt, refuse, survey } from '../survey/fake.js';
import { type Exchange, faultProxy, faults } from '../survey/fault-proxy.js';
import { listed, started, userId } from '../survey/server/support.js';

/** A batch for a real server, whose platform knows the token `good`. */
function files(count: number, requestTimeout = '60s'): BatchFiles {
  const made = batchFiles(count);
  writeFileSync(join(made.folder, 'token'), 'good');
  return {
    ...made,
    words: [...made.words, '--user-id', userId, '--request-timeout', requestTimeout],
  };
}

const run = (url: string, { words }: BatchFiles, more: string[] = [], setting: Setting = {}) =>
  kaiactl(['survey', 'join', survey, '--api-url', url, ...words, ...more], setting);
const entries = ({ journal }: BatchFiles) =>
  readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { commitment: string; state: string; problem?: string });
const isJoin = ({ method }: Exchange) => method === 'POST';
const commitmentOf = ({ body }: Exchange) => (JSON.parse(body) as { commitment: string }).commitment;

const each = faults.flatMap((fault) => [true, false].map((delivered) => ({ fault, delivered })));

test.each(each)(
  'every third join meets a fault ($fault, delivered: $delivered): one run joins all',
  async (chosen) => {
    const { url } = await started();
    const proxy = await faultProxy(url);
    const batch = files(12, chosen.fault === 'slow' ? '1s' : undefined);
    const broken = new Set<string>();
    proxy.choose = (exchange) => {
      if (!isJoin(exchange) || broken.has(commitmentOf(exchange))) return null;
      if (Number(commitmentOf(exchange)) % 3 !== 0) return null;
      broken.add(commitmentOf(exchange));
      return chosen;
    };
    const ran = await run(proxy.url, batch);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('12 joins: 12 listed') });
    const members = await listed(url);
    expect(members.toSorted()).toEqual(batch.commitments.toSorted());
    expect(broken.size).toBe(4);
    if (chosen.fault === '429') return;
    // Between two requests for one join, the list was read.
    for (const commitment of broken) {
      const sent = proxy.exchanges.filter((one) => isJoin(one) && commitmentOf(one) === commitment);
      for (const [at, { nth }] of sent.slice(1).entries()) {
        const since = sent[at]?.nth ?? 0;
        expect(proxy.exchanges.slice(since, nth - 1).map(({ method }) => method)).toContain('GET');
      }
    }
  },
);

test('the list itself fails between two rounds: no join is sent again before it was read', async () => {
  const { url } = await started();
  const proxy = await faultProxy(url);
  const batch = files(3);
  let failing = 0;
  proxy.choose = (exchange) => {
    if (isJoin(exchange)) return exchange.nth === 2 ? { fault: 'reset', delivered: false } : null;
    return exchange.nth > 2 && failing++ < 3 ? { fault: '502', delivered: false } : null;
  };
  expect((await run(proxy.url, batch, ['--concurrency', '1'])).code).toBe(0);
  const joins = proxy.exchanges.filter(isJoin);
  expect([failing > 3, joins.length]).toEqual([true, 4]);
  const again = joins.at(-1)?.nth ?? 0;
  const last = proxy.exchanges[again - 2];
  expect(last?.method).toBe('GET');
});

describe('limits', () => {
  test('--max-faults: the run stops, says why, and the next run finishes', async () => {
    const api = await countingApi();
    const batch = batchFiles(9);
    api.decide = () => ({ status: 500 });
    const stopped = await run(api.url, batch, ['--max-faults', '2', '--concurrency', '1']);
    expect(stopped).toMatchObject({ code: 3, stdout: expect.stringContaining('open     1000') });
    expect(stopped.stderr).toMatch(
      /; 3 faults\nstopped: .*it failed inside \(500.*; the same command continues\n$/,
    );
    expect([...api.submitted.values()]).toEqual([1, 1, 1]);
    api.decide = () => null;
    expect(await run(api.url, batch)).toMatchObject({ code: 0, stderr: '9 joins: 9 listed\n' });
    await api.close();
  });

  test('a success in between resets no count: --max-faults counts all faults of the run', async () => {
    const api = await countingApi();
    api.decide = (_, nth) => (nth % 2 === 0 ? { status: 502 } : null);
    const stopped = await run(api.url, batchFiles(20), ['--max-faults', '3', '--concurrency', '1']);
    expect(stopped).toMatchObject({ code: 3, stderr: expect.stringContaining('; 4 faults\n') });
    await api.close();
  });

  test.each(['x', '-1', '1.5'])('--max-faults %s: exit 2', async (text) => {
    const ran = await run('http://127.0.0.1:1', batchFiles(1), [`--max-faults=${text}`]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--max-faults') });
  });
});

test('a join with a receipt without the event is not sent again', async () => {
  const api = await countingApi();
  const batch = batchFiles(2);
  api.decide = ({ commitment }) => (commitment === '1000' ? receipt(0n, 1n, 1000n, []) : null);
  expect(await run(api.url, batch)).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^unknown {2}1000 .*no MemberAdded/),
  });
  expect((await run(api.url, batch)).code).toBe(3);
  expect(api.submitted.get('1000')).toBe(1);
  await api.close();
});

test('a join that the contract knows already is a member, not a refusal', async () => {
  const api = await countingApi();
  const batch = batchFiles(1);
  api.decide = ({ commitment }, nth) => {
    if (nth === 1) return { status: 502 };
    api.members.push(commitment);
    return refuse({ code: 'CALL_EXCEPTION', data: '0x258a195a' });
  };
  expect(await run(api.url, batch)).toMatchObject({ code: 0, stdout: 'listed   1000  member 2\n' });
  expect(entries(batch).map(({ state }) => state)).toEqual([
    'submitting',
    'failed',
    'submitting',
    'accepted',
    'listed',
  ]);
  await api.close();
});

test('Ctrl-C marks the joins under way; the next run finds them in the list', async () => {
  const api = await countingApi();
  const batch = batchFiles(6);
  const abort = new AbortController();
  let underWay = 0;
  api.decide = ({ commitment }) => {
    if (++underWay === 3) abort.abort();
    api.members.push(commitment);
    return () => undefined;
  };
  const ran = await run(api.url, batch, ['--concurrency', '3'], { abort });
  expect(ran).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('interrupted; the same command continues'),
  });
  const marked = entries(batch).filter(({ state }) => state === 'unknown');
  expect(marked.map(({ problem }) => problem)).toEqual(Array(3).fill(expect.stringContaining('interrupted')));
  api.decide = () => null;
  expect(await run(api.url, batch)).toMatchObject({ code: 0, stderr: '6 joins: 6 listed\n' });
  expect([...api.submitted.values()]).toEqual(Array(6).fill(1));
  await api.close();
});

test('a system clock that jumps forward ends no wait', async () => {
  const api = await countingApi();
  let looks = 0;
  api.decide = ({ commitment }) => receipt(0n, 1n, BigInt(commitment));
  const batch = batchFiles(1);
  const late = api.asked.push.bind(api.asked);
  api.asked.push = (...asked) => {
    if (asked[0]?.method === 'GET' && ++looks === 5) api.members.push('1000');
    return late(...asked);
  };
  let hours = 0;
  const now = () => Date.now() + 3_600_000 * hours++;
  const ran = await run(api.url, batch, ['--timeout', '1m'], { now });
  expect(ran).toMatchObject({ code: 0, stdout: 'listed   1000  member 2\n' });
  expect(hours).toBeGreaterThan(1);
  await api.close();
});

describe('--progress', () => {
  test('holds the counts of the run as JSON, without the joins that were listed before', async () => {
    const api = await countingApi();
    const batch = batchFiles(4);
    api.members.push('1003');
    const file = join(batch.folder, 'progress');
    const seen: unknown[] = [];
    api.decide = (_, nth) => {
      if (nth === 1) seen.push(JSON.parse(readFileSync(file, 'utf8')));
      return nth === 1 ? { status: 500 } : null;
    };
    expect((await run(api.url, batch, ['--progress', file, '--concurrency', '1'])).code).toBe(0);
    expect(seen).toMatchObject([
      { survey, state: 'running', total: 3, done: 0, faults: 0, secondsLeft: null },
    ]);
    const end = { survey, state: 'submitted', total: 3, done: 3, faults: 1, secondsLeft: 0 };
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(end);
    expect(existsSync(`${file}.part`)).toBe(false);
    await api.close();
  });

  test('after an interrupt it counts the accepted joins, and no time is left', async () => {
    const api = await countingApi();
    const batch = batchFiles(4);
    const file = join(batch.folder, 'progress');
    const abort = new AbortController();
    api.decide = (_, nth) => {
      if (nth === 3) abort.abort();
      return null;
    };
    const ran = await run(api.url, batch, ['--progress', file, '--concurrency', '1'], { abort });
    expect(ran.code).toBe(130);
    const end = { survey, state: 'interrupted', total: 4, done: 2, secondsLeft: null };
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(end);
    await api.close();
  });

  test('a file that cannot be written: exit 2, nothing is sent', async () => {
    const api = await countingApi();
    const ran = await run(api.url, batchFiles(1), ['--progress', '/nowhere/progress']);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot write the progress file /nowhere/progress'),
    });
    expect(api.submitted.size).toBe(0);
    await api.close();
  });
});
