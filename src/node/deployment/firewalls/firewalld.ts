/** Zones of firewalld. firewalld.zone(5), firewalld.richlanguage(5) */
import type { LineIndex } from '../../sources/text/line-index.js';
import { addressesOf, everyPort, everywhere, ip4, ip6, portsOf } from './ranges.js';
import { type Rule, type Ruleset, Tests, Unread, type Verdict } from './ruleset.js';

/** Which file of firewalld a path is; null: none. */
export function firewalldFile(path: string): string | null {
  return (
    /(?:^|[\\/])(firewalld\.conf|firewalld[\\/](?:direct\.xml|\w+[\\/][\w-]+\.xml))$/.exec(path)?.[1] ?? null
  );
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly inside: readonly Element[];
  readonly start: number;
}

interface Zone {
  readonly file: LineIndex;
  readonly root: Element;
}

/** @throws {Unread} without the default zone, and for what is not understood */
export function readFirewalld(found: ReadonlyMap<string, LineIndex>): Ruleset {
  const [, defaultZone = ''] =
    /^DefaultZone=(\S+)[ \t]*$/m.exec(found.get('firewalld.conf')?.text ?? '') ?? [];
  const zones = new Map<string, Zone>();
  for (const [path, file] of found) {
    if (path === 'firewalld.conf') continue;
    const [root, ...others] = elementsIn(file.text);
    const [, name] = /[\\/]zones[\\/]([\w-]+)\.xml$/.exec(path) ?? [];
    if (name === undefined || root?.name !== 'zone' || others.length > 0) throw new Unread();
    zones.set(name, { file, root });
  }
  const usual = zones.get(defaultZone);
  if (usual === undefined) throw new Unread();
  const chains = new Map([...zones].map(([name, zone]) => [name, rulesOf(zone)]));
  const at = placeOf(usual, usual.root);
  const bound = [...zones].flatMap(([name, zone]) => boundTo(name, zone));
  const rules = [...bound, new Tests().rule({ to: defaultZone, comesBack: true }, at)];
  const base = {
    hook: 'input',
    priority: 0,
    sources: everywhere,
    policy: 'drop',
    rules,
    chains,
    at,
  } as const;
  return { bases: [base], translates: false };
}

const placeOf = ({ file }: Zone, { start }: Element) => file.span({ start, end: start });

/** The packets that a zone takes from the default one. */
function boundTo(name: string, zone: Zone): Rule[] {
  return zone.root.inside
    .filter((one) => one.name === 'source' || one.name === 'interface')
    .map((one) => {
      const tests = new Tests();
      if (one.name === 'interface') tests.holds(null);
      else from(tests, one);
      return tests.rule({ to: name, comesBack: false }, placeOf(zone, one));
    });
}

function from(tests: Tests, { attributes: { address = '', invert } }: Element): void {
  const known = addressesOf(address);
  if (known === null || invert !== undefined) tests.holds(null);
  else tests.from(known);
}

/** What a zone accepts, then what it does with the rest. */
function rulesOf(zone: Zone): Rule[] {
  const { target = 'default' } = zone.root.attributes;
  const last: Verdict = target === 'ACCEPT' ? 'accept' : 'drop';
  const accepted = zone.root.inside.flatMap((element) => {
    const tests = new Tests();
    return accepts(element, tests) ? [tests.rule('accept', placeOf(zone, element))] : [];
  });
  return [...accepted, new Tests().rule(last, placeOf(zone, zone.root))];
}

/** The ports of TCP of packaged services; empty: it has none. */
const services: Readonly<Record<string, string>> = {
  ssh: '22',
  http: '80',
  https: '443',
  dns: '53',
  cockpit: '9090',
  'dhcpv6-client': '',
  mdns: '',
  'samba-client': '',
  ntp: '',
};
const inert = /^(?:short|description|interface|source|forward|masquerade|icmp-block|icmp-block-inversion)$/;

/** True for an element that accepts what passes the tests that it adds. @throws {Unread} for one that is not known */
function accepts({ name, attributes, inside }: Element, tests: Tests): boolean {
  if (name === 'port') {
    const { port = '', protocol } = attributes;
    to(tests, port);
    return protocol === 'tcp';
  }
  if (name === 'service') {
    const port = Object.hasOwn(services, attributes.name ?? '') ? services[attributes.name ?? ''] : undefined;
    if (port !== '') to(tests, port ?? '');
    return port !== '';
  }
  if (name === 'protocol' || name === 'source-port') {
    tests.holds(null);
    return true;
  }
  if (name === 'rule') return acceptsRich(attributes, inside, tests);
  if (!inert.test(name)) throw new Unread();
  return false;
}

/** What a rich rule drops is left open. */
function acceptsRich(attributes: Element['attributes'], inside: readonly Element[], tests: Tests): boolean {
  if (inside.some(({ name }) => name === 'forward-port')) throw new Unread();
  if (!inside.some(({ name }) => name === 'accept')) return false;
  if (attributes.family !== undefined) tests.from(attributes.family === 'ipv6' ? ip6 : ip4);
  return inside.every((one) => {
    if (one.name === 'source') from(tests, one);
    return !/^(?:port|service)$/.test(one.name) || accepts(one, tests);
  });
}

function to(tests: Tests, text: string): void {
  const known = portsOf(text);
  tests.to(known ?? everyPort);
  if (known === null) tests.holds(null);
}

const tag =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(?<close>\/?)(?<name>[\w-]+)(?<attributes>(?:\s+[\w-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|</g;

/** The elements of an XML document without entities. @throws {Unread} where tags do not match */
function elementsIn(text: string): readonly Element[] {
  const open: { name: string; inside: Element[] }[] = [{ name: '', inside: [] }];
  for (const { groups = {}, index: start } of text.matchAll(tag)) {
    const { close, name, attributes: written = '', empty } = groups;
    if (name === undefined) {
      if (/^<(?!!--|\?)/.test(text.slice(start, start + 4))) throw new Unread();
      continue;
    }
    if (close === '/') {
      if (open.length < 2 || open.pop()?.name !== name) throw new Unread();
      continue;
    }
    const attributes = Object.fromEntries(
      [...written.matchAll(/([\w-]+)\s*=\s*["']([^"']*)["']/g)].map(([, key = '', value = '']) => [
        key,
        value,
      ]),
    );
    const inside: Element[] = [];
    open.at(-1)?.inside.push({ name, attributes, inside, start });
    if (empty !== '/') open.push({ name, inside });
  }
  if (open.length > 1) throw new Unread();
  return open[0]?.inside ?? [];
}
