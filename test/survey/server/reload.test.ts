/** SIGHUP of a server: certificates, price list, credentials and limits are read again, and nothing ends it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackCertificate } from '../../peers/certificate.js';
import { during } from '../../peers/during.js';
import { main } from '../program.js';
import { fakeHost } from './fake-host.js';
import { request, survey } from './support.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-reload-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** `survey serve` with a settings file; `hangUp` sends SIGHUP and resolves with the note that follows. */
async function serving(words: readonly string[], ini: string) {
  const at = folder();
  const config = join(at, 'kaiactl.ini');
  writeFileSync(config, ini);
  const store = ['--store', join(at, 'survey.db'), '--survey', survey, '--log', 'off'];
  const { host, abort, texts, line } = fakeHost([
    'survey',
    'serve',
    '--port',
    '0',
    '--channel-id',
    '1234567890',
    '--config',
    config,
    ...store,
    ...words,
  ]);
  let hangUp = () => undefined as unknown;
  const ended = main({
    ...host,
    onHangup: (reload) => {
      hangUp = reload;
    },
  });
  onTestFinished(async () => {
    abort.abort();
    await ended;
  });
  const [url] = await during(ended, line(/^https?:\S+/m));
  const notes = () => texts.err.match(/^note: (reloaded|nothing).*$/gm) ?? [];
  return {
    url,
    config,
    async hangUp() {
      const before = notes().length;
      hangUp();
      await expect.poll(() => notes().length).toBe(before + 1);
      return notes().at(-1);
    },
  };
}

const done = 'note: reloaded certificate, price list, credentials and limits';

test('limits of the settings file are applied; a wrong file changes nothing', async () => {
  const { url, config, hangUp } = await serving([], '[survey]\nrate-limit = 1\n');
  const ask = async () => (await request(`${url}/api/invite/encode`, 'POST', '{}')).status;
  expect([await ask(), await ask()]).toEqual([400, 429]);
  writeFileSync(config, '[survey]\nrate-limit = 3\n');
  expect(await hangUp()).toBe(done);
  expect([await ask(), await ask()]).toEqual([400, 429]);
  for (const wrong of ['[survey]\nrate-limit = many\n', '[survey]\nrate-limits = 9\n', '[suvey]\n']) {
    writeFileSync(config, wrong);
    expect(await hangUp()).toMatch(/^note: nothing was reloaded: \S/);
  }
  expect(await ask()).toBe(429);
  writeFileSync(config, '');
  expect(await hangUp()).toBe(done);
  expect(await ask()).toBe(400);
});

test('new connections get the new certificate; a certificate of another key is refused', async () => {
  const [first, second] = [loopbackCertificate(), loopbackCertificate()];
  if (first === null || second === null) return;
  onTestFinished(() => [first, second].forEach((one) => void one.remove()));
  const [cert, key] = [join(folder(), 'cert.pem'), join(folder(), 'key.pem')];
  const put = (certificate: Buffer, privateKey: Buffer) => {
    writeFileSync(cert, certificate);
    writeFileSync(key, privateKey, { mode: 0o600 });
  };
  put(first.cert, first.key);
  const { url, hangUp } = await serving(['--tls-cert', cert, '--tls-key', key], '');
  const served = async () => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const before = await served();
  put(second.cert, first.key);
  expect(await hangUp()).toMatch(/nothing was reloaded: .*certificate/);
  expect(await served()).toBe(before);
  put(second.cert, second.key);
  expect(await hangUp()).toBe(done);
  expect(await served()).not.toBe(before);
});
