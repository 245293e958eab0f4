/** Expressions of Jinja2 in Ansible files: variables, literals, conditions and common filters. */
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { Steps } from '../text/steps.js';
import { listTree, type Tree, textTree } from '../yaml/tree.js';

/** Maps of variables; later ones override earlier ones. */
export class Variables {
  readonly #layers: readonly Tree[];
  readonly #outside: Outside;
  /** The layers that the variables of hosts override. */
  readonly #weak: number;
  /** Counts the work of their expressions. */
  readonly steps: Steps;

  constructor(steps: Steps, layers: readonly Tree[] = [], outside: Outside = none, weak = layers.length) {
    this.#layers = layers;
    this.#outside = outside;
    this.#weak = weak;
    this.steps = steps;
  }

  /** The value as it is written. `at`: the place that reads it. */
  get(name: string, at: Placed): Tree | undefined {
    const index = this.#layers.findLastIndex((layer) => layer.get(name) !== null);
    const { extra, facts, isOpen } = this.#outside;
    const fact = facts.findLast((one) => one.get(name) !== null) ?? this.#layers[index];
    const own = extra?.get(name) ?? fact?.get(name) ?? undefined;
    const given = this.#outside.given(name, at) ?? (isOpen ? at.as(unfilled) : undefined);
    if (given === undefined || (index >= this.#weak && isInventory(given.span().file))) return own;
    return textTree(given);
  }

  /** The variables with more that override them. */
  with(...layers: readonly (Tree | null)[]): Variables {
    const all = [...this.#layers, ...layers.filter((one) => one !== null)];
    return new Variables(this.steps, all, this.#outside, this.#weak);
  }

  /** The variables with these where they set nothing. */
  or(defaults: Tree | null): Variables {
    if (defaults === null) return this;
    return new Variables(this.steps, [defaults, ...this.#layers], this.#outside, this.#weak + 1);
  }
}

/** What overrides the variables of files. */
export interface Outside {
  /** The variables of `ansible-playbook -e`, which override all others; null if there are none. */
  readonly extra: Tree | null;
  /** The facts that tasks set, which last to the end of the playbook. */
  readonly facts: Tree[];
  /** Whether a file that is not read may set any variable. */
  isOpen: boolean;
  given(name: string, at: Placed): Placed | undefined;
}

const none: Outside = { extra: null, facts: [], isOpen: false, given: () => undefined };

/** Whether this is the path of an inventory, or of the variables of its hosts and groups. */
export function isInventory(path: string): boolean {
  return /(?:^|\/)(?:(?:host|group)_vars\/|(?:inventor(?:y|ies)|hosts)(?:\/|(?:\.\w+)?$))/.test(path);
}

/** A value; null where it cannot be known, and undefined for a variable that no file sets. */
type Value = Tree | null | undefined;

const maxDepth = 10;
/** Ansible sets these itself when it runs. */
const ofTheRun = /^(?:ansible_\w+|inventory_\w+|hostvars|groups|group_names|playbook_dir|role_path)$/;

/** The text with its expressions replaced by their values; those that cannot be known become unknown. */
export function fill(text: Placed, variables: Variables, depth = 0): Placed {
  if (!text.text.includes('{{')) return text;
  return text.replace(/\{\{[-+]?([^{}]{0,500}?)[-+]?\}\}/g, ([all, inner = ''], at) => {
    const start = all.indexOf(inner, 2);
    const value = evaluate(at.slice(start, start + inner.length), variables, depth);
    return printed(value, at) ?? at.as(unfilled);
  });
}

/** The text with each statement that may change what is printed unknown. */
export function withoutStatements(text: Placed): Placed {
  return text.replace(/\{%.*?%\}|\{#.*?#\}/gs, ({ 0: all, index, input }, at) => {
    const goesOn = continued.test(input.slice(Math.max(0, index - 2000), index)) ? ' \\' : '';
    return at.as(`${prints.test(all) ? `${indentAt(input, index, all)}${unfilled}` : ''}${goesOn}`);
  });
}

/** Before a statement on a line that Jinja2 prints nothing of, and that a backslash continues. */
const continued = /\\[ \t]*\r?\n(?:[ \t]*\{[%#][^\n]{0,500}[%#]\}[ \t]*\r?\n)*[ \t]*$/;

/** The indentation of the line that a statement at the start of a line may print before: YAML depends on it. */
function indentAt(text: string, start: number, { length }: string): string {
  if (start > 0 && text[start - 1] !== '\n') return '';
  const [, indent = ''] = nextLine.exec(text.slice(start + length, start + length + 2000)) ?? [];
  return indent;
}

/** Up to the first line that is neither blank nor a statement. */
const nextLine = /^(?:[ \t]*(?:\{%[^\n]{0,500}%\})?[ \t]*\r?\n)+([ \t]*)(?!\{%)\S/;

/** Statements that may change what is printed. The end of one prints nothing, nor do comments. */
const prints = /^\{%(?![-+]?\s*(?:end\w+|set)\b)/;

/** The value of a part of a file, a text such as `{{ names }}` included. */
export function resolve(tree: Tree | null, variables: Variables, depth = 0): Tree | null {
  const text = tree?.text?.trim();
  if (tree === null || text === undefined) return tree;
  if (text.text.startsWith('$ANSIBLE_VAULT;')) return textTree(text.as(unfilled));
  if (!/\{[{%]/.test(text.text)) return tree;
  const whole = /^\{\{([^{}]{0,500})\}\}$/.exec(text.text);
  if (whole === null) return textTree(withoutStatements(fill(text, variables, depth)));
  return evaluate(text.slice(2, text.text.length - 2), variables, depth) ?? textTree(text.as(unfilled));
}

/** Whether a condition of `when` holds; null if that cannot be decided. */
export function holds(condition: Placed, variables: Variables, depth = 0): boolean | null {
  const at = condition.trim();
  const { text } = at;
  if (/\sor\s|^\(/.test(text)) return null;
  const combined = combination(at, (part) => holds(part, variables, depth));
  if (combined !== undefined) return combined;
  if (/\s(?:in|is)\s/.test(text)) return null;
  const [left = at, right] = splitAt(at, /\s*[!=]=\s*|\s+[<>]\s+/);
  const value = evaluate(left, variables, depth);
  if (right === undefined) return value == null || !isKnown(value.text?.text ?? '') ? null : isTrue(value);
  const [a, b] = [value, evaluate(right, variables, depth)].map((one) => printed(one, at)?.text ?? unfilled);
  if (!isKnown(`${a}${b}`)) return null;
  const [, sign] = /\s([<>])\s/.exec(text) ?? [];
  if (sign === undefined) return (a === b) === text.includes('==');
  const difference = Number(a) - Number(b);
  // Texts are compared too, by their letters.
  if (Number.isNaN(difference)) return null;
  return sign === '<' ? difference < 0 : difference > 0;
}

/** True or false where the condition of an `{% if %}` can be decided: the text "false" is true to Jinja2, unlike to `when`. */
export function decides(condition: Placed, variables: Variables): boolean | null {
  const at = condition.trim();
  const combined = combination(at, (part) => decides(part, variables));
  if (combined !== undefined) return combined;
  const defined = /^([A-Za-z_]\w*)\s+is\s+defined$/.exec(at.text);
  if (defined !== null) return variables.get(defined[1] ?? '', at) === undefined ? null : true;
  if (!/^[\w.|()\s'"[\]-]*$/.test(at.text)) return holds(at, variables);
  const value = evaluate(at, variables, 0);
  if (value == null || !isKnown(value.text?.text ?? '')) return null;
  return typeof value.value === 'string' ? value.value !== '' : isTrue(value);
}

/** The truth of `a or b`, `a and b` or `not a`; undefined if the condition is none of them. */
function combination(at: Placed, decide: (part: Placed) => boolean | null): boolean | null | undefined {
  for (const [word, decider] of [
    ['or', true],
    ['and', false],
  ] as const) {
    const parts = splitAt(at, new RegExp(`\\s${word}\\s`));
    if (parts.length === 1) continue;
    const all = parts.map(decide);
    return all.includes(decider) ? decider : all.includes(null) ? null : !decider;
  }
  const negated = /^not\s+/.exec(at.text);
  const inner = negated === null ? undefined : decide(at.slice(negated[0].length));
  return inner == null ? inner : !inner;
}

/** The value of an expression without its braces. */
function evaluate(expression: Placed, variables: Variables, depth: number): Value {
  variables.steps.count(1 + expression.text.length / 50);
  if (depth > maxDepth || variables.steps.left === 0) return null;
  const [yes = expression, choice] = splitAt(expression, /\sif\s/);
  if (choice !== undefined) {
    const [test = choice, no] = splitAt(choice, /\selse\s/);
    const decided = no === undefined ? null : holds(test, variables, depth + 1);
    return decided === null ? null : evaluate(decided ? yes : (no ?? yes), variables, depth + 1);
  }
  const terms = splitAt(expression, /\+/);
  if (terms.length > 1) {
    const lists = terms.map((term) => evaluate(term, variables, depth + 1));
    const items = lists.flatMap((list) => list?.items ?? []);
    return lists.every((list) => list?.isList) ? listTree(expression.span(), items) : null;
  }
  const [first = expression, ...calls] = splitAt(expression, /\|/);
  return calls.reduce<Value>(
    (value, call) => {
      const [, name = '', list = ''] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(call.text) ?? [];
      const from = call.text.indexOf(list, call.text.indexOf('('));
      const args = list === '' ? [] : splitAt(call.slice(from, from + list.length), /,/);
      const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
      if (filter === undefined || (value == null && !(value === undefined && isDefault.test(name))))
        return null;
      const values = args.map((arg) => evaluate(arg, variables, depth + 1));
      return filter(value, values, expression);
    },
    operand(first.trim(), variables, depth),
  );
}

const isDefault = /^(?:d|default)$/;

/** The variable `omit`: an argument with this value is left out. */
export const omitted: Tree = textTree(Placed.nowhere('omit'));

type Filter = (value: Tree | undefined, args: readonly Value[], at: Placed) => Value;

const onText =
  (change: (text: string) => string): Filter =>
  (value, _, at) => {
    const text = printed(value, at);
    if (text === null) return null;
    const changed = change(text.text);
    return textTree(changed === text.text ? text : text.as(changed));
  };

const orElse: Filter = (value, [other, empty]) =>
  value === undefined || (empty?.value === true && !isTrue(value)) ? other : value;

const filters: Readonly<Record<string, Filter>> = {
  d: orElse,
  default: orElse,
  bool: (value, _, at) => (value === undefined ? null : boolean(isTrue(value), value.text ?? at)),
  int: (value, _, at) => {
    const number = value?.value === true ? 1 : Math.trunc(Number(value?.value));
    return textTree((value?.text ?? at).as(String(number || 0)), number || 0);
  },
  string: onText((text) => text),
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  trim: onText((text) => text.trim()),
  quote: onText((text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`)),
  ternary: (value, [yes, no]) => (value === undefined ? null : isTrue(value) ? yes : no),
  join: (value, [separator], at) => {
    const texts = (value?.items ?? []).map((item) => printed(item, at));
    if (value?.isList !== true || texts.includes(null)) return null;
    const between = separator?.text?.text ?? '';
    const parts = texts.flatMap((text, index) => (index === 0 ? [text ?? ''] : [between, text ?? '']));
    return textTree(at.slice(0, 0).joined(parts));
  },
};

function boolean(value: boolean, at: Placed): Tree {
  return textTree(at.as(value ? 'True' : 'False'), value);
}

function operand(at: Placed, variables: Variables, depth: number): Value {
  const { text } = at;
  if (/^'[^'\\]*'$|^"[^"\\]*"$/.test(text))
    return textTree(text.length === 2 ? at.as('') : at.slice(1, text.length - 1));
  if (/^-?\d+$/.test(text)) return textTree(at, Number(text));
  if (/^(?:true|false)$/i.test(text)) return boolean(/^t/i.test(text), at);
  if (text === '[]') return listTree(at.span(), []);
  if (text === 'omit') return omitted;
  if (parenthesised.test(text)) return evaluate(at.slice(1, text.length - 1), variables, depth + 1);
  const [, name = '', rest = ''] = /^([A-Za-z_]\w*)((?:\.\w+|\[(?:\d+|'\w+'|"\w+")\])*)$/.exec(text) ?? [];
  // Paths of a role start in its folder.
  if (text === 'role_path') return textTree(at.as('.'));
  if (name === '' || ofTheRun.test(name)) return null;
  let value: Value = variables.get(name, at);
  for (const [step] of rest.matchAll(/\w+/g)) {
    if (value != null) value = resolve(value, variables, depth + 1);
    if (value == null) return value;
    value = value.isList ? value.items[Number(step)] : (value.get(step) ?? undefined);
  }
  return value == null ? value : resolve(value, variables, depth + 1);
}

/** A value as Jinja2 prints it; null if it is a list or a map, or not known. */
function printed(value: Value, at: Placed): Placed | null {
  if (value == null || value.isList || value.isMap) return null;
  if (typeof value.value === 'boolean') return (value.text ?? at).as(value.value ? 'True' : 'False');
  return value.text ?? at.as('');
}

function isTrue({ value, text, items, entries }: Tree): boolean {
  if (typeof value === 'string') return /^(?:true|yes|on|1|y)$/i.test(text?.text ?? '');
  return ![null, undefined, false, 0].includes(value as never) || items.length + entries.length > 0;
}

/** Parentheses with at most two pairs in them, one in the other. */
const parentheses = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const parenthesised = new RegExp(`^${parentheses}$`);

/** Parts between separators that are not in quotes or parentheses. */
function splitAt(text: Placed, separator: RegExp): Placed[] {
  const token = new RegExp(`'[^']*'|"[^"]*"|${parentheses}|(${separator.source})`, 'g');
  const parts: Placed[] = [];
  let start = 0;
  for (const match of text.text.matchAll(token)) {
    if (match[1] === undefined) continue;
    parts.push(text.slice(start, match.index));
    start = match.index + match[0].length;
  }
  return [...parts, text.slice(start)];
}
