/** Places that give a name a value, in a text of any format: `API=`, `API:`, `"API":`, `-e API=`, `--set api=`, `name: API` before `value:`. */
import type { LineIndex } from '../../sources/text/line-index.js';
import { Placed } from '../../sources/text/placed.js';
import { unfilled } from '../../sources/text/placeholders.js';
import { lineStart } from './blocks.js';
import { inComment } from './search/sign.js';

export interface Assignment {
  readonly name: string;
  /** The value as far as the text says it, else unknown. */
  readonly value: Placed;
}

/** Of one text. */
const maxFound = 500;

/** The assignments of these names in the order of their places. */
export function assignmentsIn(file: LineIndex, names: ReadonlySet<string>): Assignment[] {
  const { text } = file;
  const found: Assignment[] = [];
  for (const { 0: name, index } of text.matchAll(words)) {
    const [own = name] = names.has(name) ? [name] : (/[^.]+$/.exec(name) ?? []);
    if (!names.has(own) || found.length === maxFound || inComment(text, index)) continue;
    const value = valueAfter(file, index + name.length);
    if (value !== null && !refersTo(own, value.text)) found.push({ name: own, value: known(value) });
  }
  return found;
}

const words = /(?<![\w$./-]|\$\{)[A-Za-z_][\w.]*/g;
/** What stands between a name and its value. */
const assigns =
  /["'\]]{0,2}[ \t]*(?:[:?+]?=|:(?=[ \t\n"'[])|,?[ \t]*\r?\n[ \t]*["']?(?:value|default)["']?[ \t]*[:=])[ \t]*/y;
const argument = /[ \t]+/y;
/** `ENV API eth`, where no sign of equality stands. */
const declares = /^[ \t]*(?:ENV|ARG|setenv|set[ \t]+-x?g?x?)[ \t]+$/;

function valueAfter(file: LineIndex, end: number): Placed | null {
  const { text } = file;
  const isDeclared = declares.test(text.slice(lineStart(text, end), end).replace(/\w+$/, ''));
  const [between = null] =
    matchAt(assigns, text, end) ?? (isDeclared ? matchAt(argument, text, end) : null) ?? [];
  if (between === null) return null;
  const from = end + between.length;
  const isWord = between.includes('=') && !/^["'\]]|\n/.test(between) && !/[ \t]$/.test(between);
  const [, listed, quoted, word = ''] = matchAt(isWord ? oneWord : toLineEnd, text, from) ?? [];
  if (listed !== undefined) return list(Placed.at(file, from, from + listed.length));
  if (quoted !== undefined) return Placed.at(file, from + 1, from + 1 + quoted.length);
  const value = Placed.at(file, from, from + word.trimEnd().length);
  return value.text === '' ? null : value;
}

const oneWord = /(\[[^\]]{0,400}\])|["']((?:[^"'\n\\]|\\.){0,1000})["']|([^\s"'`;]{0,1000})/y;
const toLineEnd =
  /(\[[^\]]{0,400}\])|["']((?:[^"'\n\\]|\\.){0,1000})["']|((?:\{\{[^\n}]*\}\}|\$\{[^\n}]*\}|[^\n#{},;]|#(?<![ \t]#)|,(?![ \t]*(?:["'}\n]|[\w-]+[ \t]*:|$))){0,1000})/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** `[eth, "admin"]` as `eth,admin`. */
function list(value: Placed): Placed {
  return value.as((value.text.match(/[^\s[\],"']+/g) ?? []).join(','));
}

/** A value that the text does not say is unknown; escapes before commas are those of `helm --set`. */
function known(value: Placed): Placed {
  if (/[$`]|\{\{|<\(|^[|>&*!]/.test(value.text)) return value.as(unfilled);
  return value.text.includes('\\') ? value.as(value.text.replaceAll(/\\+([,.=])/g, '$1')) : value;
}

/** True for `API=${API:-eth}`, which hands the name on. */
function refersTo(name: string, value: string): boolean {
  return new RegExp(`^\\$\\{?${name}\\b|^\\{\\{[^}]*\\b${name}\\b`).test(value);
}
