/** Two texts of a file, compared: what may not get worse, what became of a finding, whether the start is the same. */
import { describe, expect, test } from 'vitest';
import type { Conf } from '../../../../src/node/facts/facts.js';
import type { Finding } from '../../../../src/node/facts/report.js';
import type { Severity } from '../../../../src/node/facts/severity.js';
import { became, isNoWorse, startsAs } from '../../../../src/node/fix/trial/compare.js';
import { type Judged, type NodeState, nodeState, subjectOf } from '../../../../src/node/fix/trial/state.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { readConf } from '../../editables.js';

const base = 'NETWORK=mainnet\nDATA_DIR=/srv/kend\n';

function conf(text: string): Conf {
  return readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
}

function finding(subject: string, severity: Severity, accepted = false): Finding {
  const suppressed = accepted ? { reason: 'known', until: null } : null;
  const at = { file: 'kend.conf', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const words = {
    title: '',
    message: '',
    fix: '',
    source: null,
    related: [],
    evidence: null,
    fingerprint: '',
  };
  return { rule: 'r', severity, subject, at, suppressed, ...words };
}

function state(
  findings: readonly Finding[] = [],
  open: Judged['undetermined'] = [],
  text = base,
  kind = kaia,
): NodeState {
  return nodeState(conf(text), { findings, undetermined: open, kind });
}

const question = (about: string | null) => ({ rule: 'r', code: 'indeterminate', about }) as const;

test('the flags of a node’s identity are its kind’s', () => {
  const verbose = `${base}ADDITIONAL="--verbosity 4"\n`;
  const kind = { ...kaia, flags: { ...kaia.flags, identity: ['verbosity'] } };
  expect(isNoWorse([state()], [state([], [], verbose)])).toBe(true);
  expect(isNoWorse([state([], [], base, kind)], [state([], [], verbose, kind)])).toBe(false);
});

describe('no worse', () => {
  test.each<[string, NodeState, NodeState]>([
    ['the same', state([finding('a', 'high')]), state([finding('a', 'high')])],
    ['one less', state([finding('a', 'high')]), state()],
    ['less severe', state([finding('a', 'high')]), state([finding('a', 'low')])],
    [
      'one of two of a thing less severe, in another order',
      state([finding('a', 'low'), finding('a', 'high')]),
      state([finding('a', 'high'), finding('a', 'info')]),
    ],
    ['a question less', state([], [question('a'), question(null)]), state([], [question(null)])],
    ['the same question', state([], [question('a')]), state([], [question('a')])],
    ['it does not start, as before', { ...state(), startable: false }, { ...state(), startable: false }],
    ['it starts now', { ...state(), startable: false }, state()],
  ])('%s', (_, before, after) => {
    expect(isNoWorse([before], [after])).toBe(true);
  });

  test.each<[string, NodeState, NodeState]>([
    ['a new finding', state(), state([finding('a', 'info')])],
    ['of another thing', state([finding('a', 'high')]), state([finding('b', 'high')])],
    ['more severe', state([finding('a', 'low')]), state([finding('a', 'medium')])],
    ['two instead of one', state([finding('a', 'high')]), state([finding('a', 'high'), finding('a', 'low')])],
    [
      'the milder of two more severe',
      state([finding('a', 'high'), finding('a', 'low')]),
      state([finding('a', 'high'), finding('a', 'medium')]),
    ],
    ['one that was accepted is not', state([finding('a', 'low', true)]), state([finding('a', 'low')])],
    ['a question more', state([], [question('a')]), state([], [question('a'), question('b')])],
    ['another question', state([], [question(null)]), state([], [question('a')])],
    ['it starts no more', state(), state([], [], 'NETWORK=mainnet\n')],
    [
      'refused for another reason',
      state([], [], `${base}ADDITIONAL="--no.such"\n`),
      state([], [], `${base}ADDITIONAL="--other.such"\n`),
    ],
    ['another network', state(), state([], [], base.replace('mainnet', 'kairos'))],
    ['a network id', state(), state([], [], `${base}ADDITIONAL="--networkid 5"\n`)],
    ['another folder', state(), state([], [], base.replace('/srv/kend', '/srv/other'))],
    ['a node key', state(), state([], [], `${base}ADDITIONAL="--nodekey /k"\n`)],
    ['a key on the command line', state(), state([], [], `${base}ADDITIONAL="--nodekeyhex ab"\n`)],
    ['it starts no more, for no reason that is named', state(), { ...state(), startable: false }],
    ['another launcher', state(), { ...state(), name: ['other'] }],
  ])('is worse: %s', (_, before, after) => {
    expect(isNoWorse([before], [after])).toBe(false);
  });

  test('every node counts, and no node is added or removed', () => {
    const [good, bad] = [state(), state([finding('a', 'low')])];
    expect(isNoWorse([good, bad], [good, bad])).toBe(true);
    expect(isNoWorse([good, good], [good, bad])).toBe(false);
    expect(isNoWorse([good], [good, good])).toBe(false);
    expect(isNoWorse([good, good], [good])).toBe(false);
    expect(isNoWorse([good], null)).toBe(false);
    expect(isNoWorse(null, [good])).toBe(false);
  });

  test('a removed refusal is no worse, and only fatal problems are refusals', () => {
    const refused = state([], [], `${base}ADDITIONAL="--no.such"\n`);
    expect(refused.refusals).toHaveLength(1);
    expect(isNoWorse([refused], [state()])).toBe(true);
    expect(isNoWorse([refused], [refused])).toBe(true);
    expect(state([], [], `${base}RPC_ENABLE=1\nRPC_VHOSTS="a, b"\n`).refusals).toEqual([]);
  });
});

describe('the state of a finding after an edit', () => {
  const one = finding('a', 'high');
  test.each<[string, Finding[], Finding[], string]>([
    ['it is gone', [one], [], 'gone'],
    ['one of two is gone', [one, finding('a', 'low')], [finding('a', 'low')], 'gone'],
    ['it stays', [one], [one], 'same'],
    ['it is milder', [one], [finding('a', 'low')], 'eased'],
    ['one of two is milder', [one, one], [one, finding('a', 'low')], 'eased'],
    ['it is worse', [one], [finding('a', 'critical')], 'same'],
    ['another is gone', [one, finding('b', 'high')], [one], 'same'],
    ['it never was', [], [], 'same'],
  ])('%s', (_, before, after, expected) => {
    expect(became(one, state(before), state(after))).toBe(expected);
  });

  test('an accepted finding differs from an open finding', () => {
    expect(subjectOf(finding('a', 'low', true))).not.toBe(subjectOf(finding('a', 'low')));
    expect(became(one, state([one]), state([finding('a', 'high', true)]))).toBe('gone');
  });
});

describe('the start of the nodes', () => {
  const starts = (before: string, after: string) =>
    startsAs([state([], [], base + before)], [state([], [], base + after)]);

  test.each([
    ['the same words', 'VERBOSITY=3\n', 'VERBOSITY=3\n'],
    ['words that say the same', 'ADDITIONAL="--verbosity 3"\n', 'VERBOSITY=3\n'],
    ['a comment more', '', '# a comment\n'],
    ['lines in another order', 'VERBOSITY=3\nSYNCMODE=full\n', 'SYNCMODE=full\nVERBOSITY=3\n'],
    ['the same exported', 'export KAIA_RPC=1\n', 'export KAIA_RPC=1 # note\n'],
  ])('the same: %s', (_, before, after) => {
    expect(starts(before, after)).toBe('same');
  });

  test.each([
    ['another value', 'VERBOSITY=3\n', 'VERBOSITY=4\n'],
    ['a value that was the default', '', 'ADDITIONAL="--rpc=false"\n'],
    ['something exported', '', 'export OTHER=1\n'],
    ['exported with another value', 'export OTHER=1\n', 'export OTHER=2\n'],
  ])('changed: %s', (_, before, after) => {
    expect(starts(before, after)).toBe('changed');
  });

  test.each([
    ['words nobody knows', 'ADDITIONAL=$(flags)\n', 'ADDITIONAL=$(flags)\n'],
    ['a value nobody knows, after', '', 'VERBOSITY=$(cat v)\n'],
    ['a value nobody knows, before', 'VERBOSITY=$(cat v)\n', ''],
    ['an export nobody knows', 'export OTHER=$(id -u)\n', 'export OTHER=$(id -u)\n'],
  ])('unknown: %s', (_, before, after) => {
    expect(starts(before, after)).toBe('unknown');
  });

  /** The state, with other settings than any text gives. */
  const having = (settings: Partial<Conf['settings']>, shell?: Conf['shell']): NodeState => {
    const known = conf(base);
    const all = { ...known, settings: { ...known.settings, ...settings } };
    return nodeState(shell === undefined ? all : { ...all, shell }, {
      findings: [],
      undetermined: [],
      kind: kaia,
    });
  };
  const word = (text: string | null) => ({ text, variable: null, at: null });
  const setting = (value: string | null, kind: 'default' | 'launcher', unknown = false) => {
    const origin = kind === 'default' ? { kind } : { kind, flag: '--x' };
    return { value, origin, shadowed: [], indeterminate: unknown ? 'x' : null };
  };

  test('one unknown word or setting makes the start unknown', () => {
    const [known, open] = [setting('3', 'launcher'), setting(null, 'launcher', true)];
    const words = having({ start: [word('--x'), word(null)], values: { known } });
    expect(startsAs([words], [words])).toBe('unknown');
    const values = having({ start: [word('--x')], values: { known, open } });
    expect(startsAs([values], [values])).toBe('unknown');
    const both = having({ start: [word('--x')], values: { known } });
    expect(startsAs([both], [both])).toBe('same');
  });

  test('the order of settings and explicit defaults make no difference', () => {
    const [a, b, c] = [setting('1', 'launcher'), setting('2', 'launcher'), setting('3', 'default')];
    expect(startsAs([having({ values: { a, b } })], [having({ values: { b, a, c } })])).toBe('same');
    expect(startsAs([having({ values: { a } })], [having({ values: { a: b } })])).toBe('changed');
  });

  test('a source that is no script exports nothing', () => {
    const plain = having({}, null);
    expect(startsAs([plain], [plain])).toBe('same');
    expect(startsAs([plain], [state()])).toBe('same');
  });

  test('settings without any flag are those of the same node', () => {
    const bare = having({ values: {} });
    expect(isNoWorse([bare], [bare])).toBe(true);
  });

  test('an unknown setting is unknown, with or without words', () => {
    const values = {
      verbosity: { value: null, origin: { kind: 'default' }, shadowed: [], indeterminate: 'x' },
    } as const;
    const open = having({ values });
    expect(startsAs([open], [open])).toBe('unknown');
    const silent = having({ start: null }, null);
    expect(startsAs([silent], [silent])).toBe('unknown');
  });

  test.each([
    ['A', 'A', 'same'],
    ['A', 'B', 'changed'],
    ['A', null, 'unknown'],
  ] as const)(
    'a launcher that refuses to start goes by what it reads: %s, then %s',
    (before, after, starts) => {
      const refused = (value: string | null) => {
        const { shell } = conf(base);
        if (shell === null) throw new Error('a conf is a script');
        const variables = { PORT: value, OTHER: 'x' };
        return having({ start: null }, { ...shell, reads: ['PORT'], variables });
      };
      expect(startsAs([refused(before)], [refused(after)])).toBe(starts);
    },
  );

  test('without a state there is nothing to start', () => {
    expect(startsAs(null, null)).toBe('same');
    expect(startsAs(null, [state()])).toBe('changed');
  });
});
