/** The manual page, section 1, in man(7) macros, from the outline of the command line. */
import type { CommandOutline, OptionOutline } from './outline.js';

/** `about` is the description of the program, `date` as in 2026-02-11. */
export function manualPage(
  commands: readonly CommandOutline[],
  version: string,
  date: string,
  about: string,
): string {
  const [program, ...others] = commands;
  const verbs = others.filter(({ children }) => children.length === 0);
  const [first, ...rest] = verbs.filter(({ path }) => path.length > 1);
  const shared = (first?.options ?? []).filter(({ flags }) =>
    rest.every(({ options }) => options.some((one) => one.flags === flags)),
  );
  const lines = [
    `.TH KAIACTL 1 ${date} "kaiactl ${version}"`,
    '.SH NAME',
    ...prose(`kaiactl \\- ${text(lower(about))}`),
    '.SH SYNOPSIS',
    '.B kaiactl',
    '.I group verb',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...verbs.flatMap(({ path, summary }) => [
      '.TP',
      `.B ${text(['kaiactl', ...path].join(' '))}`,
      ...prose(text(summary)),
    ]),
    '.SH COMMON OPTIONS',
    ...shared.flatMap(option),
    ...verbs.flatMap((verb) => verbSection(verb, shared)),
    ...(program?.after ? ['.SH NOTES', ...verbatim(program.after)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function verbSection(
  { path, usage, summary, options, after }: CommandOutline,
  shared: readonly OptionOutline[],
): string[] {
  const own = options.filter(({ flags }) => !shared.some((one) => one.flags === flags));
  return [
    `.SH ${text(path.join(' ').toUpperCase())}`,
    `.B ${text(['kaiactl', ...path].join(' '))}`,
    `.RI [ options ]${usage === '' ? '' : ` " ${text(usage)}"`}`,
    '.PP',
    ...prose(text(sentence(summary))),
    ...own.flatMap(option),
    ...(after === '' ? [] : ['.PP', ...verbatim(after)]),
  ];
}

function option({ flags, description, values, default: standard }: OptionOutline): string[] {
  const choices = values.kind === 'words' ? ` (${values.words.join(', ')})` : '';
  const value = standard === null || description.includes('default') ? '' : ` Default: ${standard}.`;
  return ['.TP', `.B ${text(flags)}`, ...prose(text(sentence(description + choices) + value))];
}

/** Lines of at most 80 bytes; the formatter refills them. */
function prose(words: string): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && line.length <= 80) lines[lines.length - 1] = line;
    else lines.push(word.replace(/^([.'])/, '\\&$1'));
  }
  return lines;
}

/** Unfilled, line by line. */
function verbatim(lines: string): string[] {
  return ['.nf', ...lines.split('\n').map((line) => (line.trim() === '' ? '.sp' : text(line))), '.fi'];
}

/** Escaped, so that nothing is a request or an escape; non-ASCII characters by code point, for any locale. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')
    .replaceAll('"', '\\(dq')
    .replace(
      /[^\n -~]/gu,
      (mark) => `\\[u${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

function sentence(words: string): string {
  const first = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.:)]$/.test(first) ? first : `${first}.`;
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1).replace(/\.$/, '');
}
