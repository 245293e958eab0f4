import { expect, test } from 'vitest';
import type { Facts } from '../../../../src/node/facts/facts.js';
import { indeterminate } from '../../../../src/node/facts/seen.js';
import type { Span } from '../../../../src/node/facts/span.js';
import { advise } from '../../../../src/node/fix/proposal/fix.js';
import { judgeReadings } from '../../../../src/node/judge/readings.js';
import { decideVerdict, type Rule } from '../../../../src/node/judge/rule/rule.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { expiredSuppression } from '../../../../src/node/rules/expired-suppression.js';
import { malformedSuppression } from '../../../../src/node/rules/malformed-suppression.js';
import { unusedSuppression } from '../../../../src/node/rules/unused-suppression.js';
import { readConf } from '../../editables.js';
import { judgeTarget } from '../../pipeline.js';
import { confOf, factsOf, span } from '../facts.js';

const example = { conf: '' };
/** Fires on every line that holds BAD; blind when the file says BLIND. */
const badLine: Rule = {
  id: 'bad-line',
  aliases: ['old-name'],
  severity: 'high',
  title: 't',
  why: 'w',
  fix: 'f',
  ignore: '',
  sources: [],
  examples: { bad: example, good: example },
  on: 'settings',
  check: ({ source: { lines } }) =>
    decideVerdict(
      lines.flatMap((text, at) =>
        /^BAD|^ {2}BAD/.test(text)
          ? [{ subject: text, message: 'm', fix: advise('f'), at: span(at + 1, 1, 4) }]
          : [],
      ),
      lines.includes('BLIND') ? [indeterminate(null, 'blind')] : [],
    ),
};
const judgedIn = (facts: Facts, by: readonly Rule[]) => judgeReadings(facts, by, kinds, null).judgements;
const rules = [badLine, malformedSuppression, expiredSuppression, unusedSuppression];

function outcome(lines: readonly string[], multiline: readonly Span[] = []): string[] {
  const conf = confOf(lines);
  const facts = factsOf(
    { ...conf, settings: { ...conf.settings, source: { ...conf.settings.source, multiline } } },
    '2026-02-11T23:59:59.000Z',
  );
  return judgedIn(facts, rules).flatMap(({ findings }) =>
    findings.map((one) => {
      const line = 'line' in one.at ? one.at.line : 0;
      return `${line} ${one.rule}${one.suppressed === null ? '' : ` (${one.suppressed.reason})`}`;
    }),
  );
}

test.each<[string, string[], string[]]>([
  ['on the line', ['BAD # kaiactl-ignore bad-line reason="known"'], ['1 bad-line (known)']],
  ['on the line above', ['# kaiactl-ignore bad-line reason="known"', 'BAD'], ['2 bad-line (known)']],
  ['single quotes, no quotes', ["BAD # kaiactl-ignore bad-line reason='a b'"], ['1 bad-line (a b)']],
  ['by an alias', ['BAD # kaiactl-ignore old-name reason=known'], ['1 bad-line (known)']],
  [
    'a line with # in it ends the comments above',
    ['# kaiactl-ignore bad-line reason="x"', 'X # y', 'BAD'],
    ['3 bad-line', '1 unused-suppression'],
  ],
  ['several above', ['# kaiactl-ignore bad-line reason="known"', '# and why', 'BAD'], ['3 bad-line (known)']],
  ['until today', ['BAD # kaiactl-ignore bad-line until=2026-02-11 reason="x"'], ['1 bad-line (x)']],
  [
    'until yesterday',
    ['BAD # kaiactl-ignore bad-line until=2026-02-10 reason="x"'],
    ['1 bad-line', '1 expired-suppression'],
  ],
  [
    'two lines above',
    ['# kaiactl-ignore bad-line reason="x"', '', 'BAD'],
    ['3 bad-line', '1 unused-suppression'],
  ],
  [
    'a trailing comment covers its own line only',
    ['X # kaiactl-ignore bad-line reason="x"', 'BAD'],
    ['2 bad-line', '1 unused-suppression'],
  ],
  ['no reason', ['BAD # kaiactl-ignore bad-line'], ['1 bad-line', '1 malformed-suppression']],
  [
    'an empty reason',
    ['BAD # kaiactl-ignore bad-line reason=" "'],
    ['1 bad-line', '1 malformed-suppression'],
  ],
  ['no rule', ['BAD # kaiactl-ignore reason="x"'], ['1 bad-line', '1 malformed-suppression']],
  ['no such rule', ['BAD # kaiactl-ignore bad-lien reason="x"'], ['1 bad-line', '1 malformed-suppression']],
  [
    'no such day',
    ['BAD # kaiactl-ignore bad-line until=2026-02-30 reason="x"'],
    ['1 bad-line', '1 malformed-suppression'],
  ],
  [
    'no such reach',
    ['BAD # kaiactl-ignore bad-line reach=lan reason="x"'],
    ['1 bad-line', '1 malformed-suppression'],
  ],
  ['a reach', ['BAD # kaiactl-ignore bad-line reach=private reason="x"'], ['1 bad-line (x)']],
  ['reach= in the reason', ['BAD # kaiactl-ignore bad-line reason="reach=lan"'], ['1 bad-line (reach=lan)']],
  [
    'a rule that could not see everything is not called unused',
    ['BLIND', '# kaiactl-ignore bad-line reason="x"', 'GOOD'],
    [],
  ],
  [
    'suppressions cannot be suppressed',
    ['# kaiactl-ignore unused-suppression reason="x"', '# kaiactl-ignore bad-line reason="x"', 'GOOD'],
    ['1 unused-suppression', '2 unused-suppression'],
  ],
])('%s', (_name, lines, expected) => {
  expect(outcome(lines)).toEqual(expected);
});

test('a finding inside a value of several lines is reached from above its first line', () => {
  const lines = ['# kaiactl-ignore bad-line reason="known"', 'ADDITIONAL="--x \\', '  BAD"'];
  const at = { ...span(2, 1, 7), endLine: 3, endColumn: 7 };
  expect(outcome(lines, [at])).toEqual(['3 bad-line (known)']);
});

test('a comment suppresses only the rule that it names', () => {
  const other: Rule = { ...badLine, id: 'other', aliases: [] };
  const facts = factsOf(confOf(['BAD # kaiactl-ignore bad-line reason="known"']));
  const found = judgedIn(facts, [badLine, other]).flatMap(({ findings }) => findings);
  expect(found.map(({ rule, suppressed }) => [rule, suppressed?.reason])).toEqual([
    ['bad-line', 'known'],
    ['other', undefined],
  ]);
});

test('only the first thousand comments of a file suppress', () => {
  const line = 'BAD # kaiactl-ignore bad-line reason="known"';
  const open = outcome(Array(1_001).fill(line)).filter((one) => !one.endsWith('(known)'));
  expect(open).toEqual(['1001 bad-line']);
});

test('an unknown rule name is answered with the nearest name', () => {
  const facts = factsOf(confOf(['# kaiactl-ignore bad-lien reason="x"']));
  const messages = judgedIn(facts, rules).flatMap(({ findings }) => findings.map((one) => one.message));
  expect(messages).toEqual([
    'The comment suppresses nothing. There is no rule bad-lien. Did you mean bad-line?',
  ]);
});

/** One finding a module. */
const perModule: Rule = {
  ...badLine,
  id: 'modules',
  perModule: true,
  check: () =>
    decideVerdict(
      ['admin', 'debug'].map((name) => ({
        ...one,
        subject: `http ${name}`,
        evidence: { interface: 'http' as const, module: name },
      })),
    ),
} as Rule;
const one = { message: 'm', fix: advise('f'), at: span(1, 1, 4) };

test.each([
  ['one module', 'modules(admin)', ['http debug']],
  ['both', 'modules(admin, debug)', []],
  ['with its interface', 'modules(http debug)', ['http admin']],
  ['no module at all', 'modules', ['http admin', 'http debug', 'kaiactl-ignore']],
])('a suppression by module covers those it names: %s', (_what, named, open) => {
  const facts = factsOf(confOf([`BAD # kaiactl-ignore ${named} reason="x"`]));
  const all = judgedIn(facts, [perModule, malformedSuppression]);
  const findings = all.flatMap((judged) => judged.findings);
  expect(findings.flatMap(({ subject, suppressed }) => (suppressed === null ? [subject] : []))).toEqual(open);
});

test.each([
  ['', '10.0.0.1', 'suppressed'],
  ['', '0.0.0.0', 'suppressed'],
  ['reach=any ', '0.0.0.0', 'suppressed'],
  ['reach=private ', '10.0.0.1', 'suppressed'],
  ['reach=private ', '127.0.0.1', 'suppressed'],
  ['reach=private ', '0.0.0.0', 'reported'],
  ['reach=loopback ', '10.0.0.1', 'reported'],
])('with "%s" a module on %s is %s', (reach, host, expected) => {
  const lines = [
    `RPC_ENABLE=1 RPC_ADDR=${host} RPC_VHOSTS=localhost`,
    `RPC_API=klay,admin # kaiactl-ignore privileged-module(admin) ${reach}reason="known"`,
    // The interface of another finding decides nothing.
    'WS_ENABLE=1 WS_ADDR=0.0.0.0 WS_API=klay',
  ];
  const conf = readConf('kend.conf', Buffer.from(lines.join('\n')), { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  const found = findings.filter(({ rule }) => rule === 'privileged-module');
  expect(found.map(({ suppressed }) => (suppressed === null ? 'reported' : 'suppressed'))).toEqual([
    expected,
  ]);
  expect(findings.map(({ rule }) => rule)).not.toContain('unused-suppression');
});

test.each([
  ['RPC_API="admin # kaiactl-ignore privileged-module(admin) reason=x"', 'reported'],
  ["RPC_API='admin' # kaiactl-ignore privileged-module(admin) reason=x", 'suppressed'],
  ['RPC_API="admin"   # node\'s: kaiactl-ignore privileged-module(admin) reason=x', 'suppressed'],
  [
    '# the node\'s own\nRPC_API=admin # kaiactl-ignore privileged-module(admin) reason="it\'s known"',
    'suppressed',
  ],
  ['X="a\n# kaiactl-ignore privileged-module(admin) reason=x\n" RPC_API=admin', 'reported'],
  ['X="\\"" RPC_API=admin # kaiactl-ignore privileged-module(admin) reason=x', 'suppressed'],
])('%j: the module is %s', (line, expected) => {
  const text = `RPC_ENABLE=1 RPC_ADDR=0.0.0.0\n${line}\n`;
  const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  const found = findings.filter(
    ({ rule, subject }) => rule === 'privileged-module' && subject.endsWith('admin'),
  );
  const is =
    found.every(({ suppressed }) => suppressed !== null) && found.length > 0 ? 'suppressed' : 'reported';
  expect(is).toBe(expected);
});
