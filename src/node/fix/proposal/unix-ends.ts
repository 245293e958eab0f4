/** What Unix line ends would change in a file with carriage returns. */
import { joinWords } from '../../../util/words.js';
import type { SyntaxIssue } from '../../facts/shell.js';
import { advise, type Fix } from './fix.js';

/** Edits of more lines are left to an editor. */
const maxEdits = 2_000;

/** Removes the carriage returns; safe if the start stays the same. */
export function withUnixEnds({ at, more = [], repaired }: SyntaxIssue, say: string): Fix {
  if (repaired === undefined || more.length >= maxEdits) return advise(say);
  const edits = () => [at, ...more].map((one) => ({ at: one, text: '' }));
  return { say, edits, safety: repaired.isSame ? 'safe' : 'unsafe' };
}

/** What the node does with Unix line ends and does not do now, as a sentence; empty if nothing. */
export function effectOfUnixEnds({ repaired }: SyntaxIssue): string {
  if (repaired === undefined || repaired.isSame) return '';
  const opened = repaired.opens.map(({ kind, modules }) =>
    modules === null || modules.length === 0 ? kind : `${kind} (${modules.join(', ')})`,
  );
  const effects = [
    ...(repaired.starts ? ['starts'] : []),
    ...(opened.length === 0 ? [] : [`opens ${joinWords(opened)}`]),
  ];
  const effect = effects.length === 0 ? 'gets other values' : effects.join(' and ');
  return `With Unix line ends, the node ${effect}.`;
}
