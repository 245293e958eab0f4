/** Reports as diagnostics and quick fixes. */
import { expect, test } from 'vitest';
import type { TargetReport, Undetermined } from '../../../src/node/facts/report.js';
import { actionsAt } from '../../../src/node/lsp/actions.js';
import { diagnosticsOf } from '../../../src/node/lsp/diagnostics.js';
import { fence, ruleMarkdown } from '../../../src/node/lsp/hover.js';
import { payloads, targetOf } from '../report/reports.js';

const addresses = {
  pageOf: (rule: string) => `file:///rules#${rule}`,
  uriOf: (file: string) => `file:///${file}`,
};
const own = (target: TargetReport) => diagnosticsOf([target], addresses).get('confs/kend.conf') ?? [];
const finding = targetOf((what) => what).findings[0]!;
const at = { file: 'confs/kend.conf', line: 8, column: 28, endLine: 8, endColumn: 33 };

test.each([
  ['critical', 1],
  ['high', 1],
  ['medium', 2],
  ['low', 3],
  ['info', 4],
] as const)('%s has the severity %i of an editor', (severity, level) => {
  const target = targetOf((what) => what, 'en-1', { findings: [{ ...finding, severity }], undetermined: [] });
  expect(own(target).map(({ diagnostic }) => diagnostic.severity)).toEqual([level]);
});

test('what is open is information: at its place, or once for a file and a reason', () => {
  const undetermined: readonly Undetermined[] = [
    {
      rule: 'unfollowed-start',
      code: 'unfollowed',
      about: 'x',
      reason: 'confs/kend.conf:8:28: not followed',
      at,
    },
    ...['public-bind', 'open-profiler'].map(
      (rule): Undetermined => ({
        rule,
        code: 'unreadable',
        about: 'x',
        reason: 'binary',
      }),
    ),
    {
      rule: 'unjudged-node',
      code: 'unfollowed',
      about: 'x',
      reason: 'known',
      at,
      suppressed: { reason: 'x', until: null },
    },
  ];
  const shown = own(targetOf((what) => what, 'en-1', { findings: [], undetermined }));
  expect(
    shown.map(({ diagnostic: { code, severity, message, range } }) => [code, severity, message, range.start]),
  ).toEqual([
    ['unfollowed-start', 3, 'not followed', { line: 7, character: 27 }],
    ['public-bind', 3, 'undetermined: public-bind, and 1 other rule: binary', { line: 0, character: 0 }],
  ]);
});

test('suppressed findings are left out, but a critical one is a hint without a fix', () => {
  const suppressed = { reason: 'known', until: null };
  const findings = (['critical', 'high'] as const).map((severity) => ({ ...finding, severity, suppressed }));
  const [only, ...others] = own(targetOf((what) => what, 'en-1', { findings, undetermined: [] }));
  expect([only?.diagnostic.severity, only?.fixes, others]).toEqual([4, [], []]);
  expect(only?.diagnostic.message).toMatch(/^suppressed: .*\nReason: known$/);
});

test('a related place is linked, an endpoint has no place', () => {
  const related = [
    { at, note: 'this value is not used', source: null },
    { at: { endpoint: 'http://127.0.0.1:8551' }, note: 'here too', source: null },
  ];
  const [shown] = own(targetOf((what) => what, 'en-1', { findings: [{ ...finding, related }] }));
  expect(shown?.diagnostic.relatedInformation).toMatchObject([
    {
      location: { uri: 'file:///confs/kend.conf', range: { start: { line: 7 } } },
      message: 'this value is not used',
    },
  ]);
});

test('an edit of several files is one action, and one with an edit of a line end none', () => {
  const edit = { ...at, text: 'x', source: 'X=1' };
  const fixes = [
    { fix: 'Write x.', edits: [edit, { ...edit, file: '.env' }], safety: 'safe' as const },
    { fix: 'Cut it.', edits: [{ ...edit, text: '', source: null }], safety: 'unsafe' as const },
    { fix: 'End it.', edits: [{ ...edit, text: '', source: 'X=1' }], safety: 'safe' as const },
  ];
  const diagnostic = own(targetOf((what) => what))[0]!.diagnostic;
  const editor = { uriOf: addresses.uriOf, versionOf: (file: string) => (file === '.env' ? null : 3) };
  const [here, elsewhere] = [8, 9].map((line) => ({
    start: { line: line - 1, character: 30 },
    end: { line: line - 1, character: 30 },
  }));
  const actions = actionsAt(here!, [{ diagnostic, fixes }], { ...editor, hasDocumentChanges: true });
  expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
    ['Write x', true],
    ['Cut it (unsafe: changes how the node starts)', false],
  ]);
  expect(actions[0]?.edit?.documentChanges).toMatchObject([
    { textDocument: { uri: 'file:///confs/kend.conf', version: 3 }, edits: [{ newText: 'x' }] },
    { textDocument: { uri: 'file:///.env', version: null }, edits: [{ newText: 'x' }] },
  ]);
  const plain = actionsAt(here!, [{ diagnostic, fixes }], { ...editor, hasDocumentChanges: false });
  expect(Object.keys(plain[0]?.edit?.changes ?? {})).toEqual(['file:///confs/kend.conf', 'file:///.env']);
  expect(actionsAt(elsewhere!, [{ diagnostic, fixes }], { ...editor, hasDocumentChanges: true })).toEqual([]);
});

test.each(payloads)('hostile text is one line without controls, and ends no code block: %j', (payload) => {
  const target = targetOf((what) => (what === 'confs/kend.conf' ? what : payload));
  for (const { diagnostic } of own(target))
    expect(String(diagnostic.message).split('\nFix: ').join('')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
  expect(fence(`${payload}\n\`\`\`\n`).split('\n').at(-1)).toMatch(/^`{4,}$/);
  expect(ruleMarkdown({ id: 'x', title: 'A *b*.', why: 'c', fix: '<d>' }, 'file:///x')).toBe(
    '**[x](file:///x)** A \\*b\\*.\n\nc\n\n**Fix.** \\<d>',
  );
});
