/** A list that was rendered before is answered without the framework: the same bytes, headers, limits and counts. */
import { expect, test } from 'vitest';
import { joinBody, request, started, survey, usualLimits } from './support.js';

const path = `/api/group/members?id=${survey}`;

/** The framework answers: another spelling of the query is not taken over. */
const framed = `/api/group/members?x=&id=${survey}`;

async function asked(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  const { date: _, connection: __, 'keep-alive': ___, ...rest } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers: rest, body: await answer.text() };
}

test('both ways answer alike: a list, a compressed one, a known one and one under a limit', async () => {
  const { url } = await started({ limits: { ...usualLimits, perMinute: 1000 } });
  for (let n = 1; n <= 20; n++)
    expect(
      (await request(`${url}/api/group/join`, 'POST', joinBody(String(10n ** 70n + BigInt(n))))).status,
    ).toBe(200);
  const first = await asked(url + path);
  const { etag = '' } = first.headers;
  for (const headers of [
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'br' },
    { 'if-none-match': etag },
  ]) {
    const [ours, framework] = [await asked(url + path, headers), await asked(url + framed, headers)];
    for (const one of [ours, framework]) delete one.headers['x-ratelimit-remaining'];
    expect(ours).toEqual(framework);
  }
  const lines = { accept: 'application/x-ndjson' };
  expect((await asked(url + path, lines)).body).toBe((await asked(url + framed, lines)).body);
  expect((await fetch(url + path, { method: 'HEAD' })).headers.get('etag')).toBe(etag);
});

test('a join is in the next list', async () => {
  const { url } = await started();
  for (let n = 1; n <= 3; n++) {
    expect((await request(`${url}/api/group/join`, 'POST', joinBody(String(n)))).status).toBe(200);
    const { body } = await asked(url + path);
    expect(JSON.parse(JSON.parse(body).data).members).toHaveLength(n);
  }
});

test('requests of both ways count toward one limit, and a refused one is told so', async () => {
  const { url } = await started({ limits: { ...usualLimits, perMinute: 1 } });
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await asked(url + (n % 2 === 0 ? path : framed))).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  const refused = await asked(url + path);
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } });
  expect(JSON.parse(JSON.parse(refused.body).error)).toMatchObject({ code: 'RATE_LIMITED' });
});

test('they are counted as any request', async () => {
  const { url } = await started();
  for (let n = 0; n < 3; n++) await asked(url + path);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(
    /kaiactl_survey_request_seconds_count\{method="GET",route="\/api\/group\/members",status="200"\} 3\n/,
  );
});
