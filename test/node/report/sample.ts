/** A report with everything a format has to cope with, put together by the real judge and pipeline. */

import type { Report } from '../../../src/node/facts/report.js';
import { indeterminate, notSeen } from '../../../src/node/facts/seen.js';
import type { Settings } from '../../../src/node/facts/settings.js';
import { advise } from '../../../src/node/fix/proposal/fix.js';
import { decideVerdict, type Rule, type Verdict } from '../../../src/node/judge/rule/rule.js';
import { summarise } from '../../../src/node/summarise.js';
import { withFile } from '../editables.js';
import { confOf, factsOf, listener, span } from '../judge/facts.js';
import { judgeTarget } from '../pipeline.js';

const lines = [
  'RPC_API="klay,eth"',
  'RPC_CORSDOMAIN="*" # a\ttab and \u001b[31mred',
  'ADDITIONAL="--rpcapi klay,debug"',
  'X="</script>" # kaiactl-ignore tiny reason="a & b"',
];

function rule(id: string, severity: Rule['severity'], check: (settings: Settings) => Verdict): Rule {
  const words = {
    title: `${id} <title>.`,
    why: `why ${id} & more`,
    fix: `fix ${id}`,
    ignore: '',
    sources: [],
  };
  return {
    id,
    severity,
    ...words,
    on: 'settings',
    examples: { bad: { conf: '' }, good: { conf: '' } },
    check,
  };
}

export const sampleRules: readonly Rule[] = [
  rule('open-access', 'high', ({ source }) =>
    decideVerdict(
      !(source.lines[1]?.includes('*') ?? false)
        ? []
        : [
            {
              subject: 'RPC_CORSDOMAIN',
              at: span(2, 16, 19),
              message:
                'RPC_CORSDOMAIN holds *: any web page can call this node through the browser of someone who can reach it.',
              fix: {
                say: 'Name only what is really used.',
                edits: () => [{ at: span(2, 16, 19), text: '"https://app.example"' }],
                safety: 'unsafe',
              },
              evidence: { value: ['*'] },
            },
          ],
    ),
  ),
  rule('hidden-value', 'medium', () =>
    decideVerdict([
      {
        subject: 'rpcapi',
        at: span(3, 13, 32),
        message: 'ADDITIONAL overrides RPC_API.',
        fix: advise('Say it in RPC_API.'),
        related: [{ at: span(1, 9, 19), note: 'this value is not used' }],
      },
    ]),
  ),
  rule('tiny', 'low', () =>
    decideVerdict([
      { subject: 'X', at: span(4, 1, 4), message: '<b>"x" | `y`</b>', fix: advise('Empty X.') },
    ]),
  ),
  rule('blind', 'high', ({ source }) =>
    decideVerdict([], source.path === 'kend.conf' ? [indeterminate('ws', 'WS_API depends on $(date)')] : []),
  ),
];

/** Two targets: one read, with four kinds of outcome, and one that could not be read. */
export function sampleReport(): Report {
  const read = (text: string) =>
    confOf(text.split('\n'), {
      listeners: [
        listener('http', { state: 'on', host: '0.0.0.0', port: 8551 }),
        listener('ws', { state: 'on', host: '0.0.0.0', port: 8552 }),
      ],
    });
  const text = lines.join('\n');
  const [conf = read(text)] = withFile(text, [read(text)], (other) => [read(other)]);
  const unread = {
    ...factsOf(conf),
    name: 'missing.conf',
    conf: notSeen('unreadable', 'no such file'),
  };
  const judged = [factsOf(conf), unread].map((facts) =>
    judgeTarget(facts, { failOn: 'high', rules: sampleRules }),
  );
  return summarise(judged, {
    version: '0.0.0',
    startedAt: 0,
    finishedAt: 1500,
    failOn: 'high',
    inputFailed: true,
    rules: sampleRules,
  });
}
