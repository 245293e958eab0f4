/** All fixes of a file together: what is applied, in which steps, and when it ends. */

import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { Finding } from '../../../src/node/facts/report.js';
import { fixFile, isApplicable } from '../../../src/node/fix/fix-file.js';
import { sentenceAlone, verify } from '../../../src/node/fix/trial/verify.js';
import { finish } from '../../../src/util/turns.js';
import { editables, readConf, withFile } from '../editables.js';
import { confOf, edit, factsOf, fileOf, findingsOf, found, judging, replacing } from './words.js';

/** Applies what `propose` makes of the findings; the words that are left, or null. */
async function fixWords(words: string, propose: (finding: Finding) => Finding, unsafe = false) {
  const facts = factsOf(confOf(words));
  const findings = async (given: Facts) => findingsOf(given).map(propose);
  const result = await fixFile([facts], editables, { unsafe, findings, judge: judging().judge });
  if (result === null) throw new Error('the file cannot be edited');
  expect(result.before).toBe(fileOf(words).toString());
  const [line = ''] = result.after.split('\n');
  return { ...result, words: line.slice(2), fixed: result.fixed.map(({ subject }) => subject) };
}
const good = (finding: Finding) => replacing(finding, 'good');

describe('applied edits', () => {
  test('edits that do not conflict are applied as one change', async () => {
    const { words, fixed, facts } = await fixWords('bad1 poor2 fine bad3', good);
    expect(words).toBe('good good fine good');
    expect(fixed.toSorted()).toEqual(['1', '2', '3']);
    expect(facts.flatMap(findingsOf)).toEqual([]);
  });

  test('no findings give no edits', async () => {
    const { words, fixed, facts, before, after } = await fixWords('fine', good);
    expect([words, fixed, after]).toEqual(['fine', [], before]);
    expect(facts).toHaveLength(1);
  });

  test('an edit that changes the start is applied only on request', async () => {
    const both = (finding: Finding) =>
      replacing(finding, 'good', finding.subject === '1' ? 'safe' : 'unsafe');
    expect((await fixWords('bad1 bad2', both)).words).toBe('good bad2');
    expect((await fixWords('bad1 bad2', both, true)).words).toBe('good good');
  });

  test('one of two equal lines is removed, not both, so that the start is unchanged', async () => {
    const text = '# bad1 bad2\nRPC_ENABLE=1\nRPC_API=eth\nRPC_API=eth\nDATA_DIR=/srv/kend\n';
    const facts = factsOf(readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' }));
    const findings = async (given: Facts) => {
      const lines = given.conf?.state === 'seen' ? given.conf.value.settings.source.lines : [];
      const places = { 1: lines.indexOf('RPC_API=eth'), 2: lines.lastIndexOf('RPC_API=eth') };
      return findingsOf(given).map((finding) => {
        const line = places[finding.subject as '1' | '2'] + 1;
        const out = { file: 'kend.conf', line, column: 1, endLine: line + 1, endColumn: 1, text: '' };
        const one = replacing(finding, 'good');
        return { ...one, edits: [...(one.edits ?? []), out] };
      });
    };
    const { judge } = judging();
    const fixed = await fixFile([facts], editables, { unsafe: false, findings, judge });
    expect(fixed?.after).toBe(text.replace('bad1', 'good').replace('RPC_API=eth\n', ''));
    expect(fixed?.fixed.map(({ subject }) => subject)).toEqual(['1']);
  });

  test('an edit that collides in a later step is left out', async () => {
    const line = (finding: Finding) => ({
      ...replacing(finding, ''),
      edits: [edit(3, 12, finding.subject === '1' ? 'good bad2 ' : 'bad1 good ')],
    });
    const { words, fixed } = await fixWords('bad1 bad2', line);
    expect(fixed).toHaveLength(1);
    expect(words).toMatch(/^(good bad2|bad1 good) $/);
  });

  test('the edit that breaks the others is left out', async () => {
    const one = (finding: Finding) => replacing(finding, finding.subject === '2' ? 'worst2' : 'good');
    const { words, fixed } = await fixWords('bad1 bad2 bad3', one);
    expect(words).toBe('good bad2 good');
    expect(fixed.toSorted()).toEqual(['1', '3']);
  });

  test('an edit without its stated effect is left out', async () => {
    const { words, fixed } = await fixWords('bad1 bad2', (one) =>
      replacing(one, one.subject === '2' ? 'poor2' : 'good'),
    );
    expect([words, fixed]).toEqual(['good bad2', ['1']]);
  });

  test('fixing ends after fifty steps', async () => {
    const words = Array.from({ length: 53 }, (_, at) => `bad${at}x`).join(' ');
    // Each change spans the whole line, so that no two go together.
    const whole = (finding: Finding, line: string) => ({
      ...finding,
      safety: 'safe' as const,
      edits: [edit(1, line.length + 1, line.replace(`bad${finding.subject}`, 'good'))],
    });
    const facts = factsOf(confOf(words));
    const findings = async (given: Facts) => {
      const line = given.conf?.state === 'seen' ? (given.conf.value.settings.source.lines[0] ?? '') : '';
      return findingsOf(given).map((one) => whole(one, line));
    };
    const result = await fixFile([facts], editables, { unsafe: false, findings, judge: judging().judge });
    expect(result?.fixed).toHaveLength(50);
    expect(result?.facts.flatMap(findingsOf)).toHaveLength(3);
  });
});

describe('which files', () => {
  const options = { unsafe: true, findings: async () => [], judge: judging().judge };
  test('a file is fixed if all its nodes come from one reading', async () => {
    const [one, two] = [confOf('a'), confOf('b')];
    expect(await fixFile([], editables, options)).toBeNull();
    expect(await fixFile([{ ...factsOf(one), conf: null }], editables, options)).toBeNull();
    expect(await fixFile([factsOf(structuredClone(one))], editables, options)).toBeNull();
    expect(await fixFile([factsOf(one), factsOf(two)], editables, options)).toBeNull();
    const [first, second] = withFile('x', [one, two], () => [one, two]).map(factsOf) as [Facts, Facts];
    expect(await fixFile([first], editables, options)).toBeNull();
    expect(await fixFile([first, factsOf(confOf('c'))], editables, options)).toBeNull();
    expect(await fixFile([first, second], editables, options)).toMatchObject({
      before: 'x',
      after: 'x',
      fixed: [],
    });
  });

  test('the node with findings is fixed in a file of several nodes', async () => {
    const [one, two, better] = [confOf('fine'), confOf('bad1'), confOf('good')];
    const nodes = withFile('# bad1', [one, two], () => [confOf('fine'), better]).map(factsOf);
    const findings = async (given: Facts) => findingsOf(given).map(good);
    const result = await fixFile(nodes, editables, { ...options, findings });
    expect(result).toMatchObject({ after: '# good', fixed: [{ subject: '1' }] });
  });
});

test.each<[string, Partial<Finding>, boolean, boolean]>([
  ['safe', { safety: 'safe' }, true, true],
  ['unsafe', { safety: 'unsafe' }, false, true],
  ['a sentence', { safety: null }, false, false],
  ['never said', {}, false, false],
  ['accepted', { safety: 'safe', suppressed: { reason: 'x', until: null } }, false, false],
])('edits are applied unasked or on request: %s', (_, over, unasked, asked) => {
  const finding = { ...found('a', 'high'), ...over };
  expect(isApplicable(finding, { unsafe: false }, [finding])).toBe(unasked);
  expect(isApplicable(finding, { unsafe: true }, [finding])).toBe(asked);
});

describe('shown fixes', () => {
  const facts = factsOf(confOf('bad1 poor2'));
  const { judge } = judging();
  const shown = (one: Finding, given = facts) =>
    finish(verify(given, [one], judge(facts), judge, { editables })).findings[0];
  const [bad] = findingsOf(facts) as [Finding];
  const way = (text: string, safety: 'safe' | 'unsafe' | null = 'safe') => ({
    fix: `Write ${text}.`,
    edits: text === '' ? [] : [edit(3, 7, text)],
    safety,
  });
  const advice = (fix: string) => ({ fix, edits: [], safety: null });

  test('findings without edits stay unchanged', () => {
    const all = [bad, { ...bad, edits: [], alternatives: [advice('No.')] }];
    expect(finish(verify(facts, all, judge(facts), judge, { editables })).findings).toBe(all);
    expect(sentenceAlone(bad)).toBe(bad);
  });

  test('an alternative may only lower the severity; the first fix has to remove the finding', () => {
    const [first, gone, eased, spoilt] = [way('poor1'), way('good'), way('poor1'), way('worst1')];
    const all = { ...bad, ...first, alternatives: [gone, eased, spoilt, advice('No.')] };
    expect(shown(all)).toEqual({
      ...all,
      edits: [],
      safety: null,
      alternatives: [gone, eased, advice('Write worst1.'), advice('No.')],
    });
  });

  test('alternatives without a first edit are shown', () => {
    expect(shown({ ...bad, alternatives: [way('good')] })).toMatchObject({
      edits: [],
      safety: null,
      alternatives: [way('good')],
    });
  });

  test('a finding without edits stays unchanged beside a finding with edits', () => {
    const { findings } = finish(
      verify(facts, [replacing(bad, 'good'), bad], judge(facts), judge, { editables }),
    );
    const [, second] = findings;
    expect(second).toBe(bad);
  });

  test('an unsafe fix stays unsafe, and a fix without a statement is unsafe', () => {
    expect(shown({ ...bad, ...way('good', 'unsafe') })?.safety).toBe('unsafe');
    expect(shown({ ...bad, ...way('good', null) })?.safety).toBe('unsafe');
    expect(shown(replacing(bad, 'good'))).not.toHaveProperty('alternatives');
  });

  test('a finding that is accepted or cannot be tried has its sentence only', () => {
    const all = { ...bad, ...way('good'), alternatives: [way('fine')] };
    const sentences = { ...all, edits: [], safety: null, alternatives: [advice('Write fine.')] };
    expect(shown(all, { ...facts, conf: null })).toEqual(sentences);
    const suppressed = { reason: 'x', until: null };
    expect(shown({ ...all, suppressed })).toEqual({ ...sentences, suppressed });
    expect(sentenceAlone(replacing(bad, 'good'))).toStrictEqual({ ...bad, edits: [], safety: null });
  });
});
