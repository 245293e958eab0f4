/** Questions about a conf as a script. */

import type { Settings } from '../../facts/settings.js';
import type { Assignment, ConfShell } from '../../facts/shell.js';

/** The assignment that decides a variable's value; undefined when the file does not set it. */
export function effectiveAssignment(shell: ConfShell, variable: string): Assignment | undefined {
  return shell.assignments.findLast((one) => one.variable === variable && one.effective);
}

/** Whether a syntax issue already explains why later lines are lost, and so why the launcher refuses to start. */
export function isBroken(shell: ConfShell): boolean {
  return shell.syntaxIssues.some(({ kind }) => ['unclosed-quote', 'syntax-error'].includes(kind));
}

/** The effective assignment of each variable that stays set, from top to bottom. */
export function effectiveAssignments(shell: ConfShell): Assignment[] {
  const last = new Map<string, Assignment>();
  for (const one of shell.assignments) if (one.effective && one.kind !== 'unset') last.set(one.variable, one);
  return [...last.values()].sort((a, b) => a.at.line - b.at.line);
}

/** The number of the last line that uses each variable. */
export function lastReads({ source }: Settings): Map<string, number> {
  const reads = new Map<string, number>();
  for (const [at, line] of source.lines.entries()) {
    if (!line.includes('$')) continue;
    for (const [, name = ''] of line.replace(/(^|\s)#.*$/, '').matchAll(/\$\{?([A-Za-z_]\w*)/g))
      reads.set(name, at + 1);
  }
  return reads;
}
