import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parsePolicy, policyText } from '../../../src/node/commands/policy-file.js';
import type { Policy } from '../../../src/node/facts/policy.js';
import { seen } from '../../../src/node/facts/seen.js';
import { policies } from '../../../src/node/kinds/kaia/policies.js';
import { judgeTarget } from '../../../src/node/pipeline.js';
import { readConf } from '../../../src/node/read-conf.js';
import { run } from '../../cli/run.js';
import { expectValid } from '../../peers/report.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-policy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const base = 'NETWORK="mainnet"\nDATA_DIR=/srv/kend\n';

function violations(text: string, role: string | null, policy?: Policy): string[] {
  const conf = seen(readConf('kend.conf', Buffer.from(base + text), { launcher: 'kend', package: 'tar' }));
  const facts = { name: 'en-1', role, conf, live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
  const report = judgeTarget(facts, { failOn: 'high', ...(policy === undefined ? {} : { policy }) });
  const found = report.findings
    .filter(({ rule }) => rule === 'policy-violation')
    .map(({ subject }) => subject);
  const open = report.undetermined.filter(({ rule }) => rule === 'policy-violation');
  return [...found, ...open.map(({ about }) => `? ${about}`)];
}

const http = 'RPC_ENABLE=1\nRPC_API="eth,net"\n';

describe('by role', () => {
  test.each([
    ['validator', 'RPC_ENABLE=0\nWS_ENABLE=0\n', []],
    ['validator', http, ['http open']],
    ['validator', `${http}WS_ENABLE=1\nWS_API="net"\n`, ['http open', 'ws open']],
    ['proxy-node', http, ['http open']],
    ['bootnode', http, ['http open']],
    ['public-en', `${http}RPC_ADDR=0.0.0.0\nRPC_CORSDOMAIN="*"\n`, []],
    ['public-en', 'RPC_ENABLE=1\nRPC_API="eth,klay,personal,debug"\n', ['http debug', 'http personal']],
    ['archive-en', 'RPC_ENABLE=1\nRPC_API="eth,debug"\n', ['http unsafe-debug']],
    ['archive-en', 'RPC_ENABLE=1\nRPC_API="eth,debug"\nADDITIONAL="--rpc.unsafe-debug.disable"\n', []],
    ['internal-en', `${http}RPC_ADDR=10.0.0.5\n`, []],
    [
      'internal-en',
      `${http}RPC_ADDR=0.0.0.0\nRPC_CORSDOMAIN="*"\nRPC_VHOSTS="*"\n`,
      ['http hosts', 'http origins', 'http reach'],
    ],
    ['public-en', 'METRICS=1\nPROMETHEUS=1\n', ['metrics reach']],
    ['validator', 'RPC_ENABLE=$(cat on)\nWS_ENABLE=0\n', ['? http']],
    ['an archive', 'RPC_ENABLE=1\nRPC_API="personal"\n', []],
    [null, 'RPC_ENABLE=1\nRPC_API="personal"\n', []],
  ])('%s: %j', (role, text, found) => {
    expect(violations(text, role).sort()).toEqual([...found].sort());
  });

  test('a named policy overrides the policy of the role', () => {
    expect(violations(http, 'validator', policies['public-en'])).toEqual([]);
  });

  test('the finding quotes the guide, and the report names its policy', async () => {
    writeFileSync(join(folder, 'kcnd.conf'), base + http);
    const { out, code } = await run(
      ['node', 'lint', 'kcnd.conf', '--policy', 'validator', '--format', 'json'],
      {
        cwd: folder,
      },
    );
    const [target] = expectValid(out).targets;
    expect(code).toBe(1);
    expect(target?.policy).toEqual({ name: 'validator', version: 1 });
    expect(target?.findings.find(({ rule }) => rule === 'policy-violation')).toMatchObject({
      subject: 'http open',
      at: { file: 'kcnd.conf', line: 3 },
      message: expect.stringContaining('A compromised CN can create malicious blocks'),
    });
  });
});

describe('files', () => {
  test.each(Object.values(policies))('$name survives being written and read', (policy) => {
    const read = parsePolicy('p.ini', policyText(policy, []));
    const { kinds, ...plain } = JSON.parse(
      JSON.stringify(policy, (key, value) => (key === 'says' ? null : value)),
    );
    expect(read).toEqual(plain);
    expect(kinds).toEqual(['kaia']);
  });

  test.each(Object.values(policies))('$name: every limit has its sentence', ({ interfaces }) => {
    for (const clause of Object.values(interfaces))
      for (const { says } of Object.values(clause)) expect(says?.from).toMatch(/^https:\/\/docs\.kaia\.io\//);
  });

  const head = '[policy]\nname = own\nversion = 1\n';
  test.each([
    ['[http]\nmodules = eth\n', 'p.ini is not a policy: it has no section [policy]'],
    ['loose = 1\n', 'p.ini: loose is outside a section'],
    [
      `${head}[htpp]\nmodules = eth\n`,
      'p.ini:4 [htpp] htpp: there is no such interface\n  Did you mean http?',
    ],
    [`${head}[http]\nmoduls = eth\n`, 'p.ini:5 [http] moduls: there is no such key\n  Did you mean modules?'],
    [
      `${head}[http]\nmodules = eth, persnal\n`,
      'p.ini:5 [http] modules: there is no module persnal\n  Did you mean personal?',
    ],
    [
      `${head}[http]\nreach = world\n`,
      'p.ini:5 [http] reach: “world” is not one of ipc, loopback, private, any',
    ],
    ['[policy]\nname = own\nversion = new\n', 'p.ini:3 [policy] version is not a number from 1'],
  ])('%j is refused', async (text, sentence) => {
    writeFileSync(join(folder, 'p.ini'), text);
    writeFileSync(join(folder, 'kend.conf'), base + http);
    const ran = await run(['node', 'lint', 'kend.conf', '--policy', 'p.ini'], { cwd: folder });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(sentence);
    expect((await run(['node', 'policy', 'check', 'p.ini'], { cwd: folder })).code).toBe(2);
  });

  test('a name that is nearly a built-in one is understood', async () => {
    const { code, err } = await run(['node', 'policy', 'check', 'pubic-en'], { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining('Did you mean public-en?')]);
  });
});

describe('make', () => {
  const open = `${base}${http}RPC_ADDR=0.0.0.0\nRPC_CORSDOMAIN="*"\n`;
  const make = async (from: string) => {
    const made = await run(['node', 'policy', 'make', '--from', from, '--name', 'mine'], { cwd: folder });
    expect(made.code).toBe(0);
    writeFileSync(join(folder, 'made.ini'), made.out);
    return parsePolicy('made.ini', made.out);
  };
  const judged = async (...words: string[]) => {
    const { out } = await run(['node', ...words, '--policy', 'made.ini', '--format', 'json'], {
      cwd: folder,
    });
    const found = expectValid(out).targets.flatMap(({ findings }) => findings);
    return found.filter(({ rule }) => rule === 'policy-violation').map(({ subject }) => subject);
  };

  test('a policy passes for its source, and fails after one module is added', async () => {
    writeFileSync(join(folder, 'kend.conf'), open);
    expect((await make('kend.conf')).interfaces.http).toMatchObject({
      modules: { value: ['eth', 'net'] },
      reach: { value: 'any' },
      origins: { value: 'any' },
      hosts: { value: 'listed' },
    });
    expect(await judged('lint', 'kend.conf')).toEqual([]);
    writeFileSync(join(folder, 'kend.conf'), open.replace('eth,net', 'eth,net,txpool'));
    expect(await judged('lint', 'kend.conf')).toEqual(['http txpool']);
    writeFileSync(join(folder, 'kend.conf'), open.replace('eth,net', 'eth'));
    expect(await judged('lint', 'kend.conf')).toEqual([]);
  });

  test('a policy is made from a saved report of a live node', async () => {
    writeFileSync(join(folder, 'kend.conf'), open);
    const audit = ['node', 'audit', 'kend.conf', '--simulate'];
    await run([...audit, '--report', 'json=audit.json', '--exit-zero'], { cwd: folder });
    const { interfaces } = await make('audit.json');
    expect(interfaces.http?.modules?.value).toEqual(['eth', 'net']);
    expect(interfaces.ws).toEqual({ open: { value: false, says: null } });
    expect(await judged(...audit.slice(1))).toEqual([]);
  });

  test('no policy is made when nothing was seen', async () => {
    const { code, out } = await run(['node', 'policy', 'make', '--from', 'ipc:/nowhere/klay.ipc'], {
      cwd: folder,
    });
    expect([code, out]).toEqual([3, '']);
  });
});

describe('list', () => {
  test('names every built-in policy', async () => {
    const { code, out } = await run(['node', 'policy', 'list']);
    expect([code, out.match(/^\S+/gm)]).toEqual([0, expect.arrayContaining(Object.keys(policies))]);
  });

  test.each([
    [['list', 'own.ini'], 'kaiactl node policy check own.ini prints a policy.'],
    [['list', '--from', 'kend.conf'], '--from is an option of make'],
    [['check', '--from', 'kend.conf'], '--from is an option of make'],
    [['check'], 'a name that kaiactl node policy list prints'],
  ])('%j is refused with the next step', async (words, hint) => {
    expect(await run(['node', 'policy', ...words])).toMatchObject({
      code: 2,
      err: expect.stringContaining(hint),
    });
  });
});
