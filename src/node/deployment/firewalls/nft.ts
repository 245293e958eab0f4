/** Rulesets of nft: /etc/nftables.conf, scripts of `nft -f` and the output of `nft list ruleset`. nft(8) */
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { elementsIn } from './nft-rule.js';
import { type Block, isBlock, type Statement, statementsIn, textOf, Variables } from './nft-tree.js';
import { isLoadable } from './nft-words.js';
import { type BaseChain, type Ruleset, Unread } from './ruleset.js';
import { type Table, Tables } from './tables.js';

const names = /^(?:inet|ip6?|arp|bridge|netdev)$/;

/** @throws {Unread} where a statement is not understood that may change any chain */
export function readNft(file: LineIndex): Ruleset {
  const reader = new Reader(file);
  for (const statement of statementsIn(file.text)) reader.command(statement);
  return reader.tables.ruleset();
}

class Reader {
  readonly tables = new Tables();
  readonly #file: LineIndex;
  readonly #variables = new Variables();

  constructor(file: LineIndex) {
    this.#file = file;
  }

  command(written: Statement): void {
    if (this.#define(written)) return;
    const statement = this.#variables.expanded(written);
    const body = statement.find(isBlock) ?? null;
    const words = textOf(statement.filter((part) => !isBlock(part))).split(' ');
    const verb = words[0] === 'table' ? 'add' : (words.shift() ?? '');
    const [object = '', ...rest] = words;
    const family = names.test(rest[0] ?? '') ? (rest.shift() ?? '') : 'ip';
    const [table = '', name = ''] = rest;
    const key = `${family} ${table}`;
    const isRemoval = /^(?:delete|destroy|flush)$/.test(verb);
    if (verb === 'flush' && object === 'ruleset' && words.length === 1) this.tables.clear();
    else if (verb === 'flush' && object === 'table')
      for (const chain of this.tables.get(key)?.chains.values() ?? []) chain.rules.length = 0;
    else if (isRemoval && object === 'table' && table !== 'handle') this.tables.delete(key);
    else if (verb === 'flush' && object === 'chain') this.tables.get(key)?.chains.get(name)?.rules.splice(0);
    else if (!/^(?:add|create)$/.test(verb)) throw new Unread();
    else if (object === 'table' && rest.length > 1) throw new Unread();
    else if (object === 'table') this.#table(this.tables.table(key), body);
    else if (object === 'chain') this.#chain(this.tables.table(key), name, body);
    else if (object === 'set' || object === 'map') this.#set(this.tables.table(key), name, body);
    else if (object === 'element') this.#elements(this.tables.table(key), name, body);
    else if (object === 'rule') {
      const from = statement.findIndex((part) => !isBlock(part) && part.text === name);
      const rule = statement.slice(from + 1);
      if (/^(?:position|index|handle) /.test(textOf(rule))) throw new Unread();
      this.tables.table(key).chains.get(name)?.rules.push(this.#rule(rule));
    } else if (!stateful.test(object)) throw new Unread();
  }

  /** True for the definition of a variable. */
  #define(statement: Statement): boolean {
    const [verb, name, equals, ...value] = statement;
    if (isBlock(verb) || !/^(?:re)?define$/.test(verb?.text ?? '')) return false;
    if (name === undefined || isBlock(name) || equals === undefined || value.length === 0) throw new Unread();
    if (verb?.text === 'define' && this.#variables.has(name.text)) throw new Unread();
    this.#variables.set(name.text, this.#variables.expanded(value));
    return true;
  }

  #table(table: Table, body: Block | null): void {
    for (const written of body?.statements ?? []) {
      if (this.#define(written)) continue;
      const statement = this.#variables.expanded(written);
      const inner = statement.find(isBlock) ?? null;
      const [object = '', name = ''] = textOf(statement.filter((part) => !isBlock(part))).split(' ');
      if (object === 'chain') this.#chain(table, name, inner);
      else if (object === 'set' || object === 'map') this.#set(table, name, inner);
      else if (object === 'flags') table.isDormant = /\bdormant\b/.test(textOf(statement));
      else if (!stateful.test(object)) throw new Unread();
    }
  }

  #chain(table: Table, name: string, body: Block | null): void {
    if (operators.test(name)) throw new Unread();
    const chain = table.chain(name);
    for (const written of body?.statements ?? []) {
      if (this.#define(written)) continue;
      const statement = this.#variables.expanded(written);
      const text = textOf(statement);
      if (text.startsWith('include ')) throw new Unread();
      if (text.startsWith('type ')) chain.base = hookOf(text, this.#placeOf(statement));
      else if (text === 'policy accept' || text === 'policy drop')
        chain.policy = text === 'policy drop' ? 'drop' : 'accept';
      else if (text.startsWith('policy ')) throw new Unread();
      else if (!/^(?:comment|flags|devices?) /.test(text)) chain.rules.push(this.#rule(statement));
    }
  }

  #set(table: Table, name: string, body: Block | null): void {
    const texts = body?.statements.map((one) => textOf(this.#variables.expanded(one))) ?? [];
    if (!texts.every((one) => ofSet.test(one))) throw new Unread();
    const elements = texts.find((one) => one.startsWith('elements = ')) ?? '';
    const isDynamic = texts.some((one) => /^timeout |^flags .*\b(?:dynamic|timeout)\b/.test(one));
    table.sets.set(name, { elements: elementsIn(elements.replace('elements = ', '')), isDynamic });
  }

  #elements(table: Table, name: string, body: Block | null): void {
    const { elements: known = null, isDynamic = true } = table.sets.get(name) ?? {};
    const added = body === null ? null : elementsIn(textOf([body]));
    const elements = added === null || known === null ? null : [...known, ...added];
    table.sets.set(name, { elements, isDynamic });
  }

  #rule(statement: Statement) {
    const text = textOf(statement);
    if (!isLoadable(text)) throw new Unread();
    return { text, at: this.#placeOf(statement) };
  }

  #placeOf(statement: Statement): Span {
    const { start = 0 } = statement[0] ?? {};
    return this.#file.span({ start, end: statement.at(-1)?.end ?? start });
  }
}

/** Words that no chain may have as its name. */
const operators = /^(?:eq|ne|lt|gt|le|ge|and|or|xor|not)$/;

/** The lines of a set or a map. */
const types =
  'ipv4_addr|ipv6_addr|ether_addr|inet_proto|inet_service|mark|ifname|iface_index|verdict|ct_state|icmp_type|icmpv6_type|icmpx_code|integer|string';
const flags = 'constant|dynamic|interval|timeout';
const ofSet = new RegExp(
  `^(?:type (?:${types})(?: (?:[.:]|\\.) (?:${types}))*|typeof .+|flags (?:${flags})(?: , (?:${flags}))*|(?:timeout|gc-interval|size|elements|policy|auto-merge|comment|counter|limit|quota|last)\\b.*)$`,
);

/** Objects of a table without rules. */
const stateful = /^(?:comment|counter|quota|limit|ct|flowtable|secmark|synproxy)$/;

const priorities: Readonly<Record<string, number>> = {
  raw: -300,
  mangle: -150,
  dstnat: -100,
  filter: 0,
  security: 50,
  srcnat: 100,
};

/** null: a hook that does not decide which packets reach a program. @throws {Unread} for a priority that is not known */
function hookOf(text: string, at: Span): Pick<BaseChain, 'hook' | 'priority' | 'at'> | null {
  const [, hook = '', base = '', sign = '+', offset = '0'] =
    /^type (?:filter|nat|route) hook (prerouting|input|forward|output|postrouting|ingress|egress)(?: device .*)? priority (-?\w+)(?: ?([+-]) ?(\d+))?$/.exec(
      text,
    ) ?? [];
  if (hook === '') throw new Unread();
  if (hook !== 'input' && hook !== 'prerouting') return null;
  const named = /^-?\d+$/.test(base) ? Number(base) : priorities[base];
  if (named === undefined) throw new Unread();
  return { hook, priority: named + Number(`${sign}${offset}`), at };
}
