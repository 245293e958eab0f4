/** Rulesets as `nft list ruleset` prints them: a statement a line, in the blocks of tables and their objects. nft(8) */
import { argument, type Directive, inside, parseDirectives, texts } from '../../sources/proxies/directive.js';
import { elementsIn, rewrites, rulesOf, type Sets, translates } from './nft-rule.js';
import { type BaseChain, type Family, Unread } from './ruleset.js';

/** Words of a line, in quotes or not, marks, and `{ … }` of sets; a line goes on behind a comma. */
const words = /"[^"]*"|[!=<>]=|[{},=<>()|&;!]|[^\s{},;="<>()|&!]+/g;
const token = new RegExp(
  String.raw`(?<open>\{)(?=\n)|(?<close>\})(?=\n)(?<=^[ \t]*\})|(?<end>(?<!,[ \t]*)\n)|\s+|(?<set>\{[^{}]*\})|(?<word>(?![{}])(?:${words.source}))`,
  'gmy',
);

/** The base chains of all tables. @throws {Unread} where it may not be a whole listing, or a rule changes what other rules see */
export function readListing(text: string): readonly BaseChain[] {
  const tables = parseDirectives(`${text}\n`, token, ({ open, close, end, set, word }, { length }) => {
    if (open !== undefined) return { mark: 'open' };
    if (close !== undefined) return { mark: 'close' };
    if (end !== undefined) return length > 0 ? { mark: 'end' } : {};
    return { word: set?.match(words)?.join(' ') ?? word };
  });
  if (tables === null || !tables.every(({ name, block }) => name === 'table' && block !== null))
    throw new Unread();
  const rules = tables.flatMap((table) => [...chainsIn(table).values()].flat());
  if (rules.some(rewrites)) throw new Unread();
  const isTranslated = rules.some(translates);
  return tables.flatMap((one) => basesOf(one, isTranslated));
}

/** The lines of each object of a table. */
function linesIn(table: Directive, kind: RegExp): ReadonlyMap<string, readonly string[]> {
  const lineOf = ({ name, words }: Directive) => [name, ...texts(words)].join(' ');
  const all = inside(table).filter(({ name }) => kind.test(name));
  return new Map(all.map((one) => [argument(one), inside(one).map(lineOf)]));
}

const chainsIn = (table: Directive) => linesIn(table, /^chain$/);

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

/** When a chain sees packets to programs around their translation; null if never. @throws {Unread} for its priority */
function callOf(text: string): 'before' | 'after' | null {
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

function basesOf(table: Directive, isTranslated: boolean): BaseChain[] {
  const families = familiesOf[argument(table)];
  const isDormant = inside(table).some(
    ({ name, words }) => name === 'flags' && texts(words).includes('dormant'),
  );
  if (families === undefined || isDormant) return [];
  const written = chainsIn(table);
  const known = elementsOf(linesIn(table, /^(?:set|map)$/), [...written.values()].flat());
  const isRule = (line: string) => !/^(?:type|comment) /.test(line);
  const chains = new Map(
    [...written].map(([name, lines]) => [name, lines.filter(isRule).flatMap((one) => rulesOf(one, known))]),
  );
  return [...written].flatMap(([name, lines]) => {
    const type = lines.find((one) => one.startsWith('type '));
    const call = type === undefined ? null : callOf(type);
    if (type === undefined || call === null || (call === 'before' && isTranslated)) return [];
    const policy = /; policy drop\b/.test(type) ? 'drop' : 'accept';
    return [{ families, policy, chains, rules: chains.get(name) ?? [] }];
  });
}

/** The elements of each set; null for those that rules or programs change while the firewall runs. */
function elementsOf(sets: ReadonlyMap<string, readonly string[]>, rules: readonly string[]): Sets {
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
