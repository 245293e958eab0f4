/** Words that no program reads as they are meant: one argument with a blank, and typographic dashes and quotes. */
import type { Program } from '../../dialect/dialect.js';
import type { CommandWord } from '../../dialect/word.js';
import type { StartProblem } from '../../facts/settings.js';
import { fileNames } from '../text/placeholders.js';

const marks: Readonly<Record<string, string>> = {
  '–': 'an en dash (U+2013)',
  '—': 'an em dash (U+2014)',
  '‐': 'a typographic hyphen (U+2010)',
  '‑': 'a non-breaking hyphen (U+2011)',
  '−': 'a minus sign (U+2212)',
  '“': 'a typographic quote (U+201C)',
  '”': 'a typographic quote (U+201D)',
  '„': 'a typographic quote (U+201E)',
  '‘': 'a typographic quote (U+2018)',
  '’': 'a typographic quote (U+2019)',
};
const loneBackslash =
  'This backslash is a word, which every release refuses: only directly before a line break it continues the command';
const byShell =
  'The shell replaces the * without quotes by the names of the files in its folder, and the node gets these; it is judged with the *';
const dashes = /^(?:-?[–—‐‑−]+-?|--?[‐‑−]+)(?=[A-Za-z])/;
const unmarked = /^[\w./:=,-]*$/;
const quotes = /[“”„‘’]/g;

/** The words as they are meant, and why the program refuses those that are written. */
export function meantWords(program: Program, given: readonly CommandWord[]) {
  const problems: StartProblem[] = [];
  const words = given.flatMap((word) => {
    // Of the values of a conf, the rules about its lines tell.
    const isOwn = word.variable === null || word.extra === true;
    if (word.text === null || !isOwn || unmarked.test(word.text)) return [word];
    if (word.text === '\\') {
      problems.push(problem('lone-backslash', word, loneBackslash, ''));
      return [];
    }
    if (word.text.endsWith(fileNames)) {
      problems.push({ ...problem('expanded-word', word, byShell, ''), fatal: false });
      return [{ ...word, text: word.text.slice(0, -1) }];
    }
    const plain = word.text.replace(dashes, '--').replace(quotes, '');
    const mark = [...word.text].find((char) => Object.hasOwn(marks, char));
    const pieces = argumentsIn(program, plain);
    const isPlain = plain === word.text;
    if (!isPlain && mark !== undefined) {
      const read = dashes.test(word.text) ? 'no program reads as a hyphen' : 'no shell removes';
      const message = `${word.text} has ${marks[mark]}, which ${read}`;
      problems.push(problem('typographic-mark', word, message, plain));
    }
    const asOne = `${plain} is one argument with a blank, which every release refuses`;
    if (pieces.length > 1) problems.push(problem('one-argument', word, asOne, plain));
    return isPlain && pieces.length === 1 ? [word] : pieces.map((text) => ({ ...word, text }));
  });
  return { words, problems };
}

/** A flag and what follows it behind a blank, without the quotes that a shell would take off; flags behind the value of another one. */
function argumentsIn({ flags }: Program, text: string): string[] {
  const pieces = text.trim().split(/\s+/);
  const isFlag = (piece: string) => flags.byName.has(/^--?([A-Za-z][\w.-]*)/.exec(piece)?.[1] ?? '');
  const [first = '', ...others] = pieces;
  const isOne = pieces.length < 2 || !isFlag(first) || (first.includes('=') && !others.some(isFlag));
  return isOne ? [text] : pieces.map((piece) => piece.replace(/^([^'"]*)(["'])(.*)\2$/, '$1$3'));
}

function problem(
  kind: StartProblem['kind'],
  word: CommandWord,
  message: string,
  plain: string,
): StartProblem {
  const flags = /^--?([A-Za-z][\w.-]*)/.exec(plain)?.slice(1) ?? [];
  return { kind, fatal: true, message, at: word.at, variable: word.variable, flags };
}
