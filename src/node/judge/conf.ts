/** Questions rules ask of a conf as a whole. */
import type { Assignment, ConfFacts, Listener, ListenerKind } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import { type BlindSpot, indeterminate } from '../facts/seen.js';
import type { Span } from '../facts/span.js';
import type { Draft, Verdict } from './rule.js';

/** A check that sees only the conf; `needs` must name it. */
export function forConf(check: (conf: ConfFacts) => Verdict): (facts: Facts) => Verdict {
  return (facts) => {
    if (facts.conf?.state !== 'seen') throw new Error('the rule needs a conf that was read');
    return check(facts.conf.value);
  };
}

/** The verdict of a rule that looked everywhere it had to. */
export function found(findings: readonly Draft[], blindSpots: readonly BlindSpot[] = []): Verdict {
  return { findings, blindSpots };
}

/** The listeners of these kinds that are on. */
export function listenersOn(conf: ConfFacts, ...kinds: readonly ListenerKind[]): Listener[] {
  return conf.listeners.filter(({ kind, state }) => state === 'on' && kinds.includes(kind));
}

/** Why listeners of these kinds cannot be judged: one reason each. */
export function blindListeners(conf: ConfFacts, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return conf.listeners
    .filter(({ kind, state }) => state === 'unknown' && kinds.includes(kind))
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'whether it is on cannot be known offline'));
}

/** Why the module lists of interfaces that are on cannot be judged. */
export function blindLists(conf: ConfFacts, ...kinds: readonly ListenerKind[]): BlindSpot[] {
  return listenersOn(conf, ...kinds)
    .filter(({ modules }) => modules === null)
    .map(({ kind, reason }) => indeterminate(kind, reason ?? 'its module list cannot be known offline'));
}

/** The assignment that decides a variable's value; undefined when the file does not set it. */
export function effectiveAssignment(conf: ConfFacts, variable: string): Assignment | undefined {
  return conf.assignments.findLast((one) => one.variable === variable && one.effective);
}

/** True when an issue already tells why what follows it is lost: the launcher's refusal is then no news. */
export function isBroken(conf: ConfFacts): boolean {
  return conf.syntaxIssues.some(({ kind }) =>
    ['carriage-return', 'unclosed-quote', 'syntax-error'].includes(kind),
  );
}

/** The reason a setting's value cannot be known, or null. */
export function indeterminateReason(conf: ConfFacts, flag: string): string | null {
  return conf.settings[flag]?.indeterminate ?? null;
}

/** The place where nothing in particular stands: the file itself. */
export function fileStart(conf: ConfFacts): Span {
  return { file: conf.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

/** Words as a sentence lists them: `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The text as a sentence: a capital unless it begins with a name, a full stop unless it has an end. */
export function sentence(text: string): string {
  const first = /^[a-z]+\b(?![_.=])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** A value quoted for a message, cut when it is long. */
export function quoted(value: string): string {
  return `"${value.length > 60 ? `${value.slice(0, 59)}…` : value}"`;
}

/** Finds the assignment a place lies in; made once per conf, so that many places cost little. */
export function assignmentsByLine(conf: ConfFacts): (at: Span) => Assignment | undefined {
  const byLine = new Map<number, Assignment[]>();
  for (const one of conf.assignments) {
    for (let line = one.at.line; line <= one.at.endLine; line++) {
      const all = byLine.get(line);
      if (all === undefined) byLine.set(line, [one]);
      else all.push(one);
    }
  }
  return (at) => byLine.get(at.line)?.find((one) => inside(at, one.at));
}

/** True when a place lies inside another. */
export function inside(inner: Span, outer: Span): boolean {
  const after = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const before =
    inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return inner.file === outer.file && after && before;
}
