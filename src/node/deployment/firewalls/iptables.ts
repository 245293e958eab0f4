/**
 * Rulesets of iptables and ip6tables: what their `-save` prints, and their commands, in the words of nft, which the kernel
 * is told as well. iptables(8), iptables-translate(8)
 */
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { builtInChains, matches, mayHave, options, tables, targets } from './iptables-words.js';
import { ip6, type Ranges } from './ranges.js';
import { type BaseChain, type Ruleset, Unread } from './ruleset.js';
import { type Table, Tables } from './tables.js';

/** The built-in chains that packets meet on their way to a program, with their priorities. */
const hooks: Readonly<Record<string, Pick<BaseChain, 'hook' | 'priority'>>> = {
  'raw PREROUTING': { hook: 'prerouting', priority: -300 },
  'mangle PREROUTING': { hook: 'prerouting', priority: -150 },
  'nat PREROUTING': { hook: 'prerouting', priority: -100 },
  'mangle INPUT': { hook: 'input', priority: -150 },
  'filter INPUT': { hook: 'input', priority: 0 },
  'security INPUT': { hook: 'input', priority: 50 },
};

/** The tables of one family. */
export class Iptables {
  readonly tables = new Tables();
  readonly #family: 'ip' | 'ip6';

  constructor(family: Ranges) {
    this.#family = family === ip6 ? 'ip6' : 'ip';
  }

  /** One command, without the program. @throws {Unread} when it changes rules in a way that is not understood */
  command(words: readonly string[], at: Span): void {
    const named = words.findIndex((word) => word === '-t' || word === '--table');
    const table = named < 0 ? 'filter' : (words[named + 1] ?? '');
    const [verb = '', name = '', ...rest] =
      named < 0 ? words : [...words.slice(0, named), ...words.slice(named + 2)];
    const { chains } = this.#table(table);
    if (verb === '-P' || verb === '--policy') this.declare(table, name, rest[0] ?? '', at);
    else if (verb === '-N' || verb === '--new-chain') this.declare(table, name, '-', at);
    else if (verb === '-A' || verb === '--append') {
      // Built-in chains are always there.
      if (!builtInChains.has(name) && !chains.has(name)) throw new Unread();
      this.#chain(table, name, at).rules.push({ text: ruleOf(rest, this.#family), at });
    } else if (verb === '-I' || verb === '--insert') {
      const isFirst = rest[0] === '1' || !/^\d+$/.test(rest[0] ?? '');
      if (!isFirst) throw new Unread();
      const text = ruleOf(rest[0] === '1' ? rest.slice(1) : rest, this.#family);
      this.#chain(table, name, at).rules.unshift({ text, at });
    } else if (verb === '-F' || verb === '--flush') {
      for (const [one, { rules }] of chains) if (name === '' || name === one) rules.length = 0;
    } else if (!/^(?:-[XZ]|--(?:delete-chain|zero))$/.test(verb)) throw new Unread();
  }

  /** A chain with its policy; `-` for a chain of the user. */
  declare(table: string, name: string, policy: string, at: Span): void {
    const chain = this.#chain(table, name, at);
    chain.policy = policy === 'DROP' ? 'drop' : 'accept';
    if (chain.base !== null) chain.base = { ...chain.base, at };
  }

  #table(name: string): Table {
    return this.tables.table(`${this.#family} ${name}`);
  }

  #chain(table: string, name: string, at: Span) {
    const chain = this.#table(table).chain(name);
    const hook = hooks[`${table} ${name}`];
    if (hook !== undefined) chain.base ??= { ...hook, at };
    return chain;
  }
}

/** A rule as nft has it. @throws {Unread} where iptables refuses it, or a word of it is not known */
function ruleOf(words: readonly string[], family: 'ip' | 'ip6'): string {
  const tests: string[] = [];
  let verdict: string | null = null;
  let not = '';
  for (let index = 0; index < words.length; ) {
    const option = words[index] ?? '';
    const from = index + 1;
    index = from;
    if (option === '!') {
      not = '!= ';
      continue;
    }
    if (!isOption(option)) throw new Unread();
    while (index < words.length && words[index] !== '!' && !/^-[^\d\s]\S*$/.test(words[index] ?? ''))
      index += 1;
    const values = words.slice(from, index);
    if (!mayHave(option, values)) throw new Unread();
    if (/^(?:-j|-g|--jump|--goto)$/.test(option)) {
      verdict = verdictOf(values[0] ?? '', /g/.test(option));
      if (values.length !== 1) tests.push(unsure);
    } else if (verdict === null || !targetOptions.test(option))
      tests.push(testOf(option, { values: (values[0] ?? '').split(','), not, family }));
    not = '';
  }
  return [...tests, verdict ?? ''].filter((one) => one !== '').join(' ');
}

/** Whether a rule may have an option: by its long name, or by its letter. */
function isOption(word: string): boolean {
  return word.startsWith('--') ? options.has(word.slice(2)) : /^-[sdpiojgmfc46]$/.test(word);
}

/** A target that is not known here is a chain; one of an extension may accept. */
function verdictOf(target: string, isGoto: boolean): string {
  if (/^(?:CT|NOTRACK)$/.test(target)) throw new Unread();
  if (/^(?:ACCEPT|DROP|RETURN)$/.test(target)) return target.toLowerCase();
  if (target === 'REJECT') return 'drop';
  if (/^(?:LOG|NFLOG|ULOG|AUDIT|MARK|CONNMARK)$/.test(target)) return '';
  if (/^(?:DNAT|REDIRECT|TPROXY|NETMAP)$/.test(target)) return 'redirect';
  return targets.has(target) ? 'accept' : `${isGoto ? 'goto' : 'jump'} ${target}`;
}

const targetOptions =
  /^--(?:reject-with|log-\w+|nflog-\w+|type|set-\w+|save-mark|restore-mark|[nc]t?mask|to-\w+|on-\w+|tproxy-mark)/;

interface Option {
  readonly values: readonly string[];
  /** The operator of nft for a negated test. */
  readonly not: string;
  readonly family: 'ip' | 'ip6';
}

/** A test of nft with a result that is not known, and one that TCP fails. */
export const unsure = 'meta mark 1';
const failing = 'meta l4proto udp';

/** Modules that test nothing without an option. */
const modules = /^(?:tcp|udp|multiport|comment|conntrack|state|addrtype|iprange|icmp6?)$/;

const list = (values: readonly string[]) => `{ ${values.join(' , ')} }`;

const rows: readonly (readonly [options: RegExp, test: (option: Option) => string])[] = [
  [
    /^(?:-s|--source|--src|--src-range)$/,
    ({ values, not, family }) => `${family} saddr ${not}${list(values)}`,
  ],
  [/^--(?:dports?|destination-ports?)$/, ({ values, not }) => `tcp dport ${not}${list(values)}`],
  [
    /^(?:-p|--protocol|--proto)$/,
    ({ values: [value = ''], not }) =>
      /^(?:all|0)$/i.test(value) ? '' : `meta l4proto ${not}${value.toLowerCase()}`,
  ],
  [/^(?:-i|--in-interface)$/, ({ values: [value], not }) => `iifname ${not}"${value}"`],
  [
    /^--(?:ct)?state$/,
    ({ values, not }) =>
      `ct state ${not}${list(values.map((one) => (/NAT/.test(one) ? 'untracked' : one.toLowerCase())))}`,
  ],
  [/^--syn$/, ({ not }) => (not === '' ? '' : failing)],
  [
    /^--dst-type$/,
    ({ values, not }) => `fib daddr type ${not}${list(values.map((one) => one.toLowerCase()))}`,
  ],
  [
    /^(?:-m|--match)$/,
    ({ values: [value = ''] }) => {
      if (!matches.has(value)) throw new Unread();
      return modules.test(value) ? '' : unsure;
    },
  ],
  [/^(?:--comment|-c|--set-counters|-4|-6|--ipv4|--ipv6)$/, () => ''],
];

function testOf(option: string, given: Option): string {
  return rows.find(([names]) => names.test(option))?.[1](given) ?? unsure;
}

/** The words of a line; quotes hold a word together. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/["']/g, ''),
  );
}

/** What `iptables-save` or `ip6tables-save` prints. @throws {Unread} for a file that `iptables-restore` refuses */
export function readSaved(file: LineIndex, family: Ranges): Ruleset {
  const read = new Iptables(family);
  let table: string | null = null;
  let start = 0;
  for (const line of file.text.split('\n')) {
    const at = file.span({ start, end: start + line.trimEnd().length });
    start += line.length + 1;
    const text = line.trim().replace(/^\[\d+:\d+\] /, '');
    if (text === '' || text.startsWith('#')) continue;
    const [, name] = /^\*(\w+)$/.exec(text) ?? [];
    const [, chain, policy] = /^:(\S+) (\S+)/.exec(text) ?? [];
    if (name !== undefined && !tables.has(name)) throw new Unread();
    if (name !== undefined) table = name;
    else if (text === 'COMMIT') table = null;
    else if (table === null) throw new Unread();
    else if (chain !== undefined) {
      if (!(builtInChains.has(chain) ? /^(?:ACCEPT|DROP|-)$/ : /^-$/).test(policy ?? '')) throw new Unread();
      read.declare(table, chain, policy ?? '-', at);
    } else read.command([...wordsOf(text), '-t', table], at);
  }
  // Without COMMIT the rules of a table are not loaded.
  if (table !== null) throw new Unread();
  return read.tables.ruleset();
}
