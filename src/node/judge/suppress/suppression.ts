/** `# kaiactl-ignore <rule>[(<subject>[,…])] [until=YYYY-MM-DD] [reach=private] reason="…"`: the syntax of a suppression comment. */
import { type Reach, reaches } from '../../facts/severity.js';

/** One rule named by one comment. */
export interface Named {
  /** As written: a current or a former id. */
  readonly rule: string;
  /** The covered subjects, as the last word of a finding’s subject; null for all. */
  readonly subjects: readonly string[] | null;
  readonly reason: string;
  /** The last day it holds, `YYYY-MM-DD`; null for no end. */
  readonly until: string | null;
  /** The widest reach of the interface with which it holds; null for any. */
  readonly reach: Reach | null;
}

/** The rules that a comment names, or why it is invalid. */
export type Parsed = { readonly named: readonly Named[] } | { readonly problem: string };

/** Whether a comment contains the keyword. */
export function isSuppression(text: string): boolean {
  return /kaiactl-ignore\b/.test(text);
}

export function parseSuppression(text: string): Parsed {
  const rest = text.slice(text.indexOf('kaiactl-ignore') + 'kaiactl-ignore'.length);
  const reason = /\breason=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(rest);
  const until = /\buntil=(\S*)/.exec(rest)?.[1] ?? null;
  const within = /\breach=(\S*)/.exec(rest.replace(reason?.[0] ?? '', ''))?.[1] ?? null;
  const reach = reaches.find((one) => one === within) ?? null;
  const words = rest
    .replace(/\b(?:reason=(?:"[^"]*"?|'[^']*'?|\S+)|(?:until|reach)=\S*)/g, ' ')
    .replace(/#.*/, '') // a comment after the suppression
    .matchAll(/([^\s,:()]+)(?:\(([^)]*)\))?/g);
  const why = (reason?.[1] ?? reason?.[2] ?? reason?.[3] ?? '').trim();
  const named = [...words].map(([, rule = '', subjects]) => ({ rule, subjects: subjectsOf(subjects) }));
  if (named.length === 0) return { problem: 'It names no rule.' };
  if (why === '') return { problem: 'It gives no reason.' };
  if (until !== null && !isDate(until)) return { problem: `until=${until} is not a date (YYYY-MM-DD).` };
  if (within !== null && reach === null)
    return { problem: `reach=${within} is not one of ${reaches.join(', ')}.` };
  return { named: named.map((one) => ({ ...one, reason: why, until, reach })) };
}

function subjectsOf(text: string | undefined): string[] | null {
  return text?.split(',').map((one) => one.trim()) ?? null;
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
