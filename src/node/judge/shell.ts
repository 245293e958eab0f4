/** Questions rules ask of a conf as the script it is. */

import type { Assignment, Shell } from '../facts/shell.js';
/** The assignment that decides a variable's value; undefined when the file does not set it. */
export function effectiveAssignment(shell: Shell, variable: string): Assignment | undefined {
  return shell.assignments.findLast((one) => one.variable === variable && one.effective);
}

/** True when an issue already tells why what follows it is lost: the launcher's refusal is then no news. */
export function isBroken(shell: Shell): boolean {
  return shell.syntaxIssues.some(({ kind }) =>
    ['carriage-return', 'unclosed-quote', 'syntax-error'].includes(kind),
  );
}
