/** Changes tried in memory: which are tried at all, and what they come to. */
import { describe, expect, test } from 'vitest';
import { KaiactlError } from '../../../../src/errors.js';
import type { Conf } from '../../../../src/node/facts/facts.js';
import type { Finding } from '../../../../src/node/facts/report.js';
import { notSeen } from '../../../../src/node/facts/seen.js';
import { nodeState, stateOf } from '../../../../src/node/fix/trial/state.js';
import { TrialMemory, Trials } from '../../../../src/node/fix/trial/trials.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import type { Editable } from '../../../../src/node/sources/text/editable.js';
import { editableOf, editables, readConf, withFile } from '../../editables.js';
import { confOf, edit, factsOf, fileOf, findingsOf, found, judging } from '../words.js';

function trialsOf(words: string) {
  const facts = factsOf(confOf(words));
  const counter = judging();
  const trials = Trials.of(
    facts,
    editables,
    { findings: findingsOf(facts), undetermined: [], kind: kaia },
    counter.judge,
  );
  if (trials === null) throw new Error('the file cannot be edited');
  return { trials, counter, facts };
}

describe('files that can be tried', () => {
  test('only a file that was read is tried', () => {
    const { judge } = judging();
    const judged = { findings: [], undetermined: [], kind: kaia };
    const facts = factsOf(confOf('bad'));
    const copy = structuredClone(confOf('bad'));
    expect(Trials.of(facts, editables, judged, judge)).not.toBeNull();
    expect(Trials.of({ ...facts, conf: null }, editables, judged, judge)).toBeNull();
    expect(Trials.of({ ...facts, conf: notSeen('unreadable', '') }, editables, judged, judge)).toBeNull();
    expect(Trials.of(factsOf(copy), editables, judged, judge)).toBeNull();
  });

  test.each([
    ['another file', [edit(3, 6, 'good', 'other.conf')]],
    ['another file beside this one', [edit(3, 6, 'good'), edit(1, 2, 'x', 'other.conf')]],
    ['nothing is changed', [edit(3, 6, 'bad')]],
    ['no edits', []],
    ['overlapping edits', [edit(3, 6, 'good'), edit(4, 5, 'x')]],
    ['something new is found', [edit(3, 6, 'badx')]],
    ['it gets worse', [edit(3, 6, 'worst')]],
    ['it starts no node', [{ ...edit(1, 1, ''), line: 2, endLine: 4 }]],
  ])('is not tried: %s', (_, edits) => {
    expect(trialsOf('bad').trials.outcome({ edits })).toBeNull();
  });
});

test('a node that an edit does not change is not judged again', () => {
  const nodesOf = (text: string) =>
    text
      .split('---\n')
      .map((one) => readConf('kend.conf', Buffer.from(one), { launcher: 'kend', package: 'tar' }));
  const text = `${fileOf('bad')}---\n${fileOf('poor')}`;
  const [first] = withFile(text, nodesOf(text), nodesOf);
  const facts = factsOf(first as Conf);
  const findings = findingsOf(facts);
  const counter = judging();
  const trials = Trials.of(facts, editables, { findings, undetermined: [], kind: kaia }, counter.judge);
  const outcome = trials?.outcome({ edits: [edit(3, 6, 'good')] });
  expect(outcome?.became(findings[0] as Finding)).toBe('gone');
  // Both nodes as they are, and the one that changes.
  expect(counter.asked).toBe(3);
});

describe('the result of a trial', () => {
  test.each([
    ['good', 'gone'],
    ['poor', 'eased'],
    ['bad ', 'same'],
  ])('%s', (text, became) => {
    const { trials, facts } = trialsOf('bad');
    const outcome = trials.outcome({ edits: [edit(3, 6, text)] });
    const [finding] = findingsOf(facts);
    expect(outcome?.version.text.split('\n')[0]).toBe(`# ${text}`);
    expect(finding && outcome?.became(finding)).toBe(became);
    expect(outcome?.starts).toBe('same');
  });

  test('a change of the start is reported', () => {
    const outcome = trialsOf('bad').trials.outcome({
      edits: [{ file: 'kend.conf', line: 4, column: 1, endLine: 4, endColumn: 1, text: 'VERBOSITY=3\n' }],
    });
    expect(outcome?.starts).toBe('changed');
  });
});

describe('trials that are judged', () => {
  test('a text is judged once, and the original text never', () => {
    const { trials, counter } = trialsOf('bad');
    expect(counter.asked).toBe(0);
    for (let time = 0; time < 3; time += 1) trials.outcome({ edits: [edit(3, 6, 'good')] });
    expect(counter.asked).toBe(1);
    trials.outcome({ edits: [edit(3, 6, 'fine')] });
    expect(counter.asked).toBe(2);
  });

  test('the file alone does not show the findings of a live node', () => {
    const live = { endpoints: [] } as never;
    const facts = { ...factsOf(confOf('bad')), live };
    const counter = judging();
    const trials = Trials.of(
      facts,
      editables,
      { findings: [found('live', 'high')], undetermined: [], kind: kaia },
      counter.judge,
    );
    expect(trials?.outcome({ edits: [edit(3, 6, 'good')] })?.starts).toBe('same');
    expect(counter.asked).toBe(2);
  });

  /** A file of `size` characters that starts these nodes, whatever it says. */
  const large = (size: number, confs: readonly Conf[]) => withFile('#'.repeat(size), confs, () => confs);
  const tries = (confs: readonly Conf[], node: number): boolean[] => {
    const facts = factsOf(confs[node] as Conf);
    const trials = Trials.of(
      facts,
      editables,
      { findings: [], undetermined: [], kind: kaia },
      judging().judge,
    );
    return ['a', 'b', 'c'].map((text) => trials?.outcome({ edits: [edit(1, 2, text)] }) != null);
  };

  test('a large file only a few times', () => {
    expect(tries(large(3_900_000, [confOf('')]), 0)).toEqual([true, true, false]);
  });

  test('the unchanged file counts too if it has several nodes', () => {
    expect(tries(large(2_600_000, [confOf(''), confOf('')]), 0)).toEqual([true, true, false]);
  });

  test('a file of many nodes only a few times, which is told', () => {
    const facts = factsOf(large(100, [confOf(''), confOf(''), confOf('')])[0] as Conf);
    const judged = { findings: [], undetermined: [], kind: kaia };
    // The file as it is, and one version.
    const trials = Trials.of(facts, editables, judged, judging().judge, new TrialMemory(2 * (100 + 3 * 100)));
    const tried = ['a', 'b'].map((text) => {
      const edits = [edit(1, 2, text)];
      return [trials?.outcome({ edits }) != null, trials?.leftOut({ edits })];
    });
    expect(tried).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('the nodes of a file share the versions that were judged', () => {
    const confs = withFile('# bad\n', [confOf('bad'), confOf('bad')], () => [confOf('good'), confOf('good')]);
    const memory = new TrialMemory();
    const asked = confs.map((conf) => {
      const facts = factsOf(conf);
      const counter = judging();
      const judged = { findings: findingsOf(facts), undetermined: [], kind: kaia };
      Trials.of(facts, editables, judged, counter.judge, memory)?.outcome({ edits: [edit(3, 6, 'good')] });
      return counter.asked;
    });
    expect(asked).toEqual([4, 0]);
  });

  test.each([
    ['bad', 'kend.conf', 0],
    ['bad', 'other/kend.conf', 0],
    ['bad poor', 'kend.conf', 1],
    ['bad', 'kcn.conf', 1],
  ])(
    'an equal file that is read alike shares the versions that were judged: %s in %s',
    (words, path, asked) => {
      const memory = new TrialMemory();
      const outcomes = [
        ['kend.conf', 'bad'],
        [path, words],
      ].map(([file = '', text = '']) => {
        const facts = factsOf(readConf(file, fileOf(text)));
        const counter = judging();
        const judged = { findings: findingsOf(facts), undetermined: [], kind: kaia };
        const trials = Trials.of(facts, editables, judged, counter.judge, memory);
        return [trials?.outcome({ edits: [edit(3, 6, 'good', file)] })?.starts, counter.asked];
      });
      expect(outcomes).toEqual([
        ['same', 1],
        ['same', asked],
      ]);
    },
  );

  test('the node that was meant is chosen among several', () => {
    const better = [confOf('good'), confOf('good')];
    const [, second] = withFile('# bad\n', [confOf('good'), confOf('bad')], () => better);
    const facts = factsOf(second as Conf);
    const trials = Trials.of(
      facts,
      editables,
      { findings: findingsOf(facts), undetermined: [], kind: kaia },
      judging().judge,
    );
    const [finding] = findingsOf(facts);
    const outcome = trials?.outcome({ edits: [edit(3, 6, 'good')] });
    expect(finding && outcome?.became(finding)).toBe('gone');
  });
});

describe('the state of a file', () => {
  const version = (text: string) => ({ text, others: new Map() });
  const conf = confOf('bad');
  const { judge } = judging();
  const reading = (read: Editable['read']): Editable => ({
    text: 'x',
    others: new Map(),
    confs: [conf],
    alike: null,
    read,
  });

  test('the unchanged file is not read again', () => {
    const state = stateOf(
      reading(() => []),
      version('x'),
      factsOf(conf),
      judge,
    );
    expect(state).toHaveLength(1);
  });

  test('a text without settings has no state, and a defect stays a defect', () => {
    const refusing = (error: Error) => () => {
      throw error;
    };
    expect(stateOf(reading(refusing(new KaiactlError('no'))), version('y'), factsOf(conf), judge)).toBeNull();
    expect(() => stateOf(reading(refusing(new TypeError('no'))), version('y'), factsOf(conf), judge)).toThrow(
      TypeError,
    );
  });

  test('is judged offline, with the operator’s statements', () => {
    const facts = {
      ...factsOf(conf),
      live: { endpoints: [] } as never,
      assumed: { http: 'private' } as const,
    };
    const asked: unknown[] = [];
    stateOf(
      reading(() => []),
      version('x'),
      facts,
      (given) => {
        asked.push([given.live, given.assumed, given.conf]);
        return { findings: [], undetermined: [], kind: kaia };
      },
    );
    expect(asked).toEqual([[null, { http: 'private' }, expect.objectContaining({ state: 'seen' })]]);
  });

  test('keys findings by rule, subject and suppression', () => {
    const refused = confOf('" \nADDITIONAL="--no.such"\n# ');
    const state = nodeState(refused, {
      findings: [found('a', 'low'), found('b', 'info'), found('a', 'high')],
      undetermined: [{ rule: 'r', code: 'indeterminate', about: 'x' }],
      kind: kaia,
    });
    expect([...state.findings]).toEqual([
      ['word open a', ['high', 'low']],
      ['word open b', ['info']],
    ]);
    expect(state.open).toEqual([{ rule: 'r', code: 'indeterminate', about: 'x' }]);
    expect(state.refusals).toEqual([{ kind: 'unknown-flag', variable: 'ADDITIONAL', flags: ['no.such'] }]);
    expect(state.startable).toBe(false);
    expect(state.name).toEqual([null, 'kend', 'tar']);
    const named = { ...refused, settings: { ...refused.settings, name: 'en' } };
    expect(nodeState(named, { findings: [], undetermined: [], kind: kaia }).name).toEqual([
      'en',
      'kend',
      'tar',
    ]);
  });
});

test('facts are data: the file of settings stands beside them', () => {
  const conf = confOf('bad');
  expect(editableOf(conf)?.text).toContain('# bad');
  expect(editableOf(conf)?.confs).toEqual([conf]);
  expect(JSON.parse(JSON.stringify(conf))).toEqual(structuredClone(conf));
  expect(editableOf(structuredClone(conf))).toBeUndefined();
});
