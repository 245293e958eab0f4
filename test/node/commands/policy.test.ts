import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parsePolicy as parse, policyText } from '../../../src/node/commands/policy-file.js';
import type { Policy } from '../../../src/node/facts/policy.js';
import { seen } from '../../../src/node/facts/seen.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { policies } from '../../../src/node/kinds/kaia/policies.js';
import { run } from '../../cli/run.js';
import { expectValid } from '../../peers/report.js';
import { withNode } from '../../peers/shape.js';
import { readConf } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

const parsePolicy = (file: string, text: string) => parse(file, text, kinds);

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

test.each([
  ['geth --http --http.api eth,debug', 'eth, net, web3 and txpool;'],
  ['reth node --http --http.api eth,debug', 'eth, net, web3, txpool and ots;'],
  ['erigon --http.api eth,debug', 'eth, net, web3, txpool, erigon and ots;'],
])('%s: a policy of several kinds names the modules that this kind has', async (words, allowed) => {
  const { out } = await run([
    'node',
    'lint',
    '--command-line',
    words,
    '--policy',
    'rpc-node',
    '--format',
    'json',
  ]);
  const messages = expectValid(out).targets.flatMap(({ findings }) => findings.map(({ message }) => message));
  expect(messages).toContainEqual(expect.stringContaining(`http offers debug; allowed are ${allowed}`));
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
    ['loose = 1\n', 'p.ini:1: loose is outside a section'],
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

describe('a policy that is made', () => {
  const made = async (from: string, ...words: string[]) => {
    const ran = await run(['node', 'policy', 'make', '--from', from, ...words], { cwd: folder });
    return { ...ran, policy: ran.code === 0 ? parsePolicy('made.ini', ran.out) : null };
  };
  const own = (value: unknown) => ({ value, says: null });

  test('of several nodes says so', async () => {
    const starts = 'geth --http\ngeth --ws\n';
    writeFileSync(join(folder, 'two.sh'), `#!/bin/sh\n${starts}`);
    const { out, err } = await made('two.sh');
    const said = 'it allows whatever any of these 2 nodes offers';
    expect([out, err]).toEqual([expect.stringContaining(said), `kaiactl: ${said}\n`]);
  });

  test.each<[string, string, object]>([
    [
      'http alone',
      http,
      {
        http: {
          modules: own(['eth', 'net']),
          reach: own('loopback'),
          origins: own('listed'),
          hosts: own('listed'),
        },
        ws: { open: own(false) },
        grpc: { open: own(false) },
        metrics: { open: own(false) },
      },
    ],
    [
      'any origin and Host name',
      `${http}RPC_CORSDOMAIN="*"\nRPC_VHOSTS="*"\nRPC_ADDR=10.0.0.5\n`,
      {
        http: { modules: own(['eth', 'net']), reach: own('private'), origins: own('any'), hosts: own('any') },
      },
    ],
    [
      'debug with its switch off',
      'RPC_ENABLE=1\nRPC_API="net,debug"\n',
      {
        http: expect.objectContaining({ modules: own(['debug', 'net']), 'unsafe-debug': own('any') }),
      },
    ],
    [
      'debug with its switch on',
      'RPC_ENABLE=1\nRPC_API="debug"\nADDITIONAL=--rpc.unsafe-debug.disable\n',
      {
        http: expect.objectContaining({ 'unsafe-debug': own('disabled') }),
      },
    ],
    [
      'ws',
      'RPC_ENABLE=0\nWS_ENABLE=1\nWS_API="net"\nWS_ORIGINS="*"\n',
      {
        http: { open: own(false) },
        ws: { modules: own(['net']), reach: own('loopback'), origins: own('any') },
      },
    ],
    ['metrics', 'RPC_ENABLE=0\nMETRICS=1\nPROMETHEUS=1\n', { metrics: { reach: own('any') } }],
    [
      'gRPC',
      'RPC_ENABLE=0\nADDITIONAL=--grpc\n',
      { grpc: expect.objectContaining({ modules: expect.anything(), reach: own('loopback') }) },
    ],
  ])('has the limits of its source: %s', async (_, text, interfaces) => {
    writeFileSync(join(folder, 'kend.conf'), base + text);
    const { policy } = await made('kend.conf');
    expect(policy).toMatchObject({ name: 'own', version: 1, about: '' });
    for (const [name, clause] of Object.entries(interfaces))
      expect([name, policy?.interfaces[name as 'http']]).toEqual([name, clause]);
    expect(policy?.interfaces).not.toHaveProperty('ipc');
  });

  test('is that of a node that answers', async () => {
    await withNode(
      (shape) => ({ ...shape, ws: null, ipc: null }),
      async (node) => {
        const { policy, out } = await made(node.http ?? '');
        expect(policy?.interfaces.http).toEqual({
          modules: own(['eth', 'kaia', 'net', 'web3']),
          reach: own('loopback'),
          origins: own('listed'),
          hosts: own('listed'),
        });
        expect(out).toMatch(/^; Limits of a node, made from http:\S+ on 2026-02-11\.$/m);
      },
    );
  });

  test('says what was not seen in its notes and on stderr, once, unless --quiet is given', async () => {
    writeFileSync(join(folder, 'kend.conf'), `${base}${http}WS_ENABLE=1\nWS_API=$(cat list)\n`);
    const { out, err } = await made('kend.conf');
    const said = err.split('\n').flatMap((line) => /^kaiactl: not seen: (.*)$/.exec(line)?.[1] ?? []);
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said).size).toBe(said.length);
    for (const one of said) expect(out).toContain(`; Not seen, and so not allowed: ${one}\n`);
    expect((await made('kend.conf', '--quiet')).err).toBe('');
    writeFileSync(join(folder, 'kend.conf'), base + http);
    expect((await made('kend.conf')).err).toBe('');
  });

  test('needs a source that can be read', async () => {
    expect(await run(['node', 'policy', 'make'])).toMatchObject({
      code: 2,
      err: 'kaiactl: policy make needs --from\n  kaiactl node policy make --from kend.conf (or an endpoint, or a saved report)\n',
    });
    expect((await run(['node', 'policy', 'make', 'x', '--from', 'kend.conf'])).err).toContain(
      'policy make needs --from',
    );
    const missing = await made('none.conf');
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining('cannot read none.conf: there is no such file'),
    ]);
    writeFileSync(join(folder, 'other.json'), ' {"a":1}');
    expect((await made('other.json')).err).toContain('other.json is not a kaiactl report');
    const unseen = await made('ipc:/nowhere/klay.ipc');
    expect(unseen.err).toMatch(/^kaiactl: nothing of ipc:\/nowhere\/klay\.ipc was seen: \S/);
  });
});

test('check prints a policy as a file that reads the same, and its own comments', async () => {
  const { code, out } = await run(['node', 'policy', 'check', 'validator']);
  expect(code).toBe(0);
  expect(out).toBe(policyText(policies.validator as Policy, []));
  expect(out).toMatch(/^\[policy\]\nname = validator\nversion = \d+\nabout = /);
});

test.each([
  [
    '[policy]\nname = own\nversion = 1\nauthor = x\n',
    'p.ini:4 [policy] author: there is no such key',
    'There are name, version, about.',
  ],
  [
    '[policy]\nname = own\nversion = 1\nabot = x\n',
    'p.ini:4 [policy] abot: there is no such key',
    'Did you mean about?',
  ],
  ['[policy]\nname =\nversion = 1\n', 'p.ini:2 [policy] name: a policy needs one', ''],
  ['[policy]\nversion = 1\n', 'p.ini [policy] name: a policy needs one', ''],
  [
    '[policy]\nname = own\nversion = 0\n',
    'p.ini:3 [policy] version is not a number from 1',
    'Write version = 1',
  ],
  ['[policy]\nname = own\nversion = 1000000\n', 'version is not a number from 1', ''],
  [
    '[policy]\nname = own\nversion = 1\n[http]\nopen = maybe\n',
    'p.ini:5 [http] open: “maybe” is not one of yes, no',
    '',
  ],
  [
    '[policy]\nname = own\nversion = 1\n[xyzzy]\n',
    'p.ini:4 [xyzzy] xyzzy: there is no such interface',
    'There are http, ',
  ],
  [
    '[policy]\nname = own\nversion = 1\n[http]\nmodules = xyzzyplugh\n',
    'there is no module xyzzyplugh',
    'There are ',
  ],
])('the policy %j is refused: %s', (text, message, hint) => {
  expect(() => parsePolicy('p.ini', text)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      ...(hint === '' ? {} : { hint: expect.stringContaining(hint) }),
    }),
  );
});

test('modules of a policy have their current names, each once', () => {
  const { interfaces } = parsePolicy(
    'p.ini',
    '[policy]\nname = a\nversion = 999999\n[http]\nmodules = eth, klay  kaia,eth\nopen = yes\n',
  );
  expect(interfaces).toEqual({
    http: { modules: { value: ['eth', 'kaia'], says: null }, open: { value: true, says: null } },
  });
  expect(policyText({ name: 'a', version: 1, about: '', interfaces } as Policy, ['first\u001b'])).toMatch(
    /^; first\\u\{1b\}\n\[policy\]\nname = a\nversion = 1\n\n\[http\]\n(?:; .*\n)+open = yes\n(?:; .*\n)+modules = eth, kaia\n$/,
  );
});
