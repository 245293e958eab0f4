/** What the commands of a pipeline that passes on a text print: cat, grep, sed, awk, tr and xargs. */
import type { Placed } from '../text/placed.js';
import { maxLine, posixPattern } from '../text/posix-pattern.js';
import { splitWords } from '../text/words.js';

/** Null if the output is not known. */
type Filter = (args: readonly string[], input: Placed) => Placed | null;

/** The programs whose arguments after the options name files, which they read in place of their input. */
export const filters: Readonly<Record<string, Filter>> = {
  cat: (args, input) => (args.length === 0 ? input : null),
  grep: (args, input) => grep(args, input, false),
  egrep: (args, input) => grep(args, input, true),
  sed,
  awk,
  gawk: awk,
  tr,
  xargs,
};

/** The arguments without the paths of files at their end, and these; null if the options are not known. */
export function withoutFiles(name: string, args: readonly string[]) {
  if (name === 'tr' || name === 'xargs') return { options: args, files: [] };
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && !/^-[eE]*e$/.test(args[index - 1] ?? ''));
  if (name === 'cat') return args.some((arg) => arg.startsWith('-')) ? null : { options: [], files: args };
  const hasScript = args.some((arg) => /^-[a-zA-Z]*e$/.test(arg));
  const end = at < 0 ? args.length : hasScript ? at : at + 1;
  return { options: args.slice(0, end), files: args.slice(end) };
}

/** The text after `change` of each line, with its line end; null of a line: it is not printed. */
function byLine(input: Placed, change: (line: Placed) => Placed | null | undefined): Placed | null {
  const lines = input.text.endsWith('\n') ? input.split(/\n/).slice(0, -1) : input.split(/\n/);
  if (lines.some(({ text }) => text.length > maxLine)) return null;
  const kept = lines.flatMap((line) => {
    const changed = change(line);
    return changed == null ? [] : [changed, line.as('\n')];
  });
  return input.joined(kept);
}

function grep(args: readonly string[], input: Placed, isExtended: boolean): Placed | null {
  const letters = args.flatMap((arg) => (/^-[a-zA-Z]+$/.test(arg) ? arg.slice(1).split('') : [])).join('');
  if (!/^[vEPeihs]*$/.test(letters) || args.some((arg) => arg.startsWith('--'))) return null;
  const patterns = args
    .filter((arg) => !arg.startsWith('-'))
    .map((text) => posixPattern(text, isExtended || /[EP]/.test(letters), letters.includes('i')));
  if (patterns.length === 0 || patterns.includes(null)) return null;
  return byLine(input, (line) => {
    const found = patterns.some((pattern) => pattern !== null && line.text.search(pattern) >= 0);
    return found === letters.includes('v') ? null : line;
  });
}

type Edit = (line: Placed) => Placed | null;

function sed(args: readonly string[], input: Placed): Placed | null {
  const options = args.filter((arg) => arg.startsWith('-'));
  if (options.some((arg) => !/^-[Ere]+$/.test(arg))) return null;
  const isExtended = options.some((arg) => /[Er]/.test(arg));
  const edits = args.filter((arg) => !arg.startsWith('-')).flatMap((script) => sedEdits(script, isExtended));
  if (edits.includes(null)) return null;
  const apply = (before: Placed | null, edit: Edit | null) => before && (edit?.(before) ?? null);
  return byLine(input, (line) => edits.reduce<Placed | null>(apply, line));
}

/** The commands `/…/d` and `s/…/…/g` of a script; null for another command. */
function sedEdits(script: string, isExtended: boolean): (Edit | null)[] {
  const commands = script.split(/[;\n]/).map((one) => one.trim());
  return commands
    .filter((one) => one !== '')
    .map((one) => deletion(one, isExtended) ?? substitution(one, isExtended));
}

function deletion(command: string, isExtended: boolean): Edit | null {
  const [, text, not] = /^\/((?:[^/\\]|\\.)+)\/(!?)d$/.exec(command) ?? [];
  const pattern = text === undefined ? null : posixPattern(text, isExtended);
  return pattern && ((line) => (line.text.search(pattern) >= 0 === (not === '') ? null : line));
}

/** The parts of `s/from/to/`; null for another command. */
export function parseSubstitution(command: string) {
  const [, mark, from = '', to = '', flags = ''] =
    /^s([^\w\s\\])((?:(?!\1)[^\\]|\\.)*)\1((?:(?!\1)[^\\]|\\.)*)\1\s*([gIiMmp\d]*)$/s.exec(command) ?? [];
  return mark === undefined ? null : { mark, from, to, flags };
}

function substitution(command: string, isExtended: boolean): Edit | null {
  const { mark = '', from = '', to = '', flags = '' } = parseSubstitution(command) ?? {};
  const pattern = /^[/|#,@~!]$/.test(mark) && /^g?$/.test(flags) ? posixPattern(from, isExtended) : null;
  if (pattern === null || /\\[^0-9&nt\\/|#,@~!"']/.test(to)) return null;
  return (line) => {
    let count = 0;
    return line.replace(pattern, (match, at) => {
      count += 1;
      if (flags !== 'g' && count > 1) return null;
      const parts = to.match(/\\.|&|[^\\&]+/g) ?? [];
      return at.as('').joined(parts.map((part) => replaced(part, match, at)));
    });
  };
}

function replaced(part: string, match: RegExpExecArray, at: Placed): Placed | string {
  if (part === '&') return at;
  const [, group] = /^\\([0-9])$/.exec(part) ?? [];
  if (group === undefined) return part === '\\n' ? '\n' : part === '\\t' ? '\t' : part.replace(/^\\/, '');
  const [start, end] = match.indices?.[Number(group)] ?? [];
  return start === undefined || end === undefined ? '' : at.slice(start - match.index, end - match.index);
}

/** awk '!/…/', awk NF, and both with a block that prints the line, also after a text. */
function awk([script = '', ...others]: readonly string[], input: Placed): Placed | null {
  const [, not, text, filled, block, prefix = ''] =
    /^\s*(?:(!?)\/((?:[^/\\]|\\.)+)\/)?\s*(?:&&)?\s*(NF)?\s*(\{\s*print(?:\s+"([^"\\]*)")?\s*(?:\$0)?\s*\})?\s*$/.exec(
      script,
    ) ?? [];
  if (others.length > 0 || (text === undefined && filled === undefined && block === undefined)) return null;
  const pattern = text === undefined ? null : posixPattern(text, true);
  if (text !== undefined && pattern === null) return null;
  return byLine(input, (line) => {
    const isFound = pattern === null || line.text.search(pattern) >= 0 === (not === '');
    const isFilled = filled === undefined || line.text.trim() !== '';
    return isFound && isFilled ? line.joined([prefix, line]) : null;
  });
}

/** tr of single characters: `tr '\n' ' '` and `tr -d '"\r'`. */
function tr([first = '', second = '', ...others]: readonly string[], input: Placed): Placed | null {
  const isDeletion = first === '-d';
  const [from, to] = isDeletion ? [second, ''] : [first, second];
  const set = from.replace('[:space:]', ' \\n\\t\\r');
  const chars = set.match(/\\[nrt\\]|[^\\]/g)?.join('') ?? '';
  if (chars !== set || others.length > 0 || /[[\]]|.-./.test(set) || set === '') return null;
  const by = /^\\[nt]$/.test(to) ? (to === '\\n' ? '\n' : '\t') : to;
  if (!isDeletion && (by.length !== 1 || !/^(?:\\?.)$/.test(set))) return null;
  const pattern = new RegExp(`[${chars.replace(/[\^-]/g, '\\$&')}]`, 'g');
  return input.replace(pattern, (_, at) => at.as(by));
}

/** xargs that prints its words: as one line, or -n and -L by line. */
function xargs(args: readonly string[], input: Placed): Placed | null {
  const options = args.join(' ').replace(/ ?(?:\/bin\/)?echo$/, '');
  if (/^(?:-0|--null)$/.test(options)) return input.joined([input, '\n']);
  const isByLine = /^(?:-d ?\\n|--delimiter=\\n)$/.test(options);
  if (!isByLine && !/^(?:-r|--no-run-if-empty|-[nL] ?1| )*$/.test(options)) return null;
  if (!isByLine && (/[\\\r\v\f]/.test(input.text) || !input.text.split('\n').every(hasClosedQuotes)))
    return null;
  const words = isByLine ? input.split(/\n/).filter(({ text }) => text !== '') : splitWords(input);
  const end = /n ?1/.test(options) ? '\n' : ' ';
  if (/L/.test(options))
    return byLine(input, (line) => (line.text.trim() === '' ? null : spaced(splitWords(line), line, ' ')));
  return input.joined([spaced(words, input, end), '\n']);
}

function spaced(words: readonly Placed[], from: Placed, separator: string): Placed {
  return from.joined(words.flatMap((word, at) => (at === 0 ? [word] : [separator, word])));
}

/** xargs refuses a quote that its line does not close. */
function hasClosedQuotes(line: string): boolean {
  return /^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line);
}
