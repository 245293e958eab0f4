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
  const shared = [...uses.values()].flatMap(([one, ...others]) =>
    one === undefined || others.length < minUses - 1 ? [] : [one],
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
    ...prose('Each command names those that it has beside its own.'),
    ...shared.flatMap(option),
    ...verbs.flatMap((verb) => verbSection(verb, shared)),
    ...(program?.after ? ['.SH NOTES', ...verbatim(program.after)] : []),
    ...closing.flatMap(([title, entries]) => [
      `.SH ${title}`,
      ...entries.flatMap(([name, said]) => ['.TP', `.B ${text(name)}`, ...prose(text(said))]),
    ]),
    '.SH SEE ALSO',
    ...prose(
      text('docs/ of the package: options.md has every option of every command, rules.md every rule.'),
    ),
    '.BR bash (1), systemd.unit (5), docker (1)',
  ];
  return `${lines.join('\n')}\n`;
}

/** Commands with the same option, from which on it stands among the common ones. */
const minUses = 3;

const closing: readonly (readonly [title: string, entries: readonly (readonly [string, string])[]])[] = [
  [
    'EXIT STATUS',
    [
      ['0', 'Everything that was asked for was looked at, and nothing fails; survey commands: done.'],
      ['1', 'Findings at or above --fail-on; survey commands: the answer is no.'],
      ['2', 'A wrong command line, an input that cannot be read, or nothing to look at.'],
      ['3', 'Something that was asked for could not be seen; survey commands: the API could not be reached.'],
      ['4', 'survey join: accepted, but not listed before --timeout.'],
      ['70', 'A defect of kaiactl.'],
      ['130', 'Interrupted.'],
    ],
  ],
  [
    'FILES',
    [
      [
        'kaiactl.ini',
        'Options, policy, baseline and excluded paths of a repository, in the folder of a file or above.',
      ],
      ['~/.config/kaiactl/config.ini', 'Options and profiles of the user; --config names another file.'],
      ['/etc/k*nd/conf/k*nd.conf', 'The confs that node lint reads without a path.'],
    ],
  ],
  [
    'ENVIRONMENT',
    [
      [
        'KAIACTL_<OPTION>',
        'The value of an option that the command line does not set: KAIACTL_FAIL_ON=medium.',
      ],
      ['NO_COLOR, FORCE_COLOR', 'Colour on stdout, unless --color decides.'],
      ['COLUMNS', 'The width of text in a file or a pipe.'],
      ['HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'Proxies of requests.'],
      ['NODE_EXTRA_CA_CERTS', 'Certificates of private authorities, in PEM.'],
    ],
  ],
];

function keyOf(one: OptionOutline): string {
  return `${one.flags} ${one.description} ${one.default}`;
}

function verbSection(
  { path, usage, summary, options, after }: CommandOutline,
  shared: readonly OptionOutline[],
): string[] {
  const keys = new Set(shared.map(keyOf));
  const own = options.filter((one) => !keys.has(keyOf(one)));
  const common = options.filter((one) => keys.has(keyOf(one))).map(({ names }) => names.at(-1) ?? '');
  return [
    `.SH ${text(path.join(' ').toUpperCase())}`,
    `.B ${text(['kaiactl', ...path].join(' '))}`,
    `.RI [ options ]${usage === '' ? '' : ` " ${text(usage)}"`}`,
    '.PP',
    ...prose(text(sentence(summary))),
    ...own.flatMap(option),
    '.PP',
    ...prose(text(`Common: ${common.join(', ')}.`)),
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
