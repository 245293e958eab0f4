/** The output of commands, as far as it can be known without running them. */

import { expandValue } from '../shell/expand.js';
import { printfParts } from '../shell/printf.js';
import type { Shell } from '../shell/state.js';
import { cursorAt } from '../shell/syntax/cursor.js';
import { arithmeticWord } from '../shell/syntax/expansion.js';
import { isUnknown } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { parseSubstitution } from './filters.js';

/** `edit`: the lines of a file that were written before are changed. */
export type WriteMode = 'append' | 'replace' | 'edit';

/** The output of echo or printf; null if it is another command. */
export function printText(name: string, args: readonly Placed[]): Placed | null {
  if (name === 'echo') return echoed(args);
  if (name === 'printf') return formatted(args);
  return null;
}

function echoed(args: readonly Placed[]): Placed | null {
  let rest = args;
  let options = '';
  while (/^-[neE]+$/.test(rest[0]?.text ?? '')) {
    options += rest[0]?.text ?? '';
    rest = rest.slice(1);
  }
  const last = rest.at(-1);
  if (last === undefined) return null;
  const words = Placed.join(rest, ' ');
  const line = options.includes('n') ? words : Placed.join([words, last.as('\n')]);
  return /e[^E]*$/.test(options) ? unescaped(line) : line;
}

function formatted([format, ...values]: readonly Placed[]): Placed | null {
  const texts = values.map(({ text }) => text);
  const parts = format === undefined ? null : printfParts(format.text, texts);
  if (format === undefined || parts === null) return null;
  return format.joined(
    parts.map(({ text, from }) =>
      (typeof from === 'number' ? (values[from] as Placed) : format.slice(...from)).as(text),
    ),
  );
}

/** Replaces \n and \t as echo -e and printf do. */
function unescaped(text: Placed): Placed {
  return text.replace(/\\[nt\\]/g, ([all], at) => at.as(all === '\\n' ? '\n' : all === '\\t' ? '\t' : '\\'));
}

/** The body of a here-document, expanded unless its delimiter is quoted. */
export function documentText(
  script: Placed,
  shell: Shell,
  body: Range,
  { quoted, stripTabs }: { readonly quoted: boolean; readonly stripTabs: boolean },
): Placed {
  let text = script.slice(body.start, body.end);
  if (stripTabs)
    text = Placed.join(
      text.split(/(?<=\n)/).map((line) => line.slice(/^\t*/.exec(line.text)?.[0].length ?? 0)),
    );
  return quoted
    ? text
    : text.replace(expansion, ([, escaped], at) =>
        escaped === undefined ? expansionOf(at, shell) : at.as(escaped.trim()),
      );
}

const expansion = /\\([$`\\\n])|\$(?:[A-Za-z_]\w*|[0-9@*#])|\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`/g;

/** The value of an expansion, at the place where the text contains it: in `${X:-eth}` at the default. */
function expansionOf(at: Placed, shell: Shell): Placed {
  const { text } = at;
  if (/`|\$\(/.test(text)) return at.as(unfilled);
  const value = expandValue(shell, arithmeticWord(cursorAt(text, shell.steps), 0, text.length));
  if (isUnknown(value)) return at.as(unfilled);
  const found = value === '' ? -1 : text.indexOf(value);
  return found < 0 ? at.as(value) : at.slice(found, found + value.length);
}

/** The assignments that `sed -i` writes to a conf, as lines that override earlier ones; an unknown edit writes anything. */
export function linesOfSed(args: readonly Placed[]): Placed[] {
  return scriptsOf(args)
    .flatMap((script) => script.split(/[;\n](?=\s*(?:s\W|$))/))
    .map((one) => one.trim())
    .filter(({ text }) => text !== '')
    .map((one) => replacement(one) ?? one.as(`${unfilled}\n`));
}

/** The scripts of a sed command: of its options -e, else its first argument, after the backup suffix of BSD's -i. */
function scriptsOf(args: readonly Placed[]): Placed[] {
  const given = args.flatMap((arg, at) => {
    if (/^(?:-[a-zA-Z]*[ef]|--expression|--file)$/.test(args[at - 1]?.text ?? '')) return [arg];
    return /^--(?:expression|file)=/.test(arg.text) ? [arg.slice(arg.text.indexOf('=') + 1)] : [];
  });
  const first = args.find(({ text }) => !/^(?:-.*|\.\w+|)$/s.test(text));
  return given.length > 0 || first === undefined ? given : [first];
}

/** The line that `s/…NAME=…/NAME=value/` writes; null if it may change other lines too. */
function replacement(command: Placed): Placed | null {
  const { mark = '', from = '', to = '' } = parseSubstitution(command.text) ?? {};
  const line = command.slice(2 + from.length + 1).slice(0, to.length);
  const name = /([A-Za-z_]\w*)(?:\\?[+)])*=/.exec(from)?.[1];
  if (name === undefined) return null;
  const assigned = /^\s*(?:export\s+)?([A-Za-z_]\w*)=/.exec(to)?.[1];
  const newline = line.as('\n');
  // The delimiter is written with an escape.
  if (assigned !== undefined && !/\\[0-9]|(?<!\\)&/.test(to))
    return Placed.join([line.replace(new RegExp(`\\\\\\${mark}`, 'g'), (_, at) => at.slice(1)), newline]);
  return Placed.join([line.as(`${name}=${unfilled}`), newline]);
}
