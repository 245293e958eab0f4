/** The functions of Go templates and Sprig that charts commonly call. */
import { createHash } from 'node:crypto';
import type { Placed } from '../../text/placed.js';
import { unfilled } from '../../text/placeholders.js';
import { unknownIn } from '../../text/unknown.js';
import { itemsAt, listTree, mapTree, type Tree, textTree } from '../../yaml/tree.js';
import { yamlOf } from './to-yaml.js';
import { Unrendered } from './tokens.js';

export type Value = Tree | null;
/** `at`: the place of the call, which values that it makes have. */
type Call = (args: readonly Value[], at: Placed) => Value;

/** A text as Go prints it: a list as `[a b]`. */
export function printAsGo(value: Value, at: Placed): Placed {
  if (value === null) return at.as('');
  if (value.isMap) throw new Unrendered('it prints a map');
  if (value.isList) {
    const items = value.items.flatMap((one, index) => [index === 0 ? '' : ' ', printAsGo(one, at)]);
    return at.joined(['[', ...items, ']']);
  }
  return value.text ?? at.as(value.value === null ? '' : String(value.value ?? ''));
}

/** False, 0, nil and what is empty, as Go templates decide. @throws {Unrendered} where it is not known */
export function isTrue(value: Value): boolean {
  if (value === null) return false;
  if (isUnknown(value)) throw new Unrendered(`${unknownIn(value.text as Placed)} decides a condition`);
  if (value.isMap) return value.entries.length > 0;
  if (value.isList) return value.items.length > 0;
  return ![false, 0, '', null, undefined].includes(value.value as never);
}

export function scalar(at: Placed, value: string | number | boolean): Tree {
  return textTree(at.as(String(value)), value);
}

/** Makes a template function of `change`: its last argument is the text, those before it are options. */
function onText(change: (text: Placed, options: readonly Value[], at: Placed) => Placed): Call {
  return (args, at) => textTree(change(printAsGo(args.at(-1) ?? null, at), args.slice(0, -1), at));
}

/** The items of a list; a list that is not known is one unknown item. */
function itemsOf(list: Value): readonly Tree[] {
  return list !== null && isUnknown(list) ? [list] : itemsAt(list);
}

function onLists(make: (lists: readonly (readonly Tree[])[], at: Placed) => readonly Tree[]): Call {
  return (args, at) => listAt(at, make(args.map(itemsOf), at));
}

function listAt(at: Placed, items: readonly Value[]): Tree {
  const known = items.flatMap((one) => one ?? []);
  return listTree(at.span(), known);
}

const plain = (value: Value | undefined): string => String(value?.value ?? '');
const number = (value: Value | undefined): number => Number(plain(value));
/** A function with a text, a number or a truth value as its result. */
const giving =
  (make: (...args: readonly Value[]) => string | number | boolean): Call =>
  (args, at) =>
    scalar(at, make(...args));
const compare = (holds: (a: number) => boolean): Call =>
  giving((a, b) =>
    holds(typeof a?.value === 'string' ? plain(a).localeCompare(plain(b)) : number(a) - number(b)),
  );
const quoted = (mark: string, text: Placed, at: Placed): Tree => {
  const escaped = mark === '"' ? text.text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n') : text.text;
  return textTree(at.joined([mark, escaped === text.text ? text : text.as(escaped), mark]));
};
const indented = (text: Placed, width: number, at: Placed): Placed => {
  const lines = text.split(/\n/);
  const pad = ' '.repeat(width);
  return at.joined(lines.flatMap((line, index) => [index === 0 ? pad : `\n${pad}`, line]));
};

/** A value that only the cluster or chance knows. */
export function unknownValue(at: Placed): Tree {
  return textTree(at.as(unfilled));
}

export function isUnknown(value: Value | undefined): boolean {
  return value?.text?.text.includes(unfilled) === true;
}

/** Functions that keep the known parts of their arguments, or do not look at them. */
const passing =
  /^(?:s?quote|toString|trim|n?indent|print|printf|list|dict|set|concat|append|prepend|toStrings|join|toYaml|lookup|merge|mergeOverwrite|deepCopy|dig|required|include|tpl)$/;

/** The result of a function. It is unknown where the function is, or where an argument that it looks at is. */
export function callFunction(name: string, args: readonly Value[], at: Placed): Value {
  const call = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (call === undefined || (!passing.test(name) && args.some(isUnknown))) return unknownValue(at);
  return call(args, at);
}

const functions: Readonly<Record<string, Call>> = {
  default: ([other = null, given = null]) => (isTrue(given) ? given : other),
  coalesce: (args) => args.find((one) => isTrue(one)) ?? null,
  ternary: ([yes = null, no = null, test = null]) => (isTrue(test) ? yes : no),
  required: ([, given = null], at) => (given === null || given.value === '' ? unknownValue(at) : given),
  quote: (args, at) => quoted('"', printAsGo(args.at(-1) ?? null, at), at),
  squote: (args, at) => quoted("'", printAsGo(args.at(-1) ?? null, at), at),
  toString: onText((text) => text),
  upper: onText((text) => text.as(text.text.toUpperCase())),
  lower: onText((text) => text.as(text.text.toLowerCase())),
  trim: onText((text) => text.trim()),
  trimSuffix: onText((text, [suffix]) =>
    plain(suffix) !== '' && text.text.endsWith(plain(suffix))
      ? text.slice(0, text.text.length - plain(suffix).length)
      : text,
  ),
  trimPrefix: onText((text, [prefix]) =>
    text.text.startsWith(plain(prefix)) ? text.slice(plain(prefix).length) : text,
  ),
  trunc: onText((text, [length]) =>
    number(length) < 0
      ? text.slice(number(length) + text.text.length)
      : text.slice(0, Math.min(number(length), text.text.length)),
  ),
  replace: onText((text, [from, to]) => text.as(text.text.replaceAll(plain(from), plain(to)))),
  indent: onText((text, [width], at) => indented(text, number(width), at)),
  nindent: onText((text, [width], at) => at.joined(['\n', indented(text, number(width), at)])),
  b64enc: onText((text) => text.as(Buffer.from(text.text).toString('base64'))),
  b64dec: onText((text) => text.as(Buffer.from(text.text, 'base64').toString('utf8'))),
  sha256sum: onText((text) => text.as(createHash('sha256').update(text.text).digest('hex'))),
  contains: giving((part, text) => plain(text).includes(plain(part))),
  hasPrefix: giving((part, text) => plain(text).startsWith(plain(part))),
  hasSuffix: giving((part, text) => plain(text).endsWith(plain(part))),
  eq: giving((first, ...others) => others.some((one) => plain(one) === plain(first))),
  ne: giving((a, b) => plain(a) !== plain(b)),
  lt: compare((a) => a < 0),
  le: compare((a) => a <= 0),
  gt: compare((a) => a > 0),
  ge: compare((a) => a >= 0),
  not: giving((value = null) => !isTrue(value)),
  and: (args) => args.find((one) => !isTrue(one)) ?? args.at(-1) ?? null,
  or: (args) => args.find((one) => isTrue(one)) ?? args.at(-1) ?? null,
  empty: giving((value = null) => !isTrue(value)),
  int: giving((value) => Math.trunc(number(value)) || 0),
  int64: giving((value) => Math.trunc(number(value)) || 0),
  add: giving((...args) => args.reduce((sum, one) => sum + number(one), 0)),
  sub: giving((a, b) => number(a) - number(b)),
  len: giving((value) =>
    value?.isMap ? value.entries.length : value?.isList ? value.items.length : plain(value).length,
  ),
  list: (args, at) => listAt(at, args),
  concat: onLists((lists) => lists.flat()),
  append: ([list = null, item = null], at) => listAt(at, [...itemsOf(list), item]),
  prepend: ([list = null, item = null], at) => listAt(at, [item, ...itemsOf(list)]),
  compact: onLists((lists) => lists.flat().filter(isTrue)),
  toStrings: onLists((lists, at) => lists.flat().map((one) => textTree(printAsGo(one, at)))),
  dict: (args, at) =>
    mapTree(
      at.span(),
      args.flatMap((key, index) =>
        index % 2 === 1 ? [] : [{ key: printAsGo(key, at), value: args[index + 1] ?? null }],
      ),
    ),
  set: ([map = null, key = null, value = null], at) => {
    const others = map?.entries.filter((one) => one.key.text !== plain(key)) ?? [];
    return isUnknown(map) ? map : mapTree(at.span(), [...others, { key: printAsGo(key, at), value }]);
  },
  get: ([map = null, key]) => map?.get(plain(key)) ?? null,
  hasKey: giving((map, key) => map?.entries.some((one) => one.key.text === plain(key)) ?? false),
  index: ([value = null, ...keys]) =>
    keys.reduce<Value>(
      (inner, key) => (inner?.isList ? (inner.items[number(key)] ?? null) : (inner?.get(plain(key)) ?? null)),
      value,
    ),
  first: ([value = null]) => value?.items[0] ?? null,
  last: ([value = null]) => value?.items.at(-1) ?? null,
  has: giving((item, value) => value?.items.some((one) => plain(one) === plain(item)) ?? false),
  join: ([separator, value = null], at) => {
    const between = (index: number) => (index === 0 ? '' : plain(separator));
    const parts = itemsAt(value).flatMap((one, index) => [between(index), printAsGo(one, at)]);
    return textTree(at.joined(parts));
  },
  splitList: ([separator, text], at) => {
    const parts = plain(text)
      .split(plain(separator))
      .map((one) => scalar(at, one));
    return listAt(at, parts);
  },
  print: (args, at) => textTree(at.joined(args.map((one) => printAsGo(one, at)))),
  printf: ([format = null, ...args], at) => {
    const text = printAsGo(format, at);
    const parts = text.text.split(/(%[svdq%])/);
    const pieces = parts.map((part): Placed | string => {
      if (!/^%[svdq]$/.test(part)) return part === '%%' ? '%' : part;
      const next = printAsGo(args.shift() ?? null, at);
      return part === '%q' ? next.as(JSON.stringify(next.text)) : next;
    });
    if (/%[^svdq%]/.test(text.text)) throw new Unrendered(`printf ${text.text} is not followed`);
    return textTree(at.joined(pieces));
  },
  toYaml: ([value = null], at) => textTree(yamlOf(value, at)),
  kindIs: giving((kind, value = null) => plain(kind) === kindOf(value)),
  lookup: (_, at) => unknownValue(at),
  merge: (maps, at) => maps.reduce<Value>((base, map) => filledUp(base, map, at), null),
  mergeOverwrite: (maps, at) => maps.reduceRight<Value>((base, map) => filledUp(base, map, at), null),
  deepCopy: ([value = null]) => value,
  dig: (args) => {
    const [map = null, other = null, ...keys] = args.toReversed();
    return keys.reduceRight<Value>((inner, key) => inner?.get(plain(key)) ?? null, map) ?? other;
  },
};

/** A map with the values of another one where it has none, or an empty one: what `merge` does. */
function filledUp(base: Value, map: Value, at: Placed): Value {
  if (base === null || map === null) return base ?? map;
  if (!base.isMap || !map.isMap) return isUnknown(base) || isTrue(base) ? base : map;
  const keys = new Map([...map.entries, ...base.entries].map(({ key }) => [key.text, key]));
  const entries = [...keys].map(([name, key]) => ({
    key,
    value: filledUp(base.get(name), map.get(name), at),
  }));
  return mapTree(at.span(), entries);
}

/** As `reflect.Kind` names it. */
function kindOf(value: Value): string {
  if (value === null) return 'invalid';
  if (value.isMap) return 'map';
  if (value.isList) return 'slice';
  return { boolean: 'bool', number: 'float64' }[typeof value.value as string] ?? 'string';
}
