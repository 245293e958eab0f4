/** Renders a parsed template with the values of its chart. */
import { Placed } from '../../text/placed.js';
import { unfilled } from '../../text/placeholders.js';
import { listTree, mapOf, mapTree, type Tree, textTree } from '../../yaml/tree.js';
import { callFunction, isTrue, isUnknown, printAsGo, scalar, unknownValue, type Value } from './functions.js';
import { type Node, parseTemplate } from './template.js';
import { type Operand, type Pipeline, Unrendered } from './tokens.js';

/** They change the map that is their first argument. */
const changes = /^(?:(?:un)?set|(?:mustM|m)erge(?:Overwrite)?)$/;
const maxSteps = 100_000;
const maxDepth = 32;

/** The variables of a block, with those of the blocks around it. */
class Scope {
  readonly #names = new Map<string, Value>();
  readonly #above: Scope | null;

  constructor(above: Scope | null) {
    this.#above = above;
  }

  get(name: string): Value {
    if (this.#names.has(name)) return this.#names.get(name) ?? null;
    if (this.#above === null) throw new Unrendered(`the variable $${name} is not set`);
    return this.#above.get(name);
  }

  set(name: string, value: Value): void {
    this.#names.set(name, value);
  }

  /** Changes the variable where it was set. */
  assign(name: string, value: Value): void {
    if (this.#names.has(name) || this.#above === null) this.set(name, value);
    else this.#above.assign(name, value);
  }
}

interface At {
  readonly dot: Value;
  readonly scope: Scope;
  readonly depth: number;
}

/** The texts of a chart's files; null if there is none. */
export interface ChartFiles {
  at(path: string): Placed | null;
  /** The file that defines a named template. */
  defining(name: string): Placed | null;
  /** The value that this reading takes for a path of values; undefined for that of the files. */
  outside(path: string, at: Placed): Placed | undefined;
  /** Whether a condition that only the cluster decides is assumed to hold. */
  holds(condition: Placed): boolean;
}

export class Renderer {
  private readonly named = new Map<string, readonly Node[]>();
  private readonly root: Tree;
  private readonly files: ChartFiles;
  private readonly changed = new Map<Tree, Tree>();
  private steps = maxSteps;

  constructor(root: Tree, files: ChartFiles) {
    this.root = root;
    this.files = files;
  }

  /** Keeps the named templates of a file. */
  define(nodes: readonly Node[]): void {
    for (const node of nodes) if (node.is === 'define') this.named.set(node.name, node.body);
  }

  /** @throws {Unrendered} with the reason why it is not followed */
  render(nodes: readonly Node[], dot: Value = this.root, depth = 0): Placed[] {
    const scope = new Scope(null);
    scope.set('', depth === 0 ? this.root : dot);
    return this.body(nodes, { dot, scope, depth });
  }

  private body(nodes: readonly Node[], at: At): Placed[] {
    const inner = { ...at, scope: new Scope(at.scope) };
    return nodes.flatMap((node) => this.node(node, inner));
  }

  private step(): void {
    this.steps -= 1;
    if (this.steps < 0) throw new Unrendered('it takes too many steps');
  }

  private node(node: Node, at: At): Placed[] {
    this.step();
    switch (node.is) {
      case 'text':
        return [node.text];
      case 'print':
        return [shown(printAsGo(this.value(node.pipeline, at), node.at), node.at)];
      case 'set': {
        const value = this.value(node.pipeline, at);
        if (node.isNew) at.scope.set(node.name, value);
        else at.scope.assign(node.name, value);
        return [];
      }
      case 'define':
        return [];
      case 'if':
        return this.body(this.isTrue(this.value(node.pipeline, at)) ? node.body : node.other, at);
      case 'with': {
        const value = this.value(node.pipeline, at);
        return this.isTrue(value)
          ? this.body(node.body, this.inner(at, node.names, [value]))
          : this.body(node.other, at);
      }
      case 'range':
        return this.range(node, at);
    }
  }

  private isTrue(value: Value): boolean {
    return value?.text != null && isUnknown(value) ? this.files.holds(value.text) : isTrue(value);
  }

  private range(node: Extract<Node, { is: 'range' | 'if' | 'with' }>, at: At): Placed[] {
    const value = this.value(node.pipeline, at);
    if (isUnknown(value)) isTrue(value);
    const rows = value?.isMap
      ? [...value.entries]
          .sort((a, b) => (a.key.text < b.key.text ? -1 : 1))
          .map(({ key, value: one }) => [textTree(key), one] as const)
      : (value?.items ?? []).map((one, index) => [index, one] as const);
    if (rows.length === 0) return this.body(node.other, at);
    return rows.flatMap(([key, one]) => {
      const index = typeof key === 'number' ? scalar(one?.text ?? Placed.nowhere(''), key) : key;
      const values = node.names.length > 1 ? [index, one] : [one];
      return this.body(node.body, this.inner(at, node.names, values, one));
    });
  }

  private inner(at: At, names: readonly string[], values: readonly Value[], dot = values[0] ?? null): At {
    const scope = new Scope(at.scope);
    names.forEach((name, index) => {
      scope.set(name, values[index] ?? null);
    });
    return { ...at, dot, scope };
  }

  private value(pipeline: Pipeline, at: At): Value {
    return pipeline.reduce<Value>(
      (value, command, index) => this.command(command, index === 0 ? [] : [value], at),
      null,
    );
  }

  private command([first, ...rest]: readonly Operand[], piped: readonly Value[], at: At): Value {
    if (first === undefined) return null;
    if (first.is === 'field' && /^(?:Files|Capabilities)$/.test(first.path[0] ?? ''))
      return this.builtIn(first.path, rest, at, first.at);
    if (first.is !== 'function') {
      if (rest.length + piped.length > 0) throw new Unrendered('a value is called as a function');
      return this.operand(first, at);
    }
    // Go evaluates no more arguments of `and` and `or` than it needs.
    const args = [...rest.map((one) => this.argument(one, first.name, at)), ...piped];
    if (first.name === 'include') return this.include(args, first.at, at);
    if (first.name === 'tpl') {
      const [text = null, dot = null] = args;
      const nodes = parseTemplate(printAsGo(text, first.at));
      return textTree(first.at.joined(this.render(nodes, dot, this.deeper(at))));
    }
    const result = callFunction(first.name, args, first.at);
    const [map = null] = args;
    if (changes.test(first.name) && map !== null && result !== null && this.current(result) !== map)
      this.changed.set(map, result);
    return result;
  }

  /** Compared with something, the namespace of the release is not known. */
  private argument(operand: Operand, name: string, at: At): Value {
    const isCompared = /^(?:eq|ne|contains|hasPrefix|hasSuffix|has|index|get|hasKey|ternary)$/.test(name);
    return isCompared && operand.is === 'field' && operand.path.join('.') === 'Release.Namespace'
      ? unknownValue(operand.at)
      : this.operand(operand, at);
  }

  private deeper({ depth }: At): number {
    if (depth >= maxDepth) throw new Unrendered('templates include each other too deeply');
    return depth + 1;
  }

  private include([name = null, dot = null]: readonly Value[], place: Placed, at: At): Value {
    const wanted = printAsGo(name, place);
    const body = this.defined(wanted.text) ?? this.ofFile(wanted.text);
    // A chart that is not among the files defines it: only the text that it prints is not known.
    if (body === null) return unknownValue(wanted);
    return textTree(place.joined(this.render(body, dot, this.deeper(at))));
  }

  private defined(name: string): readonly Node[] | null {
    const text = this.named.has(name) ? null : this.files.defining(name);
    if (text !== null) this.define(parseTemplate(text));
    return this.named.get(name) ?? null;
  }

  /** The template of a file, by its path in the chart, as checksums of ConfigMaps are made. */
  private ofFile(name: string): readonly Node[] | null {
    const text = name.startsWith('templates/') ? this.files.at(name) : null;
    return text === null ? null : parseTemplate(text);
  }

  private operand(operand: Operand, at: At): Value {
    switch (operand.is) {
      case 'literal':
        return operand.value === null ? null : scalar(operand.text, operand.value);
      case 'field':
        if (/^(?:Files|Capabilities)$/.test(operand.path[0] ?? ''))
          return this.builtIn(operand.path, [], at, operand.at);
        return this.field(operand, at);
      case 'function':
        return this.command([operand], [], at);
      case 'pipeline':
        return this.below(this.value(operand.pipeline, at), operand.path);
    }
  }

  /** The flags of the moment are those of the cluster: https://helm.sh/docs/chart_template_guide/builtin_objects */
  private field({ of, path, at: place }: Extract<Operand, { is: 'field' }>, at: At): Value {
    if (/^Release\.(?:IsInstall|IsUpgrade|Revision)$/.test(path.join('.'))) return unknownValue(place);
    const value = this.below(of.startsWith('$') ? at.scope.get(of.slice(1)) : at.dot, path);
    return path[0] === 'Values' && path.length > 1 ? this.given(value, path.slice(1), place) : value;
  }

  /** The value with what this reading takes for it and what it holds. */
  private given(value: Value, path: readonly string[], at: Placed): Value {
    this.step();
    if (value?.isMap !== true) {
      const text = this.files.outside(path.join('.'), at);
      if (text === undefined) return value;
      const parts = text.split(/[,\n]/).map((one) => textTree(one));
      return value?.isList === true ? listTree(text.span(), parts) : textTree(text);
    }
    const entries = value.entries.map(({ key, value: inner }) => ({
      key,
      value: this.given(inner, [...path, key.text], at),
    }));
    return entries.every((entry, index) => entry.value === value.entries[index]?.value)
      ? value
      : mapTree(value.at, entries);
  }

  /** A map as the functions that change it left it. */
  private current(value: Value): Value {
    let last = value;
    for (let next = value; next != null; next = this.changed.get(next) ?? null) last = next;
    if (value !== null && last !== null && last !== value) this.changed.set(value, last);
    return last;
  }

  private below(value: Value, path: readonly string[]): Value {
    const of = this.current(value);
    if (isUnknown(of)) return of;
    return path.reduce<Value>((inner, name) => this.current(inner?.get(name) ?? null), of);
  }

  /** `.Files.Get` reads a file of the chart, and `.Capabilities.APIVersions.Has` holds for the kinds of Kubernetes itself; others are not known. */
  private builtIn(path: readonly string[], rest: readonly Operand[], at: At, place: Placed): Value {
    const [first] = rest.map((one) => this.operand(one, at));
    const word = first?.text ?? null;
    const name = path.join('.');
    if (name === 'Files.Get' && word !== null) {
      const text = this.files.at(word.text);
      if (text === null) throw new Unrendered(`${word.text} is not among the files`);
      return textTree(text);
    }
    const isUsual = /^(?:v1$|apps\/|batch\/|policy\/|autoscaling\/|networking\.k8s\.io\/)/.test(
      word?.text ?? '',
    );
    if (name === 'Capabilities.APIVersions.Has' && word !== null && isUsual) return scalar(word, true);
    if (path[0] === 'Capabilities') return unknownValue(place);
    throw new Unrendered(`.${name} is not followed`);
  }
}

/** A text whose unknown parts have the place of the expression that prints them. */
function shown(text: Placed, at: Placed): Placed {
  return text.replace(unknownPart, () => at.as(unfilled));
}

const unknownPart = new RegExp(`${unfilled}+`, 'g');

/** A map of texts without a place of their own. */
export function mapOfTexts(at: Placed, texts: Readonly<Record<string, string>>): Tree {
  return mapOf(at, Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, scalar(at, text)])));
}
