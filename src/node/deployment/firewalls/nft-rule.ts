/** One rule of nft as text: what it tests, and its verdict. */
import {
  addressesOf,
  difference,
  everyPort,
  intersection,
  ip4,
  ip6,
  portsOf,
  type Ranges,
  union,
} from './ranges.js';
import { type Rule, Tests, Unread, type Verdict } from './ruleset.js';

/** The elements of a named set or map; null if they are not known. */
export type Sets = ReadonlyMap<string, readonly string[] | null>;

const word = String.raw`(?:"[^"]*"|[\w./:*-]+)(?: - [\w.:]+)?`;
const list = String.raw`\{ [^{}]*\}|@[\w.-]+|${word}(?: , ${word})*`;
const operators = String.raw`(?:\.|\/|&|\||vmap|map|and|or|xor|set|gt|lt|ge|le|eq|ne)(?= |$)`;
const value = `(?:(?<op>[!=]=) )?(?!${operators})(?<value>${list})(?= |$)(?! ${operators})`;

interface Values {
  /** It is null if it is not known. */
  readonly list: readonly string[] | null;
  readonly isNegated: boolean;
  /** The text of the key. */
  readonly key: string;
}

/** A key with a value, and what it tests; the first row that matches counts. */
const keys: readonly (readonly [key: string, test: (tests: Tests, values: Values) => void])[] = [
  [
    'ip6? saddr',
    (tests, { key, list, isNegated }) => {
      const family = key.startsWith('ip6') ? ip6 : ip4;
      tests.from(family);
      const known = setOf(list, addressesOf);
      if (known === null) tests.holds(null);
      else tests.from(isNegated ? difference(family, known) : intersection(family, known));
    },
  ],
  [
    '(?:tcp|th) dport',
    (tests, { list, isNegated }) => {
      const known = setOf(list, portsOf);
      if (known === null) tests.holds(null);
      else tests.to(isNegated ? difference(everyPort, known) : known);
    },
  ],
  [
    '(?:meta )?iif(?:name)?',
    (tests, { list, isNegated }) => {
      const isLoopback = list?.every((one) => one === 'lo') === true;
      tests.holds(isLoopback ? isNegated : null);
    },
  ],
  [
    'ct state',
    (tests, { list, isNegated }) => {
      const isUnsure = list === null || list.includes('untracked') || (isNegated && list.length > 1);
      tests.tracks(isUnsure ? null : list.includes('new') !== isNegated);
    },
  ],
  ['(?:meta )?l4proto', (tests, values) => tests.holds(includes(values, /^(?:tcp|6)$/))],
  [
    'ip protocol',
    (tests, values) => {
      tests.from(ip4);
      tests.holds(includes(values, /^(?:tcp|6)$/));
    },
  ],
  [
    'meta (?:nfproto|protocol)',
    (tests, { list, isNegated }) => {
      const families = list?.map((one) => familyOf[one] ?? null) ?? [null];
      if (families.includes(null)) return tests.holds(null);
      const known = union(...families.map((one) => one ?? []));
      tests.from(isNegated ? difference(union(ip4, ip6), known) : known);
    },
  ],
  ['fib daddr type', (tests, values) => tests.holds(includes(values, /^local$/))],
  ['ip [a-z]+', (tests) => ofFamily(tests, ip4)],
  ['ip6 [a-z]+', (tests) => ofFamily(tests, ip6)],
  ['(?:tcp|th) sport', (tests) => tests.holds(null)],
  ['(?:meta )?(?:mark|pkttype|iifgroup|iiftype)', (tests) => tests.holds(null)],
  ['ct (?:status|mark|direction)', (tests) => tests.holds(null)],
];

const familyOf: Readonly<Record<string, Ranges>> = { ip: ip4, ipv4: ip4, ip6, ipv6: ip6 };

function ofFamily(tests: Tests, family: Ranges): void {
  tests.from(family);
  tests.holds(null);
}

/** Whether a value that every packet has is in a list; null if it is not known. */
function includes({ list, isNegated }: Values, value: RegExp): boolean | null {
  return list === null ? null : list.some((one) => value.test(one)) !== isNegated;
}

function setOf(list: readonly string[] | null, of: (text: string) => Ranges | null): Ranges | null {
  const all = list?.map((one) => of(one.replaceAll(' ', ''))) ?? [null];
  return all.includes(null) ? null : union(...all.map((one) => one ?? []));
}

const tested = keys.map(([key, test]) => ({
  pattern: new RegExp(`(?<key>${key}) ${value}`, 'y'),
  test,
}));

/** Headers that a packet of TCP does not have. */
const otherProtocols = /(?:udp|udplite|sctp|dccp|icmp|icmpv6|igmp|esp|ah|comp|arp) /y;

/** Statements without effect on the way of a packet. */
const counting =
  /(?:counter(?: packets \d+ bytes \d+| name "?[\w.-]+"?)?|comment "[^"]*"|log(?: (?:prefix "[^"]*"|(?:level|group|snaplen|queue-threshold) \S+|flags (?:all|skuid|ether|ip options|tcp (?:sequence|options)(?: , (?:sequence|options))?)))*)(?= |$)/y;
const limiting = /limit rate (?:over )?\d+ ?(?:[kmg]?bytes ?)?\/ ?\w+(?: burst \d+ \w+)?(?= |$)/y;

/** ICMP is of one family, and nft adds a test of it. */
const rejecting = /reject(?: with (?:(icmp(?:v6)?) |icmpx |tcp reset).*)?$/y;

const verdicts: readonly (readonly [pattern: RegExp, verdict: (name: string) => Verdict])[] = [
  [/accept$/y, () => 'accept'],
  [/drop$/y, () => 'drop'],
  [rejecting, () => 'drop'],
  [/return$/y, () => 'return'],
  [/continue$/y, () => 'none'],
  [/jump ([\w.-]+)$/y, (to) => ({ to, comesBack: true })],
  [/goto ([\w.-]+)$/y, (to) => ({ to, comesBack: false })],
];

const strings = /"[^"]*"/g;
/** Statements by which a packet gets another address or port, or another interface. */
const translating = /\b(?:dnat|redirect|tproxy|fwd|dup)\b/;
/** Statements that change what the tests of other chains see, as a target of iptables may that nft cannot name. */
const rewriting = /\b(?:[sd]port|[sd]addr|protocol|nexthdr) set\b|\bnotrack\b|\bxt target\b/;
/** Words by which a rule that is not understood may let a packet pass, or skip the rules after it. */
const passing = /\b(?:accept|queue|return|jump|goto|v?map|dnat|redirect|tproxy|fwd|synproxy)\b/;

/** Whether it is a rule that changes addresses or ports. @throws {Unread} for one that changes what other rules see */
export function translates(text: string): boolean {
  const bare = text.replace(strings, '""');
  if (rewriting.test(bare)) throw new Unread();
  return translating.test(bare);
}

/** The rules of a text: a map of verdicts is a rule for each of its elements. */
export function rulesOf(written: string, sets: Sets): Rule[] {
  const text = written.replace(/ comment "[^"]*"$/, '');
  const [, before = '', key = '', map = ''] = mapped.exec(text) ?? [];
  if (key === '') return [ruleOf(text, sets)];
  const elements = elementsOf(map, sets);
  if (elements === null || before.endsWith('. ')) return [ruleOf(`${before}unknown accept`, sets)];
  return elements.map((element) => {
    const [, one = '', verdict = ''] = /^(.*?) ?: ?((?:accept|drop|return|continue|jump|goto)\b.*)$/.exec(
      element,
    ) ?? ['', 'unknown', 'accept'];
    return ruleOf(`${before}${key} ${one.trim()} ${verdict}`, sets);
  });
}

const mapped = /^(.*?)((?:meta |ip6? |tcp |th |ct |fib daddr )?\w+) vmap (\{ [^{}]*\}|@[\w.-]+)$/;

function ruleOf(text: string, sets: Sets): Rule {
  const tests = new Tests();
  let offset = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = offset;
    const match = pattern.exec(text);
    if (match !== null) offset = pattern.lastIndex;
    return match;
  };
  while (offset < text.length) {
    if (take(/ /y) !== null || take(counting) !== null) continue;
    for (const [pattern, verdict] of verdicts) {
      const match = take(pattern);
      if (match === null) continue;
      const [, name = ''] = match;
      if (pattern === rejecting && name !== '') tests.from(name === 'icmp' ? ip4 : ip6);
      return tests.rule(verdict(name));
    }
    if (take(limiting) !== null) tests.holds(null);
    else if (take(otherProtocols) !== null) {
      tests.holds(false);
      break;
    } else if (!takeKey(take, tests, sets)) {
      tests.holds(null);
      const rest = text.slice(offset).replace(strings, '""');
      return tests.rule(passing.test(rest) ? 'accept' : 'none');
    }
  }
  return tests.rule('none');
}

function takeKey(take: (pattern: RegExp) => RegExpExecArray | null, tests: Tests, sets: Sets): boolean {
  for (const { pattern, test } of tested) {
    const groups = take(pattern)?.groups;
    if (groups === undefined) continue;
    const { key = '', op, value = '' } = groups;
    test(tests, { key, list: elementsOf(value, sets), isNegated: op === '!=' });
    return true;
  }
  return false;
}

/** The elements that a value names, without quotes, timeouts and counters; null if it is not known. */
function elementsOf(value: string, sets: Sets): readonly string[] | null {
  return value.startsWith('@') ? (sets.get(value.slice(1)) ?? null) : elementsIn(value);
}

/** `{ 10.0.0.0/8 , 192.0.2.1 timeout 1h }`; null for concatenations. */
export function elementsIn(text: string): readonly string[] | null {
  const elements = text
    .split(/[{},]/)
    .map((one) =>
      one
        .replace(/ (?:timeout|expires|counter|comment) .*$/, '')
        .replaceAll('"', '')
        .trim(),
    )
    .filter((one) => one !== '');
  return elements.some((one) => one.includes(' . ')) ? null : elements;
}
