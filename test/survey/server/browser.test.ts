/** Browsers, direct TLS and monitoring: CORS by list, https, metrics on a separate port. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as https } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../peers/free-port.js';
import { inner, joinBody, request, started, survey } from './support.js';

const page = 'https://app.example';

test('pages of an allowed origin may send requests, others may not; OPTIONS answers stay the same', async () => {
  const { url } = await started({ origins: [page] });
  const ask = (origin: string, method: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/group/join`, {
      method,
      headers: { origin, ...headers },
      ...(method === 'POST' ? { body: JSON.stringify(joinBody('1')) } : {}),
    });
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const allowed = await ask(page, 'OPTIONS', preflight);
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, POST');
  expect(allowed.headers.get('access-control-max-age')).toBe('600');
  expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type');
  for (const method of ['OPTIONS', 'GET']) {
    const stranger = await ask('https://evil.example', method, preflight);
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  }
  const joined = await ask(page, 'POST');
  expect(joined.headers.get('access-control-expose-headers')).toBe('etag, retry-after');
  expect([joined.status, joined.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  expect((await request(`${url}/api/group/join`, 'OPTIONS')).allow).toBe('OPTIONS, POST');
  const refused = await ask(page, 'POST');
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, page]);
});

test('without a list no page of another origin may ask', async () => {
  const { url } = await started();
  const answer = await fetch(`${url}/api/group/members?id=${survey}`, { headers: { origin: page } });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('invitations are clearly refused', async () => {
  const { url } = await started();
  for (const path of ['encode', 'friends']) {
    const answer = await request(`${url}/api/invite/${path}`, 'POST', { idToken: 'good' });
    expect([answer.status, inner(answer, 'error').shortMessage]).toEqual([
      400,
      'this server makes no invitations',
    ]);
  }
});

test('metrics on a port of their own are not on the API’s', async () => {
  const metricsPort = await freePort();
  const operations = { host: '127.0.0.1', port: metricsPort, health: false };
  const { url } = await started({ operations });
  expect((await request(`${url}/metrics`, 'GET')).status).toBe(404);
  const { body } = await request(`http://127.0.0.1:${metricsPort}/metrics`, 'GET');
  expect(body).toContain('kaiactl_survey_healthy 1');
  expect(body).toContain('kaiactl_survey_joins_total');
  await expect(started({ operations })).rejects.toThrow(`cannot listen on 127.0.0.1:${metricsPort}`);
});

const openssl = (() => {
  try {
    return execFileSync('openssl', ['version'], { stdio: 'pipe' }).toString();
  } catch {
    process.stderr.write('SKIPPED: the survey server over https: openssl is not installed\n');
    return null;
  }
})();

test.skipIf(openssl === null)('https with a certificate from files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const pem = readFileSync(cert, 'utf8');
  const { url } = await started({ tls: { key: readFileSync(key, 'utf8'), cert: pem } });
  expect(url).toMatch(/^https:/);
  const status = await new Promise((resolve, reject) => {
    const asked = https(`${url}/api/group/members?id=${survey}`, { ca: pem }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject).end();
  });
  expect(status).toBe(200);
});
