/** A value that depends on a command, or on something else that cannot be known offline. */

import { indeterminate } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import type { IndeterminateValue, SyntaxIssue } from '../facts/shell.js';
import { advise } from '../judge/fix/fix.js';
import { conf, type Draft, type Rule } from '../judge/rule/rule.js';

/** Variables that decide what is exposed. */
const exposing =
  /^(?:RPC_|WS_|ADDITIONAL$|METRICS$|PROMETHEUS$|SC_MAIN_BRIDGE|SC_SUB_BRIDGE|SCSIGNER$|KLAYTN_|KAIA_)/;

export const opaqueValue: Rule = {
  id: 'opaque-value',
  severity: 'medium',
  title: 'A value cannot be known without running something.',
  why: `The launcher sources the file, so $(…), a sourced file or an unset variable decides the value at start, with the launcher’s rights. kaiactl never runs anything: what depends on the value is reported as not seen, never as fine.`,
  fix: 'Write the value out, or pass the variable with --env when linting.',
  examples: {
    bad: conf('RPC_ENABLE=0', 'RPC_PORT=$(cat /etc/kend/port)'),
    good: conf('RPC_ENABLE=0', 'RPC_PORT=8551'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const told = new Set(shell.indeterminate.map(({ at }) => at.line));
    const findings = [
      ...shell.indeterminate.filter((one, at) => !repeats(shell.indeterminate, one, at)),
      ...shell.syntaxIssues
        .filter((one) => setsVariables(settings, one) && !told.has(one.at.line))
        .map(({ at }) => ({ variable: null, reason: elsewhere, at })),
    ].map(draft);
    // Code that is not followed could change whatever stands behind it: nothing in the file is certain then.
    const blindSpots = findings
      .filter(({ subject }) => subject === 'file')
      .map(({ evidence }) => indeterminate(null, String(evidence.reason)));
    return { findings, blindSpots };
  },
};

const elsewhere = 'it sets variables from somewhere else';

/** True for `. file`, `source file` and `eval …`: after them no variable is known. */
export function setsVariables(settings: Settings, { kind, at }: SyntaxIssue): boolean {
  const text = settings.source.lines[at.line - 1]?.slice(at.column - 1) ?? '';
  return kind === 'command' && /^(?:\.|source|eval)\s/.test(text);
}

/** One finding a line: `if` and the assignments in it tell the same. */
function repeats(all: readonly IndeterminateValue[], one: IndeterminateValue, at: number): boolean {
  const before = all[at - 1];
  return before !== undefined && before.at.line === one.at.line && before.variable === one.variable;
}

function draft({ variable, reason, at }: IndeterminateValue) {
  const matters = variable === null || exposing.test(variable);
  return {
    subject: variable ?? 'file',
    severity: matters ? ('medium' as const) : ('low' as const),
    at,
    message: `${variable === null ? 'What stands here' : `The value of ${variable}`} cannot be known offline: ${reason.replace(/\.$/, '')}. Nothing was run.`,
    fix: advise(
      variable === null
        ? 'Write plain assignments.'
        : `Write the value of ${variable} out, or name it with --env when linting.`,
    ),
    evidence: { reason },
  } satisfies Draft;
}
