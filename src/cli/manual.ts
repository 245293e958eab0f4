/** The manual page, section 1, in man(7) macros, from the outline of the command line. */
import { groupBy } from '../util/group-by.js';
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
  const uses = groupBy(
    verbs.flatMap(({ options }) => options),
    keyOf,
  );
  const shared = [...uses.values()].flatMap((same) => (same.length > 1 ? same.slice(0, 1) : []));
  const lines = [
    `.TH KAIACTL 1 ${date} "kaiactl ${version}"`,
    '.SH NAME',
    ...prose(`kaiactl \\- ${text(lower(about))}`),
    '.PD 0',
    '.SH SYNOPSIS',
    '.B kaiactl',
    '.I group verb',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...prose(text('node: what the settings of a node open, and what a running one offers to whom.')),
    ...prose(
      text('survey: calls or serves a survey API. report: converts, merges and compares saved reports.'),
    ),
    ...prose(text('The sections below have one command each; options.md has their options by purpose.')),
    '.SH COMMON OPTIONS',
    ...prose(
      'Every command has those from \\-\\-config to \\-\\-help; others name what they have of the rest.',
    ),
    ...shared.flatMap(option),
    ...verbs.flatMap((verb) => verbSection(verb, shared)),
    ...(program?.after ? ['.SH NOTES', ...verbatim(program.after)] : []),
    ...closing.split('\n').flatMap((line) => {
      const [name = '', said] = line.split(' | ');
      return said === undefined ? [`.SH ${name}`] : entry(name, said);
    }),
    '.SH SEE ALSO',
    ...prose(
      text('docs/ of the package: options.md has every option of every command, rules.md every rule.'),
    ),
    '.BR bash (1), systemd.unit (5), docker (1)',
  ];
  return `${lines.join('\n')}\n`;
}

/** Sections of a title and entries, each a name and what is said of it. */
const closing = `EXIT STATUS
0 | Everything that was asked for was looked at, and nothing fails; survey commands: done.
1 | Findings at or above --fail-on; survey commands: the answer is no.
2 | A wrong command line, an input that cannot be read, or nothing to look at.
3 | Something that was asked for could not be seen; survey commands: the API could not be reached.
4 | survey join: accepted, but not listed before --timeout.
70 | A defect of kaiactl.
130 | Interrupted.
FILES
kaiactl.ini | Options, policy, baseline and excluded paths of a repository, in the folder of a file or above.
~/.config/kaiactl/config.ini | Options and profiles of the user; --config names another file.
/etc/k*nd/conf/k*nd.conf | The confs that node lint reads without a path.
ENVIRONMENT
KAIACTL_<OPTION> | The value of an option that the command line does not set: KAIACTL_FAIL_ON=medium.
NO_COLOR, FORCE_COLOR | Colour on stdout, unless --color decides.
COLUMNS | The width of text in a file or a pipe.
HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY | Proxies of requests.
NODE_EXTRA_CA_CERTS | Certificates of private authorities, in PEM.`;

/** Options of every command. */
const ofEvery = /--(?:config|profile|color|no-color|quiet|verbose|help)\b/;

function keyOf(one: OptionOutline): string {
  return `${one.flags} ${one.description} ${one.default}`;
}

function verbSection(
  { path, usage, summary, options, after }: CommandOutline,
  shared: readonly OptionOutline[],
): string[] {
  const keys = new Set(shared.map(keyOf));
  const own = options.filter((one) => !keys.has(keyOf(one)));
  const common = options
    .filter((one) => keys.has(keyOf(one)) && !ofEvery.test(one.flags))
    .map(({ names }) => names.at(-1) ?? '');
  // The help of the command has all of its examples.
  const firstExample = after.split(/^(?= {2}\$ )/m, 2).join('');
  return [
    `.SH ${text(path.join(' ').toUpperCase())}`,
    `\\fB${text(['kaiactl', ...path].join(' '))}\\fR [\\fIoptions\\fR] ${text(usage)}`.trimEnd().concat(':'),
    ...prose(text(`${lower(summary)}.`)),
    ...own.flatMap(option),
    ...(common.length === 0 ? [] : ['.PP', ...prose(text(`Common: ${common.join(', ')}.`))]),
    ...(after === '' ? [] : ['.PP', ...verbatim(firstExample.trimEnd())]),
  ];
}

function option({ flags, description, values, default: standard }: OptionOutline): string[] {
  const choices = values.kind === 'words' ? ` (${values.words.join(', ')})` : '';
  const value = standard === null || description.includes('default') ? '' : ` Default: ${standard}.`;
  return entry(flags, sentence(description + choices) + value);
}

/** A name in bold, and below it what is said of it. */
function entry(name: string, said: string): string[] {
  return [`.IP "\\fB${text(name)}\\fR" 8`, ...prose(text(said))];
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
