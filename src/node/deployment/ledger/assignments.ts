/** Places that give a name a value, in a text of any format: `API=`, `API:`, `"API":`, `-e API=`, `--set api=`, `name: API` before `value:`. */
import { groupBy } from '../../../util/group-by.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { Placed } from '../../sources/text/placed.js';
import { unfilled } from '../../sources/text/placeholders.js';
import { lineStart } from './blocks.js';
import { inComment } from './search/sign.js';

export interface Assignment {
  readonly name: string;
  /** The value as far as the text says it, else unknown. */
  readonly value: Placed;
  /** The name of the ConfigMap or Secret that has the name as a key; null in every other place. */
  readonly object: string | null;
  /** True in a text that a command writes to a file, or where a command hands the value on: make, and `compose run`. */
  readonly isWritten: boolean;
  /** The other name that is the whole value, as in `API={{ modules }}`; null for a text. */
  readonly refers: string | null;
}

/** Of one text. */
const maxFound = 500;

/** The assignments of these names in the order of their places. */
export function assignmentsIn(file: LineIndex, names: ReadonlySet<string>): Assignment[] {
  const { text } = file;
  const found: Assignment[] = [];
  const [written = [], shown = []] = [writing, printing].map((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ index, end: index + length })),
  );
  const isExample = (at: number) =>
    shown.some((one) => one.index <= at && at < one.end) && /^\S+[ \t]+[a-z]/.test(text.slice(at, at + 300));
  const paths = [...names].filter((name) => name.includes('.'));
  const byKey = groupBy(paths, (name) => name.slice(name.lastIndexOf('.') + 1));
  for (const { 0: word, index } of text.matchAll(words)) {
    const last = /[^.]+$/.exec(word)?.[0] ?? '';
    const own = [word, last, word.replace(/^TF_VAR_/, '')].find((name) => names.has(name));
    const name = own ?? byKey.get(word)?.find((path) => isBelow(text, index, path.split('.').slice(0, -1)));
    if (name === undefined || found.length === maxFound || inComment(text, index)) continue;
    if (isExample(index)) continue;
    const value = valueAfter(file, index + word.length);
    if (value === null || refersTo(name, value.text)) continue;
    const isWritten = written.some((one) => one.index <= index && index < one.end);
    const [, refers = null] = reference.exec(value.text) ?? [];
    found.push({ name, value: known(fill(value, found)), object: objectAt(text, index), isWritten, refers });
  }
  return found;
}

/** Another name in the syntax of a template, of a workflow, of just or of a shell. */
const reference = /^(?:\$?\{\{-?[ \t]*|\$[{(]?)(?:[.\w]+\.|\.)?([A-Za-z_]\w*)[ \t]*(?:-?\}\}|[)}])?$/;

/** The parameters of the recipes of a justfile, each with a pattern of its argument: `just up eth`, `prod: (up "eth")`. */
export function parametersIn({ file, text }: LineIndex): (readonly [name: string, call: RegExp])[] {
  if (!/justfile$/i.test(file)) return [];
  const recipes = text.matchAll(/^@?([\w-]+)((?:[ \t]+[*+]?\$?\w+(?:=\S+)?)+)[ \t]*:(?!=)/gm);
  return [...recipes].flatMap(
    ([, recipe = '', list = '']) =>
      list.match(/(?<=[ \t][*+]?\$?)\w+/g)?.map((name, at) => {
        const before = `(?:[ \\t]+[^\\s;&|)\\]]+){${at}}[ \\t]+["']?`;
        const call = `(?:\\bjust\\b[^\\n;&|]{0,200}?[ \\t]|\\()${recipe}${before}([^\\s;&|)\\]"']+)`;
        return [name, new RegExp(call, 'dg')] as const;
      }) ?? [],
  );
}

/** What calls give to a parameter. */
export function argumentsIn(file: LineIndex, name: string, call: RegExp): Assignment[] {
  return [...file.text.matchAll(call)].map(({ indices }) => {
    const value = known(Placed.at(file, ...(indices?.[1] ?? [])));
    return { name, value, object: null, isWritten: true, refers: null };
  });
}

/** A here-document, a program in an argument, a line of echo or printf to a file, or one that runs make or `compose run`. */
const writing =
  /<<-?[ \t]*["']?(\w+)["']?[^\n]*\n(?:[^\n]*\n){0,500}?[ \t]*\1\b|[ \t]-[a-z]?[ce][ \t]*(["'])(?:(?!\2)[^\\]|\\.){0,2000}|\b(?:echo|printf)\b[^\n]*(?:>|\btee\b)[^\n]*|^[^\n]*(?:\bg?make|\$[({]MAKE[)}]|\bcompose\b[^\n]{0,200}[ \t]run)[ \t][^\n]*/gm;

/** A here-document on the terminal: a value with a command behind it is an example there. */
const printing =
  /^[ \t]*cat\b(?:[ \t]*(?:1?>&2|<<-?[ \t]*(["']?)(\w+)\1))+[ \t]*\n(?:[^\n]*\n){0,500}?[ \t]*\2[ \t]*$/gm;

function objectAt(text: string, at: number): string | null {
  if (!/^kind:[ \t]*["']?(?:ConfigMap|Secret)\b/m.test(text)) return null;
  if (!isBelow(text, at, ['data']) && !isBelow(text, at, ['stringData'])) return null;
  const end = text.indexOf('\n---', at);
  const document = text.slice(text.lastIndexOf('\n---', at) + 1, end < 0 ? undefined : end);
  return /^metadata:[^\n]*(?:\n[ \t][^\n]*)*?\bname:[ \t]*["']?([\w.-]+)/m.exec(document)?.[1] ?? null;
}

/** Lines between a key and the key above it. */
const maxLines = 200;

/** Whether the key is below these keys, by indentation or in their braces. */
function isBelow(text: string, at: number, parents: readonly string[]): boolean {
  let left = parents.length;
  const own = text.slice(lineStart(text, at), at);
  const inBraces = [...own.matchAll(/([\w-]+)["']?[ \t]*:[ \t]*\{/g)].map(([, key]) => key);
  while (left > 0 && inBraces.at(-1) === parents[left - 1] && inBraces.pop() !== undefined) left -= 1;
  let indent = own.search(/\S|$/);
  const above = text
    .slice(Math.max(0, at - 20_000), lineStart(text, at))
    .split('\n')
    .slice(-maxLines)
    .reverse();
  for (const line of above) {
    const [, blanks = '', key] = /^([ \t]*)["']?([\w-]+)["']?[ \t]*:/.exec(line) ?? [];
    if (left === 0) break;
    if (key === undefined || blanks.length >= indent) continue;
    if (key !== parents[left - 1]) return false;
    indent = blanks.length;
    left -= 1;
  }
  return left === 0;
}

/** After `$`: a parameter of just with a default, and a variable of nushell or xonsh. */
const words = /(?<![\w./-]|\$\{|\$(?!\w+[ \t]*=[ \t]*["']|env\.))[A-Za-z_][\w.]*/g;
/** What stands between a name and its value: also lines that describe a parameter. */
const assigns =
  /["'\]}]{0,2}[ \t]*(?:(?:,|[ \t](?=value=)|[:,]?[ \t]*\{?\r?\n(?:[ \t]*["']?(?:description|type|required)\b[^\n]*\n){0,3})[ \t]*["']?(?:value|default(?:Value)?)["']?[ \t]*[:=]|[:?+]?=|:(?=[ \t\n"'[]))[ \t]*/y;
const argument = /["'}]?,?[ \t]+(?:-Value[ \t]+)?/y;
/** `ENV API eth` and `putenv("API", "eth")`, where no sign of equality stands. */
const declares =
  /^[ \t]*(?:ENV|ARG|setenv|setx|set(?:[ \t]+-[\w-]+)+)[ \t]+$|\b[Ee]nv:$|\bENV\{$|(?:(?:[sS]et|put)_?(?:[eE]nv|var)\w*|\b[eE]nv(?:ironment\(\))?(?:\.(?:set|put))?|set_key\([^,\n]*,[ \t]*|setdefault)\(?["']$/;

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
  // The end of a text in quotes that holds the assignment.
  const own = word.replace(/["']\s.*$/, '').replace(/(?:["'\s]|\\[nrt])+$/, '');
  const value = Placed.at(file, from, from + own.length);
  return value.text === '' ? null : value;
}

const oneWord =
  /(\[[^\]]{0,400}\])|["']((?:[^"'\n\\]|\\.){0,1000})["']|((?:\{\{[^\n}]*\}\}|[^\s"'`;>]){0,1000})/y;
const toLineEnd =
  /(\[[^\]]{0,400}\]|(?:\r?\n[ \t]*-[ \t]+(?:[^\s:#]+|"\{\{[^\n]*\}\}")[ \t]*(?=\r?\n|$)){1,50})|["']((?:[^"'\n\\]|\\.){0,1000})["']|((?:\{\{[^\n}]*\}\}|\$\{[^\n}]*\}|[^\n#{},;]|#(?<![ \t]#)|,(?![ \t]*(?:["'}\n]|[\w-]+[ \t]*:|$))){0,1000})/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** `[eth, "admin"]`, and a list with an item a line, as `eth,admin`. */
function list(value: Placed): Placed {
  return value.as((value.text.match(/(?!-\s)[^\s[\],"']+/g) ?? []).join(','));
}

/** Puts in what an env file has assigned before: `HOSTS=$GATEWAY,localhost`. A script may assign it elsewhere too. */
function fill(value: Placed, before: readonly Assignment[]): Placed {
  if (!/\.env|env$/.test(value.span().file)) return value;
  const filled = value.text.replaceAll(
    /\$\{?([A-Za-z_]\w*)\b\}?/g,
    (all, name) => before.findLast((one) => one.name === name)?.value.text ?? all,
  );
  return filled === value.text ? value : value.as(filled);
}

/** A reference of Terraform to another value. */
const ofTerraform = /^(?:var|local|module|data|each|self)\.\w/;

/** A value that the text does not say is unknown; escapes before commas are those of `helm --set`. */
function known(value: Placed): Placed {
  if (/[$`]|\{\{|<\(|^[|>&*!]/.test(value.text) || ofTerraform.test(value.text)) return value.as(unfilled);
  return value.text.includes('\\') ? value.as(value.text.replaceAll(/\\+([,.=])/g, '$1')) : value;
}

/** Whether the value hands the name on, as in `API=${API:-eth}`. */
function refersTo(name: string, value: string): boolean {
  return new RegExp(`^\\$\\{?${name}\\b|^\\{\\{[^}]*\\b${name}\\b`).test(value);
}
