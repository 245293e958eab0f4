/** A kaiactl-ignore comment that suppresses nothing. */

import { conf, decideVerdict, type Rule } from '../judge/rule/rule.js';
export const malformedSuppression: Rule = {
  id: 'malformed-suppression',
  severity: 'medium',
  title: 'A suppression comment is invalid.',
  why: `A comment without a rule, with an unknown rule, without a reason or with an invalid date suppresses nothing, although its author expects it to. The reason is required for the next reader.`,
  fix: 'Write # kaiactl-ignore <rule> [until=YYYY-MM-DD] [reach=private] reason="…" on the line of the finding or on the line above.',
  ignore: 'Never: correct the comment or delete it.',
  sources: ['docs/lint.md#accept-one-line'],
  examples: {
    bad: conf('# kaiactl-ignore open-profiler', 'METRICS=0'),
    good: conf('# kaiactl-ignore open-profiler reason="firewalled"', 'METRICS=1 PROMETHEUS=1'),
  },
  on: 'settings',
  check: () => decideVerdict([]), // suppress.ts adds them, because it knows every rule
};
