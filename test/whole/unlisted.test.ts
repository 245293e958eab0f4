/** More than one kind of evidence: what answers though rpc_modules does not list it, and what no release has. */
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { type Simulation, simulateShape } from '../../src/node/simulator/node.js';
import { gateway, type Question } from '../peers/gateway.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';
import { closePeers } from '../peers/scripted.js';
import { quietShape } from '../peers/shape.js';

const running: Simulation[] = [];
afterEach(async () => {
  await closePeers();
  await Promise.all(running.splice(0).map((node) => node.close()));
});

async function nodeWith(...modules: string[]): Promise<string> {
  const { http } = quietShape;
  if (http === null) throw new Error('the quiet shape has http');
  const shape = { ...quietShape, http: { ...http, modules }, ws: null, ipc: null };
  const node = await simulateShape(shape, { freePorts: true });
  running.push(node);
  return node.http ?? '';
}

async function audit(address: string): Promise<{ code: number; target: Report['targets'][number] }> {
  const { code, stdout } = await kaiactl(['node', 'audit', '--format', 'json', address]);
  const [target] = (expectValid(stdout) as Report).targets;
  if (target === undefined) throw new Error('no target');
  return { code, target };
}

const harmless = { eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' };
const fromFile =
  (modules: object) =>
  ({ method, params }: Question): object | null =>
    method === 'rpc_modules' && Array.isArray(params) ? { result: modules } : null;

test('a gateway that answers rpc_modules from a file hides no personal', async () => {
  const node = await nodeWith('eth', 'kaia', 'net', 'web3', 'personal');
  const { address } = await gateway(node, fromFile(harmless));
  const { target } = await audit(address);
  const found = target.findings.find(({ subject }) => subject === 'http personal');
  // The gateway answers any Host, so that pages of strangers reach what is behind it.
  expect(found).toMatchObject({
    rule: 'privileged-module',
    severity: 'critical',
    evidence: { module: 'personal', proven: true, unlisted: true },
  });
  expect(found?.message).toContain('http answers personal, which rpc_modules does not list');
});

test('a gateway that hides debug is asked for the switch too', async () => {
  const { address } = await gateway(await nodeWith('kaia', 'debug'), fromFile({ kaia: '1.0' }));
  const { target } = await audit(address);
  const found = target.findings.find(({ rule }) => rule === 'unsafe-debug');
  expect(found?.evidence).toMatchObject({ switch: 'off' });
});

test('a node that lists every module it answers is clean', async () => {
  const { code, target } = await audit(await nodeWith('eth', 'kaia', 'net', 'web3'));
  expect(target.findings).toEqual([]);
  expect(code).toBe(0);
});

test.each([
  ['unsafedebug', 'critical'],
  ['miner', 'medium'],
  ['evm', 'high'],
  ['kaiaplus', 'medium'],
])('a live %s is a finding', async (module, severity) => {
  const { address } = await gateway(await nodeWith('kaia'), fromFile({ ...harmless, [module]: '1.0' }));
  const { target } = await audit(address);
  expect(target.findings).toContainEqual(
    expect.objectContaining({ rule: 'unknown-module', subject: `http ${module}`, severity }),
  );
});

const isProbe = ({ params }: Question): boolean => !Array.isArray(params);
test.each<[string, (question: Question) => object | null]>([
  ['every probe as absent', (one) => (isProbe(one) ? { error: { code: -32601, message: 'no' } } : null)],
  ['every probe as present', (one) => (isProbe(one) ? { error: { code: -32602, message: 'no' } } : null)],
  ['every probe with a result', (one) => (isProbe(one) ? { result: null } : null)],
  [
    'every probe with an error of its own',
    (one) => (isProbe(one) ? { error: { code: -32000, message: 'no' } } : null),
  ],
])('a gateway that answers %s leaves open what else is offered', async (_, own) => {
  const { address } = await gateway(await nodeWith('eth', 'kaia', 'net', 'web3'), own);
  const { code, target } = await audit(address);
  expect(code).toBe(3);
  expect(target.verdict).toBe('undetermined');
  expect(target.undetermined).toContainEqual(
    expect.objectContaining({ rule: 'privileged-module', about: address.replace(/\/$/, '') }),
  );
});
