/** Rulesets of iptables and ip6tables: what their `-save` prints, and their commands. iptables(8) */

import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import {
  builtInChains,
  targets as extensions,
  matches,
  mayHave,
  options,
  tables as tableNames,
} from './iptables-words.js';
import { addressesOf, difference, everyPort, intersection, portsOf, type Ranges, union } from './ranges.js';
import { type BaseChain, type Rule, type Ruleset, Tests, Unread, type Verdict } from './ruleset.js';

/** The built-in chains that packets meet on their way to a program, with their priorities. */
const builtIn: Readonly<Record<string, Pick<BaseChain, 'hook' | 'priority'>>> = {
  'raw PREROUTING': { hook: 'prerouting', priority: -300 },
  'mangle PREROUTING': { hook: 'prerouting', priority: -150 },
  'nat PREROUTING': { hook: 'prerouting', priority: -100 },
  'mangle INPUT': { hook: 'input', priority: -150 },
  'filter INPUT': { hook: 'input', priority: 0 },
  'security INPUT': { hook: 'input', priority: 50 },
};

interface Chain {
  readonly rules: Rule[];
  policy: 'accept' | 'drop';
  at: Span;
}

/** The tables of one family. */
export class Tables {
  readonly #family: Ranges;
  readonly #tables = new Map<string, Map<string, Chain>>();
  #translates = false;
  /** The targets that have to be chains. */
  readonly #jumps = new Set<string>();

  constructor(family: Ranges) {
    this.#family = family;
  }

  /** One command, without the program. @throws {Unread} when it changes rules in a way that is not understood */
  command(words: readonly string[], at: Span): void {
    const named = words.findIndex((word) => word === '-t' || word === '--table');
    const table = named < 0 ? 'filter' : (words[named + 1] ?? '');
    const [verb = '', name = '', ...rest] =
      named < 0 ? words : [...words.slice(0, named), ...words.slice(named + 2)];
    const chains = this.#tables.get(table) ?? new Map<string, Chain>();
    this.#tables.set(table, chains);
    if (verb === '-P' || verb === '--policy') this.declare(table, name, rest[0] ?? '', at);
    else if (verb === '-N' || verb === '--new-chain') this.declare(table, name, '-', at);
    else if (verb === '-A' || verb === '--append') {
      // Built-in chains are always there.
      if (!builtInChains.has(name) && !chains.has(name)) throw new Unread();
      chainOf(chains, name, at).rules.push(this.#rule(rest, at));
    } else if (verb === '-I' || verb === '--insert') {
      const isFirst = rest[0] === '1' || !/^\d+$/.test(rest[0] ?? '');
      if (!isFirst) throw new Unread();
      chainOf(chains, name, at).rules.unshift(this.#rule(rest[0] === '1' ? rest.slice(1) : rest, at));
    } else if (verb === '-F' || verb === '--flush') {
      for (const [one, { rules }] of chains) if (name === '' || name === one) rules.length = 0;
    } else if (!/^(?:-[XZ]|--(?:delete-chain|zero))$/.test(verb)) throw new Unread();
  }

  /** A chain with its policy; `-` for a chain of the user. */
  declare(table: string, name: string, policy: string, at: Span): void {
    const chains = this.#tables.get(table) ?? new Map<string, Chain>();
    this.#tables.set(table, chains);
    const chain = chainOf(chains, name, at);
    chain.policy = policy === 'DROP' ? 'drop' : 'accept';
    chain.at = at;
  }

  /** The base chains of all tables. @throws {Unread} where a rule jumps to a chain that no table has */
  ruleset(): Ruleset {
    const all = new Set([...this.#tables.values()].flatMap((chains) => [...chains.keys()]));
    if ([...this.#jumps].some((name) => !all.has(name))) throw new Unread();
    const bases = Object.entries(builtIn).flatMap(([key, hooked]): BaseChain[] => {
      const [table = '', name = ''] = key.split(' ');
      const all = this.#tables.get(table);
      const chain = all?.get(name);
      if (all === undefined || chain === undefined) return [];
      const chains = new Map([...all].map(([one, { rules }]) => [one, rules]));
      return [{ ...hooked, ...chain, sources: this.#family, chains }];
    });
    return { bases, translates: this.#translates };
  }

  #rule(words: readonly string[], at: Span): Rule {
    const tests = new Tests();
    tests.from(this.#family);
    let verdict: Verdict = 'none';
    let isNegated = false;
    let isTarget = false;
    for (let index = 0; index < words.length; ) {
      const option = words[index] ?? '';
      const from = index + 1;
      index = from;
      if (option === '!') {
        isNegated = true;
        continue;
      }
      if (!isOption(option)) throw new Unread();
      while (index < words.length && words[index] !== '!' && !/^-[^\d\s]\S*$/.test(words[index] ?? ''))
        index += 1;
      const values = words.slice(from, index);
      if (!mayHave(option, values)) throw new Unread();
      if (/^(?:-j|-g|--jump|--goto)$/.test(option)) {
        verdict = this.#verdict(values[0] ?? '', /g/.test(option));
        isTarget = true;
        if (values.length !== 1) tests.holds(null);
      } else if (!(isTarget && targetOptions.test(option)))
        testOf(option, { values, isNegated, family: this.#family }, tests);
      isNegated = false;
    }
    return tests.rule(verdict, at);
  }

  #verdict(target: string, isGoto: boolean): Verdict {
    if (Object.hasOwn(targets, target)) return targets[target] as Verdict;
    if (/^(?:DNAT|REDIRECT|TPROXY|NETMAP)$/.test(target)) this.#translates = true;
    if (/^(?:CT|NOTRACK)$/.test(target)) throw new Unread();
    if (!extensions.has(target)) this.#jumps.add(target);
    return { to: target, comesBack: !isGoto };
  }
}

/** The targets without options that matter. A target that is not known here is a chain, or may accept. */
const targets: Readonly<Record<string, Verdict>> = {
  ACCEPT: 'accept',
  DROP: 'drop',
  REJECT: 'drop',
  RETURN: 'return',
  LOG: 'none',
  NFLOG: 'none',
  ULOG: 'none',
  AUDIT: 'none',
  MARK: 'none',
  CONNMARK: 'none',
};
const targetOptions =
  /^--(?:reject-with|log-\w+|nflog-\w+|type|set-\w+|save-mark|restore-mark|[nc]t?mask|to-\w+|on-\w+|tproxy-mark)/;

function chainOf(chains: Map<string, Chain>, name: string, at: Span): Chain {
  const chain = chains.get(name) ?? { rules: [], policy: 'accept', at };
  chains.set(name, chain);
  return chain;
}

interface Option {
  readonly values: readonly string[];
  readonly isNegated: boolean;
  readonly family: Ranges;
}

/** Modules that test nothing without an option. */
const modules = /^(?:tcp|udp|multiport|comment|conntrack|state|addrtype|iprange|icmp6?)$/;

const rows: readonly (readonly [options: RegExp, test: (tests: Tests, option: Option) => void])[] = [
  [
    /^(?:-s|--source|--src|--src-range)$/,
    (tests, { values: [value = ''], isNegated, family }) => {
      const all = value.split(',').map(addressesOf);
      if (all.includes(null)) return tests.holds(null);
      const known = intersection(union(...all.map((one) => one ?? [])), family);
      tests.from(isNegated ? difference(family, known) : known);
    },
  ],
  [
    /^--(?:dports?|destination-ports?)$/,
    (tests, { values: [value = ''], isNegated }) => {
      const all = value.split(',').map(portsOf);
      if (all.includes(null)) return tests.holds(null);
      const known = union(...all.map((one) => one ?? []));
      tests.to(isNegated ? difference(everyPort, known) : known);
    },
  ],
  [
    /^(?:-p|--protocol|--proto)$/,
    (tests, { values: [value = ''], isNegated }) =>
      tests.holds(/^(?:tcp|6|all|0)$/i.test(value) ? !isNegated : isNegated),
  ],
  [
    /^(?:-i|--in-interface)$/,
    (tests, { values: [value = ''], isNegated }) => tests.holds(value === 'lo' ? isNegated : null),
  ],
  [
    /^--(?:ct)?state$/,
    (tests, { values: [value = ''], isNegated }) => {
      const states = value.split(',');
      tests.tracks(/UNTRACKED|NAT/.test(value) ? null : states.includes('NEW') !== isNegated);
    },
  ],
  [/^--syn$/, (tests, { isNegated }) => tests.holds(!isNegated)],
  [
    /^--dst-type$/,
    (tests, { values: [value = ''], isNegated }) =>
      tests.holds(value.split(',').includes('LOCAL') !== isNegated),
  ],
  [
    /^(?:-m|--match)$/,
    (tests, { values: [value = ''] }) => {
      if (!matches.has(value)) throw new Unread();
      if (!modules.test(value)) tests.holds(null);
    },
  ],
  [/^(?:--comment|-c|--set-counters|-4|-6|--ipv4|--ipv6)$/, () => {}],
];

/** Whether a rule may have an option: by its long name, or by its letter. */
function isOption(word: string): boolean {
  return word.startsWith('--') ? options.has(word.slice(2)) : /^-[sdpiojgmfc46]$/.test(word);
}

function testOf(option: string, given: Option, tests: Tests): void {
  const row = rows.find(([options]) => options.test(option));
  if (row === undefined) tests.holds(null);
  else row[1](tests, given);
}

/** The words of a line; quotes hold a word together. null: the line has a word that a shell would expand. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/["']/g, ''),
  );
}

/** What `iptables-save` or `ip6tables-save` prints. @throws {Unread} for a file that `iptables-restore` refuses */
export function readSaved(file: LineIndex, family: Ranges): Ruleset {
  const tables = new Tables(family);
  addSaved(file, tables);
  return tables.ruleset();
}

export function addSaved(file: LineIndex, tables: Tables): void {
  let table: string | null = null;
  let start = 0;
  for (const line of file.text.split('\n')) {
    const at = file.span({ start, end: start + line.trimEnd().length });
    start += line.length + 1;
    const text = line.trim().replace(/^\[\d+:\d+\] /, '');
    if (text === '' || text.startsWith('#')) continue;
    const [, name] = /^\*(\w+)$/.exec(text) ?? [];
    const [, chain, policy] = /^:(\S+) (\S+)/.exec(text) ?? [];
    if (name !== undefined && !tableNames.has(name)) throw new Unread();
    if (name !== undefined) table = name;
    else if (text === 'COMMIT') table = null;
    else if (table === null) throw new Unread();
    else if (chain !== undefined) {
      if (!(builtInChains.has(chain) ? /^(?:ACCEPT|DROP|-)$/ : /^-$/).test(policy ?? '')) throw new Unread();
      tables.declare(table, chain, policy ?? '-', at);
    } else tables.command([...wordsOf(text), '-t', table], at);
  }
  // Without COMMIT the rules of a table are not loaded.
  if (table !== null) throw new Unread();
}
