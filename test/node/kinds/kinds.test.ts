/** A kind of node is one object: a made-up one is read, judged and asked, and nothing outside `kinds/` names a kind. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Report, TargetReport } from '../../../src/node/facts/report.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { foreignNode } from '../../peers/foreign.js';
import { jsonrpseeNode } from '../../peers/jsonrpsee.js';
import { closePeers } from '../../peers/scripted.js';
import { moon } from './moon.js';
import { saturn } from './saturn.js';

let folder: string;
let kaiactl: typeof import('../../peers/run.js').kaiactl;
let valid: ValidateFunction;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-kinds-'));
  vi.resetModules();
  vi.doMock('../../../src/node/kinds/all.js?sources', () => ({ kinds: [kaia, moon, saturn] }));
  ({ kaiactl } = await import('../../peers/run.js?sources'));
  const { reportSchema } = await import('../../../src/node/report/schema.js');
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  valid = ajv.compile(reportSchema([kaia, moon, saturn]));
});
afterEach(closePeers);
afterAll(() => {
  vi.doUnmock('../../../src/node/kinds/all.js?sources');
  vi.resetModules();
  rmSync(folder, { recursive: true });
});

/** The report on one target, which has to match the schema. */
async function targetOf(...words: string[]): Promise<TargetReport> {
  const { stdout, stderr } = await kaiactl(['node', ...words, '--format', 'json'], { cwd: folder });
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as Report;
  valid(report);
  expect(valid.errors).toBeNull();
  const [target] = report.targets;
  return target as TargetReport;
}

const kaias = /kaia(?!ctl)|klay|\bk(?:en|cn|pn|scn|spn|sen|bn)d?\b|\b(?:RPC|WS)_[A-Z]+|ADDITIONAL|launcher/i;

/** What a user reads of the findings. */
function sentencesOf({ findings, undetermined, notLookedAt = [] }: TargetReport): string[] {
  return [
    ...findings.flatMap(({ message, fix, subject, title }) => [message, fix, subject, title]),
    ...undetermined.map(({ reason }) => reason),
    ...notLookedAt,
  ];
}

describe('a made-up kind', () => {
  const files = {
    'start.sh': "#!/bin/sh\nexec moond --serve --bind 0.0.0.0 --offer ''\n",
    'moond.service': '[Service]\nExecStart=/usr/bin/moond --serve --bind=0.0.0.0 --offer=\n',
    'compose.yml':
      'services:\n  moon:\n    image: example/moond:1\n    network_mode: host\n    command: [--serve, --bind=0.0.0.0, --offer=]\n',
    'moon.env': 'MOON_SERVE=true\nMOON_BIND=0.0.0.0\nMOON_OFFER=\n',
  };

  test.each(Object.entries(files))(
    'is read of %s, where its empty list offers everything',
    async (name, text) => {
      writeFileSync(join(folder, name), text);
      const target = await targetOf('lint', name);
      expect(target).toMatchObject({ kind: 'moon', kindBy: 'settings', verdict: 'fail' });
      expect(target.findings.map(({ rule, severity }) => `${severity} ${rule}`)).toContain(
        'critical privileged-module',
      );
      const sentences = sentencesOf(target);
      expect(sentences.join('\n')).toMatch(/offers vault: .* open the vault/);
      expect(sentences.join('\n')).toMatch(/--offer|MOON_OFFER/);
      expect(sentences.filter((one) => kaias.test(one))).toEqual([]);
    },
  );

  test('reports a flag that none of its own releases has', async () => {
    const target = await targetOf('lint', '--command-line', 'moond --serve --offr chain');
    expect(target.findings.map(({ rule, fix }) => [rule, fix])).toEqual([
      ['unknown-flag', expect.stringContaining('--offer')],
    ]);
  });

  test('has its profiler judged by its own flags', async () => {
    const target = await targetOf('lint', '--command-line', 'moond --profile --profilebind 0.0.0.0');
    const sentences = sentencesOf(target);
    expect(target.findings.map(({ rule }) => rule)).toEqual(['open-profiler']);
    expect(sentences.join('\n')).toMatch(/--profile\b/);
    expect(sentences.filter((one) => kaias.test(one))).toEqual([]);
  });

  test('passes when its list keeps the dangerous module out', async () => {
    const target = await targetOf('lint', '--command-line', 'moond --serve --offer chain');
    expect(target).toMatchObject({ findings: [], undetermined: [], verdict: 'pass' });
  });

  test('is named by its program in texts, since no package has it', async () => {
    const { stdout } = await kaiactl(['node', 'lint', '--command-line', 'moond --serve'], { cwd: folder });
    expect(stdout.split('\n')[0]).toContain(' · moond · ');
  });

  test('has the settings of its own program', async () => {
    const { stdout } = await kaiactl(['node', 'settings', 'start.sh'], { cwd: folder });
    expect(stdout).toMatch(/^bind +0\.0\.0\.0 +command line /m);
    expect(stdout).toMatch(/^moond --serve --bind 0\.0\.0\.0 --offer/m);
    expect(stdout).not.toMatch(kaias);
  });

  test('has no flag for an interface that answers although its nodes do not have it', async () => {
    const { peer } = await foreignNode('ws', {
      client: 'Moon/v1',
      modules: ['chain', 'rpc', 'vault'],
      withObject: 'refused',
    });
    writeFileSync(join(folder, 'ws.env'), 'MOON_SERVE=true\nMOON_OFFER=chain\n');
    writeFileSync(join(folder, 'fleet.ini'), `[moon]\nconf = ws.env\nws = ${peer.address}\n`);
    const { drift } = await targetOf('audit', '--inventory', 'fleet.ini');
    expect(drift).toContainEqual({ setting: 'ws', conf: 'off', process: null, node: 'open', note: null });
  });

  test('has null, not an empty name, for a flag that its nodes lack', () => {
    const { http, ws } = moon.interfaces.flags;
    expect(new Set(Object.values(ws))).toEqual(new Set([null]));
    expect(http).toMatchObject({ enable: 'serve', port: null, vhosts: null });
    const values = moon.flags.of('moond').defaults;
    const listeners = moon.listeners({
      dialect: moon.dialect,
      launcher: 'moond',
      values,
      words: [],
      locate: () => null,
    });
    expect(listeners.map(({ kind, state, decidedBy }) => [kind, state, decidedBy])).toEqual([
      ['http', 'off', ['serve', 'bind', 'offer']],
      ['ws', 'off', []],
      ['pprof', 'off', ['profile', 'profilebind']],
    ]);
  });

  test('is recognised by its answers', async () => {
    const { peer, violations } = await foreignNode('http', {
      client: 'Moon/v1',
      modules: ['chain', 'rpc', 'vault'],
      withObject: 'refused',
    });
    const target = await targetOf('audit', peer.address);
    expect(violations).toEqual([]);
    expect(target).toMatchObject({ kind: 'moon', kindBy: 'answer' });
    expect(target.findings.map(({ rule, subject }) => `${rule} ${subject}`)).toContain(
      'privileged-module http vault',
    );
    expect(sentencesOf(target).filter((one) => kaias.test(one))).toEqual([]);
  });
});

describe('a made-up kind that runs methods called with {}', () => {
  const client = 'saturn/v1.0.0-0a1b2c3d/x86_64-unknown-linux-gnu';

  test('is asked for its hidden modules without {}, which are judged', async () => {
    const modules = ['debug', 'eth', 'net', 'trace', 'web3'];
    const { peer, withObject } = await jsonrpseeNode('http', { client, modules });
    const target = await targetOf('audit', peer.address);
    expect(withObject).toEqual([]);
    expect(target).toMatchObject({ kind: 'saturn', kindBy: 'answer' });
    const found = target.findings.filter(({ rule }) => rule === 'privileged-module');
    expect(found.map(({ subject }) => subject)).toEqual(['http debug']);
    expect(found[0]?.message).toMatch(/^http offers debug: .* rewind the chain/);
    const sentences = sentencesOf(target).filter((one) => !one.startsWith('rpc_modules answered'));
    expect(sentences.filter((one) => kaias.test(one))).toEqual([]);
  });

  test('has nothing left open where it lists its modules', async () => {
    const { peer, withObject } = await jsonrpseeNode('http', {
      client,
      modules: ['eth', 'net', 'rpc', 'web3'],
    });
    const target = await targetOf('audit', peer.address);
    expect(withObject).toEqual([]);
    expect(target.findings.map(({ rule }) => rule)).not.toContain('privileged-module');
    expect(target.undetermined.filter(({ rule }) => rule === 'privileged-module')).toEqual([]);
  });

  test('has its probes in the plan', async () => {
    const { stdout } = await kaiactl(['node', 'audit', '--plan', 'http://127.0.0.1:8545'], { cwd: folder });
    expect(stdout).toContain('kaiactl_<16 hex digits> []               if saturn');
    expect(stdout).toMatch(/^ {2}rpc_modules \{\} +if kaia or moon$/m);
    expect(stdout).toMatch(/^ {2}debug_getRawHeader \[\] +if saturn: debug is not listed$/m);
  });
});

/** In code: comments, and the examples of rules and the documents that they cite, may. */
test('the code of sources, judge, probe, report and jsonrpc names no kind', () => {
  const root = new URL('../../../src/', import.meta.url).pathname;
  const { launchers, probes, programs } = kaia;
  const names = [kaia.id, 'klaytn', 'klay', ...programs, ...(launchers?.names ?? [])];
  const settings = [...(launchers?.knownVariables ?? []).filter((name) => name.includes('_')), 'ADDITIONAL'];
  const flag = probes.unsafeDebug?.flag.replaceAll('.', '\\.');
  const word = new RegExp(
    `(?<![a-z])(?:${names.join('|')})(?![a-z])|\\b(?:${settings.join('|')}|${flag})\\b|\\b(?:KLAYTN|KAIA)_`,
    'i',
  );
  const found = [
    'node/facts',
    'node/sources',
    'node/judge',
    'node/probe',
    'node/report',
    'jsonrpc',
    'node/fix',
  ]
    .flatMap((area) =>
      readdirSync(join(root, area), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/^rule\/(?:rule|examples)\.ts$/.test(name))
        .map((name) => join(area, name)),
    )
    .flatMap((name) => {
      const code = readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
      return code
        .split('\n')
        .filter((line) => word.test(line))
        .map((line) => `src/${name}: ${line.trim()}`);
    });
  expect(found).toEqual([]);
});
