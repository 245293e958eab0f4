/** A value that depends on a command or on another source that cannot be resolved offline. */

import { indeterminate } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import { type ConfShell, type IndeterminateValue, leftOut, type SyntaxIssue } from '../facts/shell.js';
import { advise } from '../fix/proposal/fix.js';
import { bash, conf, type Draft, type Rule } from '../judge/rule/rule.js';

/** Variables that decide what is exposed. */
const exposing =
  /^(?:RPC_|WS_|ADDITIONAL$|METRICS$|PROMETHEUS$|SC_MAIN_BRIDGE|SC_SUB_BRIDGE|SCSIGNER$|KLAYTN_|KAIA_)/;

export const opaqueValue: Rule = {
  id: 'opaque-value',
  severity: 'medium',
  title: 'A value cannot be resolved offline.',
  why: `The launcher sources the file, so a command substitution $(…), a sourced file or an unset variable decides the value when the node starts. kaiactl never runs commands: checks that depend on the value are reported as undetermined, never as passed.`,
  fix: 'Write the value literally, or pass the variable with --env.',
  ignore: 'If the audit of the running node shows the value and it is the intended one.',
  sources: [bash('Command-Substitution'), 'docs/lint.md#effective-settings'],
  examples: {
    bad: conf('RPC_ENABLE=0', 'RPC_PORT=$(cat /etc/kend/port)'),
    good: conf('RPC_ENABLE=0', 'RPC_PORT=8551'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const told = new Set(shell.indeterminate.map(({ at }) => at.line));
    const findings = [
      ...shell.indeterminate.filter(
        (one, at) => matters(shell, one) && !repeats(shell.indeterminate, one, at),
      ),
      ...shell.syntaxIssues
        .filter((one) => setsVariables(settings, one) && !told.has(one.at.line))
        .map(({ at }) => ({ variable: null, reason: elsewhere, at })),
    ].map(draft);
    // Code that is not evaluated may change every later value, so nothing in the file is certain.
    const blindSpots = findings
      .filter(({ subject }) => subject === 'file')
      .map(({ evidence }) => indeterminate(null, String(evidence.reason)));
    return { findings, blindSpots };
  },
};

const elsewhere = 'it sets variables from another source';

/** Whether the command is `. file`, `source file` or `eval …`: they can set any variable. */
export function setsVariables(settings: Settings, { kind, at }: SyntaxIssue): boolean {
  const text = settings.source.lines[at.line - 1]?.slice(at.column - 1) ?? '';
  return kind === 'command' && /^(?:\.|source|eval)\s/.test(text);
}

/** False for a variable of the file's own: where another value uses it, that value is reported. */
function matters({ reads }: ConfShell, { variable }: IndeterminateValue): boolean {
  return variable === null || reads.includes(variable) || exposing.test(variable);
}

/** One finding per line and variable: an `if` and the assignments in it report the same; one for all lines that a template has. */
function repeats(all: readonly IndeterminateValue[], one: IndeterminateValue, at: number): boolean {
  const before = all[at - 1];
  if (one.reason === leftOut) return all.findIndex(({ reason }) => reason === leftOut) < at;
  return before !== undefined && before.at.line === one.at.line && before.variable === one.variable;
}

function draft({ variable, reason, at }: IndeterminateValue) {
  const exposes = reason !== leftOut && (variable === null || exposing.test(variable));
  return {
    subject: variable ?? 'file',
    severity: exposes ? ('medium' as const) : ('low' as const),
    at,
    message: `${variable === null ? 'This line' : `The value of ${variable}`} cannot be resolved offline: ${reason.replace(/\.$/, '')}. kaiactl runs no commands.`,
    fix: advise(
      variable === null
        ? 'Use plain assignments instead.'
        : `Write the value of ${variable} literally, or pass it with --env.`,
    ),
    evidence: { reason },
  } satisfies Draft;
}
