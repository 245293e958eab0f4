/** A kind of node that checks no caller, knows a token and runs methods called with {} is judged and asked by these facts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Report, TargetReport } from '../../../src/node/facts/report.js';
import { reportSchema } from '../../../src/node/report/schema.js';
import { closePeers, httpPeer } from '../../peers/scripted.js';
import { mars } from './mars.js';

let folder: string;
let kaiactl: typeof import('../../peers/run.js').kaiactl;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-mars-'));
  vi.resetModules();
  vi.doMock('../../../src/node/kinds/all.js?sources', () => ({ kinds: [mars] }));
  ({ kaiactl } = await import('../../peers/run.js?sources'));
});
afterEach(closePeers);
afterAll(() => {
  vi.doUnmock('../../../src/node/kinds/all.js?sources');
  vi.resetModules();
  rmSync(folder, { recursive: true });
});

const valid = addFormats.default(new Ajv2020({ allErrors: true })).compile(reportSchema([mars]));

async function targetOf(...words: string[]): Promise<TargetReport> {
  const { stdout, stderr } = await kaiactl(['node', ...words, '--format', 'json'], { cwd: folder });
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as Report;
  valid(report);
  expect(valid.errors).toBeNull();
  return report.targets[0] as TargetReport;
}

const lint = (words: string) => targetOf('lint', '--command-line', `marsd ${words}`);
const idsOf = ({ findings }: TargetReport) => findings.map(({ rule, severity }) => `${severity} ${rule}`);
const saysOf = ({ findings }: TargetReport) =>
  findings.map(({ message, fix }) => `${message} ${fix}`).join('\n');

/** Of geth and Kaia: their programs, flags and checks. */
const ofOthers = /geth|kaia(?!ctl)|klay|--(?:http|ws|rpc|ipc)|vhosts|corsdomain|pprof/i;

test('every module is offered by the word all, to whoever reaches it', async () => {
  const target = await lint('--serve --bind 0.0.0.0 --offer all');
  expect(idsOf(target)).toEqual(['critical privileged-module', 'medium public-bind']);
  expect(saysOf(target)).toContain('without login');
  expect(saysOf(target)).not.toMatch(ofOthers);
});

test('a token lowers the severity, and no text says that there is no login', async () => {
  const target = await lint('--serve --bind 0.0.0.0 --offer all --token t');
  expect(idsOf(target)).toEqual(['medium privileged-module', 'low public-bind']);
  expect(saysOf(target)).toContain('and needs its token');
  expect(saysOf(target)).not.toContain('without login');
  expect(target.interfaces[0]?.declared?.access.login).toBe(true);
});

test.each([
  ['--serve', ['low implicit-modules', 'low wildcard-vhosts']],
  ['--serve --offer chain', ['low wildcard-vhosts']],
  ['--serve --offer all', ['medium privileged-module', 'low wildcard-vhosts']],
  ['--push --offer all --pages https://app.example', ['medium privileged-module', 'low wildcard-origins']],
  ['--serve --offer all --token t', ['info privileged-module']],
  ['--serve --offer chain --token t --cors "*"', ['low wildcard-cors']],
  ['--push --offer chain --pages https://app.example', ['low wildcard-origins']],
])(
  '%s: modules that no setting closes to web pages are judged as every web page reaches them',
  async (words, ids) => {
    const target = await lint(words);
    expect(idsOf(target)).toEqual(ids);
    expect(saysOf(target)).not.toMatch(ofOthers);
    if (!words.includes('token') && ids.some((id) => id.includes('wildcard')))
      expect(saysOf(target)).toContain('no setting changes that');
  },
);

test('an interface without modules is judged by what it serves', async () => {
  const target = await lint('--store 0.0.0.0:9090');
  expect(idsOf(target)).toEqual(['critical public-bind']);
  expect(saysOf(target)).toMatch(
    /whoever reaches it can read the whole store; .*Set --store on the command line to 127\.0\.0\.1:9090/,
  );
  expect(idsOf(await lint('--store 127.0.0.1:9090'))).toEqual([]);
});

test('its own dialect counts the first flag of a name', async () => {
  expect(idsOf(await lint('--serve --offer chain --offer all'))).toEqual(['low wildcard-vhosts']);
});

test('a report says that no node of the kind was seen running', async () => {
  expect(await lint('--serve')).toMatchObject({ kind: 'mars', seenRunning: false });
  const text = await kaiactl(['node', 'lint', '--verbose', '--command-line', 'marsd --serve'], {
    cwd: folder,
  });
  expect(text.stdout).toContain('Mars node: facts read from the source, not seen running');
  expect((await kaiactl(['node', 'explain'])).stdout).toContain('not seen running: Mars node');
});

/** Answers as such a node; `asked` gets the method and the parameters of each request. */
function marsNode(client: string, asked: string[]) {
  return httpPeer((_request, response, body) => {
    const { id, method, params } = JSON.parse(body || '{}');
    asked.push(`${method} ${JSON.stringify(params)}`);
    const results: Record<string, unknown> = {
      rpc_modules: { chain: '1.0', rpc: '1.0', web3: '1.0' },
      web3_clientVersion: client,
    };
    const refused = { code: method === 'vault_lockOf' ? -32602 : -32601, message: 'no' };
    const answer = Object.hasOwn(results, method) ? { result: results[method] } : { error: refused };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
}

test('a client that names itself is asked for a method without its parameter, and gets no {}', async () => {
  const asked: string[] = [];
  const { address } = await marsNode('mars/v1', asked);
  const target = await targetOf('audit', address);
  const methods = asked
    .map((one) => one.replace(/_[0-9a-f]{16}/, '_…'))
    .filter((one) => !/^undefined/.test(one));
  expect([...new Set(methods)]).toEqual([
    'rpc_modules []',
    'web3_clientVersion []',
    'kaiactl_… []',
    'vault_lockOf []',
  ]);
  expect(target).toMatchObject({ kind: 'mars', kindBy: 'answer' });
  expect(target.findings).toContainEqual(
    expect.objectContaining({
      rule: 'privileged-module',
      evidence: expect.objectContaining({ unlisted: true }),
    }),
  );
  expect(saysOf(target)).not.toMatch(ofOthers);
});
