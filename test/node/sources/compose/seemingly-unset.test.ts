/** A variable of a compose file that nothing sets, and one that only seems unset, since `.env` is not among the files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { kaiactl } from '../../offline.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-env-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function offered(files: Readonly<Record<string, string>>, more = '') {
  const command = "--http --http.addr=0.0.0.0 '--http.api=${HTTP_API}'";
  const service = `    image: ethereum/client-go:v1.13.15\n    command: ${command}\n    ports: ["8545:8545"]\n${more}`;
  writeFileSync(join(folder, 'compose.yml'), `services:\n  geth:\n${service}`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { stdout } = await kaiactl(['node', 'lint', '--format', 'json', folder]);
  const [target] = (JSON.parse(stdout) as Report).targets;
  const check = target?.checks?.find(({ rule }) => rule === 'everything-offered')?.verdict;
  const open = target?.undetermined.filter(({ rule }) => rule === 'everything-offered');
  return { check, severities: target?.findings.map(({ severity }) => severity), reason: open?.[0]?.reason };
}

test('a variable that no file sets may be empty, and the node then offers everything', async () => {
  expect(await offered({})).toMatchObject({ check: 'fail', severities: ['critical', 'medium'] });
  // A template that does not set the variable shows nothing of it.
  expect(await offered({ '.env.example': 'WS_API=eth\n' })).toMatchObject({ check: 'fail' });
});

test.each(['.env.example', 'env.template', '.env.sample', 'example.env'])(
  'a variable that %s sets is not known while .env is missing',
  async (name) => {
    const { check, reason, severities } = await offered({ [name]: 'HTTP_API=eth,net\n' });
    expect(check).toBe('undetermined');
    expect(severities).not.toContain('critical');
    expect(reason).toBe(`.env is not among the files, and ${name} shows that it may set HTTP_API`);
  },
);

test('a variable is not known where env_file needs a .env that is missing', async () => {
  expect(await offered({}, '    env_file: .env\n')).toMatchObject({ check: 'undetermined' });
});

test('a template is not asked where .env is there', async () => {
  const template = { '.env.example': 'HTTP_API=eth\n' };
  expect(await offered({ ...template, '.env': 'OTHER=1\n' })).toMatchObject({ check: 'fail' });
  expect(await offered({ ...template, '.env': 'HTTP_API=eth\n' })).toMatchObject({ check: 'pass' });
});

test.each([
  ['start.sh', 'geth --http --http.api $API', 'undetermined', undefined],
  ['start.sh', 'geth --http --http.api "$API"', 'fail', /^In releases from geth v1\.10\.20 on: /],
  ['start.sh', 'geth --http --http.api=$API', 'fail', /^In releases from geth v1\.10\.20 on: /],
  ['geth.service', '[Service]\nExecStart=/usr/bin/geth --http --http.api $API', 'undetermined', undefined],
  ['geth.service', '[Service]\nExecStart=/usr/bin/geth --http --http.api ${API}', 'fail', /^In releases /],
])(
  'an empty variable leaves no word behind unless it is quoted or joined: %s, %s',
  async (name, text, verdict, message) => {
    writeFileSync(join(folder, name), name.endsWith('.sh') ? `#!/bin/sh\n${text}\n` : `${text}\n`);
    const { stdout } = await kaiactl(['node', 'lint', '--format', 'json', folder]);
    const [target] = (JSON.parse(stdout) as Report).targets;
    const found = target?.findings.find(({ rule }) => rule === 'everything-offered')?.message;
    expect(target?.checks?.find(({ rule }) => rule === 'everything-offered')?.verdict).toBe(verdict);
    if (message === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(message);
  },
);
