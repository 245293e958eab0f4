/** A finding that repeats another of the same target names it, and keeps its severity. */
import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { withRepeatsNamed } from '../../../src/node/judge/gates.js';
import { rules } from '../../../src/node/rules/index.js';
import { run } from '../../cli/run.js';

async function severities(command: string, ...options: string[]) {
  const { out } = await run(['node', 'lint', '--command-line', command, '--format', 'json', ...options]);
  return (JSON.parse(out) as Report).targets.flatMap(({ findings }) =>
    findings.map(({ rule, subject, severity }) => `${severity} ${rule} ${subject}`),
  );
}

test.each([
  [
    'ken --rpc --rpcaddr 0.0.0.0 --rpcapi klay,personal,txpool --ws --wsaddr 0.0.0.0 --wsapi klay',
    [
      'critical privileged-module http personal',
      'medium public-bind ws 0.0.0.0',
      'medium public-bind http 0.0.0.0',
      'medium privileged-module http txpool',
    ],
  ],
  [
    'ken --rpc --rpcaddr 0.0.0.0 --rpcapi klay,txpool --ws --wsaddr 0.0.0.0 --wsapi klay,txpool',
    [
      'medium privileged-module http txpool',
      'medium public-bind http 0.0.0.0',
      'medium public-bind ws 0.0.0.0',
      'medium privileged-module ws txpool',
    ],
  ],
  [
    'ken --rpc --rpcaddr 0.0.0.0 --rpcapi klay --mainbridge --mainbridgeport 50505',
    ['medium public-bind http 0.0.0.0', 'medium public-bind mainbridge 0.0.0.0'],
  ],
])('the severities of %s follow from the module and the callers', async (command, expected) => {
  const all = await severities(command);
  expect(all.filter((one) => /public-bind|privileged-module/.test(one)).sort()).toEqual(expected.sort());
});

test.each([
  ['ken --rpc --rpcaddr 0.0.0.0 --rpcapi', ['personal', 'txpool', 'klay']],
  ['reth node --http --http.addr 0.0.0.0 --http.api', ['debug', 'txpool', 'trace', 'eth']],
  [
    'ken --ws --wsaddr 0.0.0.0 --wsapi txpool --wsport 8551 --rpc --rpcaddr 0.0.0.0 --rpcapi',
    ['txpool', 'klay'],
  ],
])('no severity of %s LIST depends on the modules that stand before it', async (start, modules) => {
  const known = new Map<string, Set<string>>();
  for (const list of modules.flatMap((_, at) => [modules.slice(at), modules.slice(at).reverse()]))
    for (const one of await severities(`${start} ${list.join()}`)) {
      const [severity = '', ...thing] = one.split(' ');
      known.set(thing.join(' '), (known.get(thing.join(' ')) ?? new Set()).add(severity));
    }
  expect(known.size).toBeGreaterThan(2);
  expect([...known].filter(([, severities]) => severities.size > 1)).toEqual([]);
});

test('a release that refuses the start is a finding where it is the one that is named', async () => {
  const command = `geth --rpc --rpcapi eth --unlock 0x${'ab'.repeat(20)} --password /srv/password`;
  const conflict = 'conflicting-flags unlock';
  expect((await severities(command)).filter((one) => one.endsWith(conflict))).toEqual([]);
  expect(await severities(command, '--node-version', 'v1.9.25')).toContain(`medium ${conflict}`);
});

test('what says nothing new names the finding that says it; a page where only pages are let in says something', async () => {
  const said = async (address: string) => {
    const command = `ken --rpc --rpcaddr ${address} --rpcapi klay,admin --rpccorsdomain "*" --rpcvhosts "*"`;
    const { out } = await run(['node', 'lint', '--command-line', command, '--format', 'json']);
    const findings = (JSON.parse(out) as Report).targets.flatMap((one) => one.findings);
    return findings.flatMap(({ rule, saidBy }) =>
      saidBy === undefined ? [] : [`${rule}: ${findings.find((one) => one.fingerprint === saidBy)?.subject}`],
    );
  };
  expect((await said('0.0.0.0')).sort()).toEqual([
    'public-bind: http admin',
    'wildcard-cors: http admin',
    'wildcard-vhosts: http admin',
  ]);
  expect(await said('127.0.0.1')).toEqual([]);
});

test('a suppressed finding covers no other', async () => {
  const command = 'ken --rpc --rpcaddr 0.0.0.0 --rpcapi klay,personal';
  const { out } = await run(['node', 'lint', '--command-line', command, '--format', 'json']);
  const [target] = (JSON.parse(out) as Report).targets;
  const all = (target?.findings ?? []).map(({ saidBy: _, ...one }) => one);
  const suppressed = all.map((one) =>
    one.rule === 'public-bind' ? one : { ...one, suppressed: { reason: 'a firewall', until: null } },
  );
  const bindIn = (found: typeof all) =>
    withRepeatsNamed(found, rules).find(({ rule }) => rule === 'public-bind');
  expect(bindIn(all)?.saidBy).toBeDefined();
  expect(bindIn(suppressed)).toMatchObject({ severity: 'medium' });
  expect(bindIn(suppressed)).not.toHaveProperty('saidBy');
});
