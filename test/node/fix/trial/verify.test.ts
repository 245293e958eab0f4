/** What becomes of the edits that rules propose: shown where they hold, else the sentence alone. */
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { showsEdits } from '../../../../src/node/commands/output.js';
import type { Finding } from '../../../../src/node/facts/report.js';
import type { Settings } from '../../../../src/node/facts/settings.js';
import { apply } from '../../../../src/node/fix/edits.js';
import type { Fix } from '../../../../src/node/fix/proposal/fix.js';
import { TrialMemory } from '../../../../src/node/fix/trial/trials.js';
import { decideVerdict, type Rule } from '../../../../src/node/judge/rule/rule.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { formats } from '../../../../src/node/report/index.js';
import { rules } from '../../../../src/node/rules/index.js';
import { summarise } from '../../../../src/node/summarise.js';
import { count } from '../../../../src/util/words.js';
import { readConf } from '../../editables.js';
import { factsOf } from '../../judge/facts.js';
import { judgeTarget } from '../../pipeline.js';

const tail = 'NETWORK="mainnet"\nDATA_DIR=/srv/kend\n';

/** A rule of the test: it finds `word` in the first line and proposes another in its place. */
function proposing(word: string, instead: string, safety: Fix['safety'] = 'unsafe'): Rule {
  const at = ({ source }: Settings) => (source.lines[0] ?? '').indexOf(word);
  return {
    id: 'proposed',
    severity: 'low',
    title: 'A word of the test.',
    why: '',
    fix: '',
    ignore: '',
    sources: [],
    examples: { bad: { conf: '' }, good: { conf: '' } },
    on: 'settings',
    check: (settings) => {
      const column = at(settings) + 1;
      if (column === 0) return decideVerdict([]);
      const place = {
        file: settings.source.path,
        line: 1,
        column,
        endLine: 1,
        endColumn: column + word.length,
      };
      const fix = { say: 'Write another word.', edits: () => [{ at: place, text: instead }], safety };
      return decideVerdict([{ subject: word, at: place, message: '', fix }]);
    },
  };
}

function verified(first: string, rule: Rule, bytes = Buffer.from(`${first}\n${tail}`)): Finding | undefined {
  const conf = readConf('kend.conf', bytes, { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high', rules: [...rules, rule] });
  return findings.find(({ rule }) => rule === 'proposed');
}

test('an edit that removes its finding is shown', () => {
  const finding = verified('VERBOSITY=4', proposing('4', '3'));
  expect(finding).toMatchObject({ edits: [{ line: 1, column: 11, text: '3' }], safety: 'unsafe' });
});

test.each<[string, string, Rule]>([
  ['the finding stays', 'VERBOSITY=4', proposing('4', '44')],
  ['nothing is changed', 'VERBOSITY=4', proposing('4', '4')],
  ['a harmless typo becomes a critical', 'RPC_ENABLE=1 RPC_API=admn', proposing('admn', 'admin')],
  ['another finding appears', 'RPC_ENABLE=0', proposing('0', '1')],
  ['the node refuses to start', 'ADDITIONAL="--txpool.nolocals"', proposing('txpool.nolocals', 'no.such')],
  ['a quote is opened', 'VERBOSITY=4', proposing('4', '"4')],
  ['a question becomes open', 'RPC_API=klay RPC_ENABLE=0', proposing('0', '$(id -u)')],
  ['called safe, and the node is started otherwise', 'VERBOSITY=4', proposing('4', '3', 'safe')],
  ['the launcher exits', 'DATA_DIR=/d DATA=x', proposing('DATA=x', 'exit 1')],
])('a fix loses its edits and keeps its sentence: %s', (_what, first, rule) => {
  expect(verified(first, rule)).toMatchObject({ fix: 'Write another word.', edits: [], safety: null });
});

test('a fix is safe if the node starts with the same words', () => {
  expect(verified('RPC_ENABLE=false', proposing('false', '0', 'safe'))?.safety).toBe('safe');
});

test('no fix is safe where the start is unknown', () => {
  expect(verified('X=4 ADDITIONAL=$(flags)', proposing('4', '3', 'safe'))).toMatchObject({
    edits: [{ text: '3' }],
    safety: 'unsafe',
  });
});

test('a file that is not valid UTF-8 is not edited', () => {
  const bytes = Buffer.concat([Buffer.from('VERBOSITY=4 # caf'), Buffer.from([0xe9, 10]), Buffer.from(tail)]);
  expect(verified('', proposing('4', '3'), bytes)).toMatchObject({ edits: [], safety: null });
});

test('formats without edits, and findings accepted by a comment, show the sentence alone', () => {
  const judged = (first: string, edits: 'all' | 'none') => {
    const bytes = Buffer.from(`${first}\n${tail}`);
    const conf = readConf('kend.conf', bytes, { launcher: 'kend', package: 'tar' });
    const { findings } = judgeTarget(factsOf(conf), { failOn: 'high', edits });
    return findings.find(({ rule }) => rule === 'unread-setting');
  };
  const advice = { fix: expect.stringMatching(/^Delete the line/), edits: [], safety: null };
  const accepted = 'LOG_MAXBACKUPS=3 # kaiactl-ignore unread-setting reason="kept for later"';
  expect(judged('LOG_MAXBACKUPS=3', 'all')?.edits).toHaveLength(1);
  expect(judged('LOG_MAXBACKUPS=3', 'none')).toMatchObject(advice);
  expect(judged(accepted, 'all')).toMatchObject({ ...advice, suppressed: { reason: 'kept for later' } });
});

test('for text, only the edits of findings that it shows whole are tried', () => {
  const bytes = Buffer.from(`RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=eth,admin\nLOG_MAXBACKUPS=3\n${tail}`);
  const conf = readConf('kend.conf', bytes, { launcher: 'kend', package: 'tar' });
  const edited = (edits: 'all' | 'whole') =>
    judgeTarget(factsOf(conf), { failOn: 'high', edits }).findings.filter((one) => one.edits?.length);
  const whole = edited('all').filter(({ severity }) => severity === 'critical' || severity === 'high');
  expect(whole.map(({ rule }) => rule)).toContain('privileged-module');
  expect(edited('all').map(({ rule }) => rule)).toContain('unread-setting');
  expect(edited('whole')).toEqual(whole);
});

test('text shows the edits of whole findings of few nodes, and all on request; other formats all edits', () => {
  const shown = (format: string, verbose: boolean, before: number) =>
    showsEdits({ format, verbose, color: 'never' }, before, { env: {} });
  expect([shown('text', false, 19), shown('text', false, 20), shown('text', true, 20)]).toEqual([
    'whole',
    'none',
    'all',
  ]);
  expect([shown('json', false, 999), shown('csv', true, 0), shown('junit', true, 0)]).toEqual([
    'all',
    'none',
    'none',
  ]);
});

test.each([
  ['its lines alone', '', 'RPC_ENABLE=0\n', ''],
  [
    'and what the lines that stay replace',
    'RPC_ADDR="127.0.0.1"\n',
    'RPC_ENABLE=0\n',
    'RPC_ADDR="0.0.0.0"\nNO_DISCOVER=1\n',
  ],
])('homi-leftover removes %s', (_what, replaced, above, kept) => {
  const homi = [
    'RPC_ENABLE=1',
    'RPC_API="db,eth,klay,net,governance,web3,miner,personal,txpool,debug,admin,istanbul,mainbridge,subbridge"',
    'ADDITIONAL="$ADDITIONAL --debug --metrics --prometheus"',
  ];
  const text = `${replaced}${above}${tail}# docker-compose\n${kept}${homi.join('\n')}\n`;
  const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  const finding = findings.find(({ rule }) => rule === 'homi-leftover');
  expect(finding).toMatchObject({ safety: 'unsafe' });
  expect(apply(text, finding?.edits ?? [])).toBe(`${above}${tail}${kept}`);
});

test('homi-leftover has no edit where a line differs from the line that homi appends', () => {
  const text = `RPC_ENABLE=0\n${tail}# docker-compose\nRPC_ENABLE=1; RPC_API="klay"\n`;
  const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  expect(findings.find(({ rule }) => rule === 'homi-leftover')?.edits).toEqual([]);
});

test('a target tells how many findings lack fixes that were not tried, and how to get them', async () => {
  const conf = readConf('kend.conf', Buffer.from(`VERBOSITY=4\n${tail}`), {
    launcher: 'kend',
    package: 'tar',
  });
  const given = [...rules, proposing('4', '3')];
  const judgedWith = (trials: TrialMemory) =>
    judgeTarget(factsOf(conf), { failOn: 'high', rules: given, trials });
  const [target, whole] = [judgedWith(new TrialMemory(10)), judgedWith(new TrialMemory())];
  expect(whole).not.toHaveProperty('fixesLeftOut');
  const open = target.findings.filter(({ rule }) => rule === 'proposed');
  expect(open).toMatchObject([{ edits: [], safety: null }]);
  expect(target.fixesLeftOut).toBe(whole.findings.filter(({ edits = [] }) => edits.length > 0).length);
  expect(open[0]?.fix).toBe(
    `Write another word. kaiactl left out the edits of ${count(target.fixesLeftOut ?? 0, 'finding')} here, as trying them all takes too long: give --only proposed to get this one.`,
  );
  const report = summarise([target], { version: '1', startedAt: 0, finishedAt: 0, failOn: 'high' });
  for (const name of Object.keys(formats)) {
    const render = await (formats[name] as (typeof formats)[string])(false);
    const shown = await text(render(report, { columns: 500, verbose: false, kinds }));
    const told = /left out the edits of \d finding|fixes of \d findings? left out|fixesLeftOut/;
    expect([name, told.test(shown)]).toEqual([name, true]);
  }
});
