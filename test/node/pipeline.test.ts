import { expect, test } from 'vitest';
import { plainAddress } from '../../src/jsonrpc/channel.js';
import type { TargetReport } from '../../src/node/facts/report.js';
import { gather } from '../../src/node/gather.js';
import { kinds } from '../../src/node/kinds/index.js';
import type { Target } from '../../src/node/probe/index.js';
import { machineOf } from '../../src/node/probe/index.js';
import { rules } from '../../src/node/rules/index.js';
import { type SummaryOptions, summarise } from '../../src/node/summarise.js';
import { redact } from '../../src/util/redact.js';
import { exampleFacts } from './editables.js';
import { confOf, factsOf } from './judge/facts.js';
import { judgeTarget, propose } from './pipeline.js';
import { sampleReport } from './report/sample.js';

const report = sampleReport();
const [failing, unread] = report.targets as [TargetReport, TargetReport];
const clean: TargetReport = { ...failing, findings: [], undetermined: [], verdict: 'pass' };
const defective: TargetReport = {
  ...clean,
  undetermined: [{ rule: 'x', code: 'defect', about: null, reason: 'broke', defect: true }],
};
const base: SummaryOptions = { version: '1', startedAt: 0, finishedAt: 1, failOn: 'high' };

test.each<[string, TargetReport[], Partial<SummaryOptions>, number]>([
  ['nothing found', [clean], {}, 0],
  ['a finding at the threshold', [clean, failing], {}, 1],
  ['a finding below it, and something not seen', [failing], { failOn: 'critical' }, 3],
  ['the same, blindness allowed', [failing], { failOn: 'critical', allowBlind: true }, 0],
  ['nothing can fail', [failing], { failOn: 'none', allowBlind: true }, 0],
  ['something not seen', [clean, unread], {}, 3],
  ['findings outrank blindness', [unread, failing], {}, 1],
  ['unreadable input outranks findings', [failing], { inputFailed: true }, 2],
  ['a defect outranks everything', [failing, defective], { inputFailed: true }, 70],
  ['reporting only', [failing, unread], { exitZero: true }, 0],
  [
    'reporting only still says that input was unreadable',
    [failing],
    { exitZero: true, inputFailed: true },
    2,
  ],
  ['no target at all', [], {}, 0],
])('%s', (_name, targets, options, code) => {
  expect(summarise(targets, { ...base, ...options }).exitCode).toBe(code);
});

test.each(['https://example.org/o/r', 'https://example.org/o/r/', 'https://example.org/o/r#readme'])(
  'the rule pages are below %s',
  (homepage) => {
    const own = rules.map((rule) => ({ ...rule, id: 'open-access' })).slice(0, 1);
    const [info] = summarise([failing], { ...base, homepage, rules: own }).rules;
    expect(info?.page).toBe('https://example.org/o/r/blob/v1/docs/rules/open-access.md');
  },
);

test('the summary counts findings by severity, and suppressed findings and open questions separately', () => {
  expect(report.summary).toEqual({
    targets: 2,
    critical: 0,
    high: 1,
    medium: 1,
    low: 0,
    info: 0,
    suppressed: 1,
    undetermined: 2, // one of them for all that asks for the settings
    changed: { hidden: 0, severities: 0, suppressed: 1, acknowledged: 0 },
  });
});

test('a target that could not be read is reported as undetermined', () => {
  expect(unread).toMatchObject({
    name: 'missing.conf',
    conf: null,
    interfaces: [],
    findings: [],
    verdict: 'undetermined',
  });
});

test('the report names every rule it speaks of, sorted', () => {
  expect(report.rules.map(({ id }) => id)).toEqual(['blind', 'hidden-value', 'open-access', 'tiny']);
});

test('interfaces that a conf opens are listed as not checked, in the order of the listeners', () => {
  expect(failing.interfaces.map(({ transport, endpoint, state }) => [transport, endpoint, state])).toEqual([
    ['http', 'http://0.0.0.0:8551', 'not-checked'],
    ['ws', 'ws://0.0.0.0:8552', 'not-checked'],
  ]);
});

test('the same facts give the same report', () => {
  const facts = factsOf(confOf(['RPC_ENABLE=0']));
  expect(judgeTarget(facts, { failOn: 'high' })).toEqual(judgeTarget(facts, { failOn: 'high' }));
});

test('a failure inside one target becomes a fact of that target', async () => {
  const broken = { name: 'x', role: null, conf: null, endpoints: null, metrics: [] } as unknown as Target;
  const facts = await gather(broken, {
    connection: plainAddress,
    timeoutMs: 1000,
    depth: 'safe',
    machine: machineOf({ proc: '/nowhere', platform: 'none', kinds }),
    signal: new AbortController().signal,
    now: () => 0,
  });
  expect(facts.live).toBeNull();
  const judged = judgeTarget(facts, { failOn: 'high' });
  expect(judged.undetermined[0]).toMatchObject({ rule: 'gather', code: 'defect', defect: true });
  expect(summarise([judged], base).exitCode).toBe(70);
});

test('a comparison finds and leaves open what a report does, without lines, edits and fingerprints', () => {
  const compared = ['rule', 'severity', 'subject', 'message', 'at', 'evidence', 'suppressed'] as const;
  for (const { examples } of rules) {
    const facts = exampleFacts(examples.bad);
    const [whole, bare] = [propose(facts, {}), propose(facts, {}, 'comparison')];
    const partOf = ({ findings }: typeof whole) =>
      findings.map((one) => compared.map((name) => (name === 'message' ? redact(one.message) : one[name])));
    expect(partOf(bare)).toEqual(partOf(whole));
    expect(bare.undetermined).toEqual(whole.undetermined);
    for (const { source, edits, fingerprint } of bare.findings)
      expect([source, edits, fingerprint]).toEqual([null, [], '']);
  }
});
