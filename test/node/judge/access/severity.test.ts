/** What findings are worth: by what is offered and who reaches it. */
import { expect, test } from 'vitest';
import type { EndpointFacts, LiveFacts } from '../../../../src/node/facts/live.js';
import { seen } from '../../../../src/node/facts/seen.js';
import { badNode } from '../../../../src/node/judge/rule/examples.js';
import type { Launcher } from '../../../../src/node/kinds/kaia/names.js';
import { exampleFacts, readConf } from '../../editables.js';
import { judgeTarget } from '../../pipeline.js';

const base = 'NETWORK="mainnet"\nDATA_DIR=/srv/kend\n';

/** A process started with these words. */
function findingsOf(lines: readonly string[], change?: Partial<EndpointFacts>, live?: Partial<LiveFacts>) {
  const facts = exampleFacts({ conf: `${lines.join('\n')}\n${base}` });
  const settings = facts.conf?.state === 'seen' ? facts.conf.value.settings : undefined;
  const node = change === undefined ? null : badNode('', change, settings, live);
  const shown = node !== null && 'facts' in node ? node.facts.live : null;
  return judgeTarget({ ...facts, live: shown }, { failOn: 'high' }).findings;
}

/** `severity rule subject`, most severe first. */
function judged(lines: readonly string[], change?: Partial<EndpointFacts>): string[] {
  return findingsOf(lines, change).map(({ severity, rule, subject }) => `${severity} ${rule} ${subject}`);
}

const http = (addr: string, api: string) => ['RPC_ENABLE=1', `RPC_ADDR=${addr}`, `RPC_API="${api}"`];

test.each([
  ['RPC_CORSDOMAIN', '*', 'wildcard-cors'],
  ['RPC_CORSDOMAIN', 'null', 'wildcard-cors'],
  ['RPC_CORSDOMAIN', '*example.com', 'wildcard-cors'],
  ['RPC_CORSDOMAIN', 'https://*.com', 'wildcard-cors'],
  ['RPC_VHOSTS', '*', 'wildcard-vhosts'],
])('severity follows from the modules that %s=%s exposes', (variable, value, rule) => {
  const line = `${variable}="${value}"`;
  expect(judged([...http('0.0.0.0', 'klay,personal'), line])).toContain(`low ${rule} ${variable}`);
  expect(judged([...http('127.0.0.1', 'klay,eth'), line])).toEqual([`medium ${rule} ${variable}`]);
  expect(judged([...http('127.0.0.1', 'klay,txpool'), line])).toContain(`medium ${rule} ${variable}`);
  expect(judged([...http('10.0.0.5', 'klay,debug'), line])).toEqual(
    expect.arrayContaining([`critical ${rule} ${variable}`, 'critical unsafe-debug http debug']),
  );
  const personal = judged([...http('127.0.0.1', 'klay,personal'), line]);
  expect(personal).toContain(`critical ${rule} ${variable}`);
  expect(personal).toContain('critical privileged-module http personal');
});

test('with the unsafe-debug switch on, severity follows from the methods that stay reachable for pages', () => {
  const additional = 'ADDITIONAL="--rpc.unsafe-debug.disable"';
  expect(judged([...http('127.0.0.1', 'klay,debug'), 'RPC_CORSDOMAIN="*"', additional])).toEqual(
    expect.arrayContaining(['medium wildcard-cors RPC_CORSDOMAIN', 'medium unsafe-debug http debug']),
  );
});

test('an unlocked account makes access for web pages critical', () => {
  const unlock = 'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7 --password /etc/pw"';
  expect(judged([...http('127.0.0.1', 'klay'), 'RPC_CORSDOMAIN="*"', unlock])).toContain(
    'critical wildcard-cors RPC_CORSDOMAIN',
  );
});

test('severity follows from the modules that ws origins expose', () => {
  const ws = (addr: string, origins: string) =>
    judged(['WS_ENABLE=1', `WS_ADDR=${addr}`, 'WS_API="klay,personal"', `WS_ORIGINS="${origins}"`]);
  expect(ws('0.0.0.0', '*')).toContain('low wildcard-origins WS_ORIGINS');
  expect(ws('127.0.0.1', '*')).toContain('critical wildcard-origins WS_ORIGINS');
  expect(ws('127.0.0.1', 'null')).toContain('critical wildcard-origins WS_ORIGINS');
  expect(ws('127.0.0.1', 'https://*.example.com')).toContain('low unmatchable-entry WS_ORIGINS');
});

test('the severity of an access check that a live node proved open follows from the modules behind it', () => {
  const open: Partial<EndpointFacts> = { foreignOrigin: seen('open') };
  expect(judged(http('127.0.0.1', 'klay,eth,net,web3'), open)).toContain(
    'medium wildcard-cors RPC_CORSDOMAIN',
  );
  const personal = { ...open, modules: seen({ eth: '1.0', kaia: '1.0', personal: '1.0' }) };
  expect(judged(http('127.0.0.1', 'klay,eth,net,web3'), personal)).toContain(
    'critical wildcard-cors RPC_CORSDOMAIN',
  );
  expect(judged(http('0.0.0.0', 'klay,eth,net,web3'), open)).toContain('low wildcard-cors RPC_CORSDOMAIN');
});

test('a module that is listed and shown not to be offered is latent, not offered', () => {
  const lines = http('0.0.0.0', 'klay,eth,net,web3,personal,debug');
  expect(judged(lines)).toContain('critical privileged-module http personal');
  const quiet = judged(lines, {});
  expect(quiet).toContain('medium latent-module http personal');
  expect(quiet).toContain('medium latent-module http debug');
  expect(quiet.filter((one) => /privileged-module|unsafe-debug|missing-module/.test(one))).toEqual([]);
});

test('a module that its switch keeps away is latent', () => {
  const facts = exampleFacts({
    conf: `RPC_ENABLE=1\nRPC_ADDR=127.0.0.1\nRPC_API="klay,subbridge"\nSC_SUB_BRIDGE=0\nDATA_DIR=/srv/kscnd\n`,
    launcher: 'kscnd',
  });
  const { findings } = judgeTarget(facts, { failOn: 'high' });
  expect(findings.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(['low latent-module']);
  expect(findings[0]?.message).toContain('SC_SUB_BRIDGE is 1');
});

function governance(path: string, options: { launcher?: Launcher }, role: string | null): string | undefined {
  const text = `RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API="klay,governance,auction"\n${base}`;
  const conf = readConf(path, Buffer.from(text), options);
  const facts = { name: path, role, conf: seen(conf), live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
  const { findings } = judgeTarget(facts, { failOn: 'high' });
  return findings.find(({ rule, subject }) => rule === 'privileged-module' && subject === 'http governance')
    ?.severity;
}

test.each<[string, Launcher | undefined, string | null, string]>([
  ['kend.conf', undefined, null, 'medium'],
  ['kcnd.conf', undefined, null, 'critical'],
  ['node.conf', undefined, null, 'critical'], // a guessed launcher may be a validator’s
  ['node.conf', 'kend', null, 'medium'],
  ['node.conf', undefined, 'endpoint', 'medium'],
  ['node.conf', undefined, 'service-chain', 'critical'],
  ['kspnd.conf', undefined, 'service-chain', 'medium'],
  ['kend.conf', undefined, 'consensus', 'critical'],
  ['kend.conf', undefined, 'validator', 'critical'],
])('%s, launcher %s, role %s: governance is %s', (path, launcher, role, severity) => {
  expect(governance(path, launcher === undefined ? {} : { launcher }, role)).toBe(severity);
});

test('a guessed launcher is marked in the report, and a validator module is a finding', () => {
  const conf = readConf('node.conf', Buffer.from(`RPC_ENABLE=1\nRPC_API="klay,auction"\n${base}`));
  const facts = { name: 'node', role: null, conf: seen(conf), live: null, gatheredAt: '2026-01-01' };
  const report = judgeTarget(facts, { failOn: 'high' });
  expect(report.conf).toMatchObject({ launcher: 'kend', guessed: true });
  expect(report.findings.map(({ subject }) => subject)).toEqual(['http auction']);
  const named = judgeTarget(
    { ...facts, conf: seen(readConf('kend.conf', Buffer.from(base))) },
    { failOn: 'high' },
  );
  expect(named.conf).not.toHaveProperty('guessed');
});

test('a live node without settings is judged by its role, else by the worst', () => {
  const node = badNode('', {
    modules: seen({ governance: '1.0', kaia: '1.0' }),
    endpoint: { kind: 'http', url: 'http://203.0.113.7:8551' },
  });
  const facts = 'facts' in node ? node.facts : null;
  const worth = (role: string | null) =>
    facts === null ? null : judgeTarget({ ...facts, role }, { failOn: 'high' }).findings[0];
  expect(worth(null)).toMatchObject({ severity: 'critical', subject: 'http governance' });
  expect(worth('consensus')).toMatchObject({ severity: 'critical', subject: 'http governance' });
  expect(worth('endpoint')).toMatchObject({ severity: 'medium' });
});
