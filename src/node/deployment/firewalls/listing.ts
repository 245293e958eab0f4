/** Rulesets as `nft list ruleset` prints them: a statement a line, in the blocks of tables and their objects. nft(8) */
import { elementsIn, rewrites, rulesOf, type Sets, translates } from './nft-rule.js';
import { type BaseChain, type Family, Unread } from './ruleset.js';

interface Chain {
  readonly rules: string[];
  /** When the kernel calls it for packets to its own programs: before it translates them, or after; null if never. */
  base: 'before' | 'after' | null;
  policy: 'accept' | 'drop';
}

/** A table with its objects; the lines of a set are its type, flags and elements. */
interface Table {
  readonly family: string;
  readonly chains: Map<string, Chain>;
  readonly sets: Map<string, string[]>;
  isDormant: boolean;
}

/** @throws {Unread} where it may not be a whole listing, or a rule changes what other rules see */
export function readListing(text: string): readonly BaseChain[] {
  const tables: Table[] = [];
  let table: Table | null = null;
  let object: ((line: string) => void) | null = null;
  // nft continues a line behind a comma.
  for (const written of text.replace(/,[ \t]*\n\s*/g, ', ').split('\n')) {
    const line = spaced(written);
    if (line === '') continue;
    const [, family, name, opens] = /^table (\w+) (\S+)( \{)$/.exec(line) ?? [];
    if (line === '}' && table === null) throw new Unread();
    else if (line === '}' && object !== null) object = null;
    else if (line === '}') table = null;
    else if (object !== null) object(balanced(line));
    else if (table !== null) object = beginObject(table, line);
    else if (family === undefined || name === undefined || opens === undefined) throw new Unread();
    else {
      table = { family, chains: new Map(), sets: new Map(), isDormant: false };
      tables.push(table);
    }
  }
  const all = tables.flatMap(({ chains }) => [...chains.values()].flatMap(({ rules }) => rules));
  if (table !== null || all.some(rewrites)) throw new Unread();
  const isTranslated = all.some(translates);
  return tables.flatMap((one) => basesOf(one, isTranslated));
}

/** A line with one blank between its words, quoted strings and marks. */
function spaced(line: string): string {
  return (line.match(/"[^"]*"|[!=<>]=|[{},=<>()|&;!]|[^\s{},;="<>()|&!]+/g) ?? []).join(' ');
}

/** @throws {Unread} for braces that do not match */
function balanced(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '""');
  if (!/^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(bare)) throw new Unread();
  return line;
}

/** Reads the lines of the object that a line begins; null where the line has all of it. */
function beginObject(table: Table, line: string): ((line: string) => void) | null {
  const [, kind = '', name = ''] = /^(\w+)(?: (\S+))? .*\{$/.exec(line) ?? [];
  if (kind === 'chain') {
    const chain: Chain = { rules: [], base: null, policy: 'accept' };
    table.chains.set(name, chain);
    return (one) => addLine(chain, one);
  }
  if (kind === 'set' || kind === 'map') {
    const lines: string[] = [];
    table.sets.set(name, lines);
    return (one) => lines.push(one);
  }
  if (line.startsWith('flags ')) table.isDormant = /\bdormant\b/.test(line);
  // Objects without rules: counters, quotas, flow tables and the like.
  return kind === '' ? null : () => {};
}

function addLine(chain: Chain, line: string): void {
  if (line.startsWith('type ')) {
    chain.base = callOf(line);
    chain.policy = /; policy drop\b/.test(line) ? 'drop' : 'accept';
  } else if (!line.startsWith('comment ')) chain.rules.push(line);
}

const priorities: Readonly<Record<string, number>> = {
  raw: -300,
  mangle: -150,
  dstnat: -100,
  filter: 0,
  security: 50,
  srcnat: 100,
};
/** Connections are tracked from the first priority on, and destinations are translated at the second, sources at the third. */
const [tracking, destinations, origins] = [-200, -100, 100];

/** When a chain sees tracked packets to programs as they were sent. @throws {Unread} for a priority that is not known */
function callOf(text: string): Chain['base'] {
  const [, hook = '', base = '', sign = '+', offset = '0'] =
    /^type \w+ hook (\w+)(?: device .*)? priority (-?\w+)(?: ?([+-]) ?(\d+))? ;/.exec(text) ?? [];
  if (hook !== '' && hook !== 'input' && hook !== 'prerouting') return null;
  const named = /^-?\d+$/.test(base) ? Number(base) : priorities[base];
  if (named === undefined) throw new Unread();
  const priority = named + Number(`${sign}${offset}`);
  if (hook === 'input') return priority < origins ? 'after' : null;
  return tracking < priority && priority < destinations ? 'before' : null;
}

/** The families of tables that see packets of TCP on their way to a program. Others can only drop more of them. */
const familiesOf: Readonly<Record<string, readonly Family[]>> = {
  inet: ['ipv4', 'ipv6'],
  ip: ['ipv4'],
  ip6: ['ipv6'],
};

function basesOf({ family, chains: written, sets, isDormant }: Table, isTranslated: boolean): BaseChain[] {
  const families = familiesOf[family];
  if (families === undefined || isDormant) return [];
  const known = elementsOf(sets, written);
  const chains = new Map(
    [...written].map(([name, { rules }]) => [name, rules.flatMap((one) => rulesOf(one, known))]),
  );
  return [...written].flatMap(([name, { base, policy }]) =>
    base === 'after' || (base === 'before' && !isTranslated)
      ? [{ families, policy, chains, rules: chains.get(name) ?? [] }]
      : [],
  );
}

/** The elements of each set; null for those that rules or programs change while the firewall runs. */
function elementsOf(sets: Table['sets'], chains: Table['chains']): Sets {
  const rules = [...chains.values()].flatMap((one) => one.rules);
  const changed = new Set(
    rules.flatMap((rule) =>
      [...rule.matchAll(/\b(?:add|update|delete) @([\w.-]+)/g)].map(([, name = '']) => name),
    ),
  );
  return new Map(
    [...sets].map(([name, lines]) => {
      const isDynamic = lines.some((one) => /^timeout |^flags .*\b(?:dynamic|timeout)\b/.test(one));
      const written = lines.find((one) => one.startsWith('elements = '));
      return [
        name,
        written === undefined || isDynamic || changed.has(name) ? null : elementsIn(written.slice(11)),
      ];
    }),
  );
}
