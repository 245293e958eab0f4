/** One rule of nft as text: what it tests, and its verdict. */
import { reachOfClients } from '../../facts/reach.js';
import type { Reach } from '../../facts/severity.js';
import { type Family, type PortTest, type Rule, Tests, type Verdict } from './ruleset.js';

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
}

type Result = Parameters<Tests['holds']>[0];

const unsure = () => null;

/** Whether a value that every packet has is in a list. */
const includes = (value: RegExp) => (values: Values) =>
  negated(values.list?.some((one) => value.test(one)) ?? null, values.isNegated);
const isTcp = includes(/^(?:tcp|6)$/);

function isFrom({ list, isNegated }: Values): Result {
  const isEvery = list?.some((one) => /^(?:0\.0\.0\.0|::)\/0$/.test(one)) === true;
  const widest = list === null ? 'any' : reachOfList(list);
  // A list that has no address of a reach is surely another one for all of them.
  const isIn = (reach: Reach) => isEvery || (widest === 'any' || widest === reach ? null : false);
  return (_, reach) => negated(isIn(reach), isNegated);
}

/** A key with a value, what it tests, and the family that it is for; the first row that matches counts. */
const keys: readonly (readonly [
  key: string,
  test: (values: Values, tests: Tests) => Result,
  family?: Family,
])[] = [
  ['ip saddr', isFrom, 'ipv4'],
  ['ip6 saddr', isFrom, 'ipv6'],
  [
    '(?:tcp|th) dport',
    ({ list, isNegated }, tests) => {
      const ports = list?.map(portsOf) ?? [null];
      if (ports.includes(null)) return null;
      tests.to({ ports: ports.filter((one) => one !== null), isNegated });
      return true;
    },
  ],
  [
    '(?:meta )?iif(?:name)?',
    ({ list, isNegated }) => (list?.every((one) => one === 'lo') === true ? isNegated : null),
  ],
  [
    'ct state',
    ({ list, isNegated }) => {
      if (list === null || list.includes('untracked') || (isNegated && list.length > 1)) return null;
      return list.includes('new') !== isNegated;
    },
  ],
  ['(?:meta )?l4proto', isTcp],
  ['ip protocol', isTcp, 'ipv4'],
  [
    'meta (?:nfproto|protocol)',
    ({ list, isNegated }) => {
      const families = list?.map((one) => familyOf[one]) ?? [undefined];
      return families.includes(undefined) ? null : (family) => families.includes(family) !== isNegated;
    },
  ],
  ['fib daddr type', includes(/^local$/)],
  ['ip [a-z]+', unsure, 'ipv4'],
  ['ip6 [a-z]+', unsure, 'ipv6'],
  ['(?:tcp|th) sport', unsure],
  ['(?:meta )?(?:mark|pkttype|iifgroup|iiftype)', unsure],
  ['ct (?:status|mark|direction)', unsure],
];

const familyOf: Readonly<Record<string, Family>> = { ip: 'ipv4', ipv4: 'ipv4', ip6: 'ipv6', ipv6: 'ipv6' };

function negated(result: boolean | null, isNegated: boolean): boolean | null {
  return result === null ? null : result !== isNegated;
}

/** The widest reach of addresses, subnets and `10.0.0.1-10.0.0.9`: no two private networks have the same first part. */
function reachOfList(list: readonly string[]): Reach {
  const ends = list.flatMap((one) => {
    const [low = '', high = low] = one.replaceAll(' ', '').split('-');
    const [first, last] = [low, high].map((end) => end.split(/[.:]/)[0]);
    return first === last ? [low, high] : '';
  });
  return list.length === 0 ? 'loopback' : reachOfClients(ends);
}

/** The ends of `22` and `8000-9000`; null for a name, or for no port. */
function portsOf(text: string): PortTest['ports'][number] | null {
  const [, low, high = low] = /^(\d{1,5})(?: ?- ?(\d{1,5}))?$/.exec(text) ?? [];
  return low === undefined || Number(low) > Number(high) ? null : [Number(low), Number(high)];
}

const tested = keys.map(([key, test, family]) => ({
  pattern: new RegExp(`(?:${key}) ${value}`, 'y'),
  test,
  family,
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
/** Statements that change what the tests of other chains see, as a target of iptables may that nft cannot name. */
const rewriting = /\b(?:[sd]port|[sd]addr|protocol|nexthdr) set\b|\bnotrack\b|\bxt target\b/;
/** Words by which a rule that is not understood may let a packet pass, or skip the rules after it. */
const passing = /\b(?:accept|queue|return|jump|goto|v?map|dnat|redirect|tproxy|fwd|synproxy)\b/;

/** Whether a rule changes the port or the address of packets. */
export function translates(rule: string): boolean {
  return /\b(?:dnat|redirect|tproxy|fwd|dup)\b/.test(rule.replace(strings, '""'));
}

/** Whether a rule changes what other rules see in another way. */
export function rewrites(rule: string): boolean {
  return rewriting.test(rule.replace(strings, '""'));
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
      if (pattern === rejecting && name !== '') tests.of(name === 'icmp' ? 'ipv4' : 'ipv6');
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
  for (const { pattern, test, family } of tested) {
    const groups = take(pattern)?.groups;
    if (groups === undefined) continue;
    const { op, value = '' } = groups;
    if (family !== undefined) tests.of(family);
    tests.holds(test({ list: elementsOf(value, sets), isNegated: op === '!=' }, tests));
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
