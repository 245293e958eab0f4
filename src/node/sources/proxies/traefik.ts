/**
 * Traefik's own files: who gets through each router to the servers of its service. The addresses of entry points are in the
 * same file, or in a traefik.yml or traefik.toml beside it.
 * Source: doc.traefik.io/traefik (entryPoints, routers, services, middlewares of http and tcp).
 */
import { groupBy } from '../../../util/group-by.js';
import { destinationOf, isLoopbackAddress } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { allOf, clientsIn, listOf, login } from '../../reach/gate.js';
import type { Gate, GatedHop } from '../../reach/hop.js';
import type { FilesAround } from './around.js';
import { type KeyValue, keysOf } from './keys.js';
import { gateOfRule } from './traefik-rule.js';

/** Middlewares that do not decide who gets through. */
const harmless =
  /^(?:addprefix|buffering|circuitbreaker|compress|contenttype|errors|grpcweb|headers|inflightreq|inflightconn|passtlsclientcert|ratelimit|redirectregex|redirectscheme|replacepath|replacepathregex|retry|stripprefix|stripprefixregex)\./;

/** The forwards of a dynamic file of Traefik; null: it is none. */
export function traefikForwards(text: string, { beside }: FilesAround): readonly GatedHop[] | null {
  if (!/\brouters\b/.test(text)) return null;
  const keys = keysOf(text);
  const routers = below(keys ?? [], /^(http|tcp)\.routers\.([^.]+)\.(.+)$/);
  if (keys === null || routers.size === 0) return null;
  const statics = ['traefik.yml', 'traefik.yaml', 'traefik.toml'].flatMap(
    (name) => keysOf(beside(name) ?? '') ?? [],
  );
  const entries = below([...keys, ...statics], /^(entrypoints)\.([^.]+)\.(.+)$/);
  return [...routers].flatMap(([name, own]) => {
    const protocol = name.split('.')[0] ?? 'http';
    const [service = ''] = valuesOf(own, /^service$/);
    const servers = serversOf(keys, `${protocol}.${bare(service)}`, 0);
    const asked = valuesOf(own, /^entrypoints\.\d+$/).map((one) => `entrypoints.${one.toLowerCase()}`);
    const listening = [...entries].filter(([entry]) => asked.length === 0 || asked.includes(entry));
    const places =
      listening.length < asked.length || listening.length === 0
        ? [null]
        : listening.map(([, entry]) => entry);
    return places.flatMap((entry) => {
      const [listens = null] = entry === null ? [] : valuesOf(entry, /^address$/);
      if (listens?.endsWith('/udp') === true) return [];
      const gate = gateOfRouter(keys, own, entry ?? [], protocol);
      const changes = changesIn(keys, own, entry ?? [], protocol);
      return servers.map(({ value, at }) => ({
        ...(changes === null ? {} : { changes }),
        at,
        to: destinationOf(value),
        program: 'traefik',
        listens,
        gate,
        isLoopback: listens !== null && isLoopbackAddress(listens),
      }));
    });
  });
}

/** The keys below each name, by the part before it and the name. */
export function below(keys: readonly KeyValue[], pattern: RegExp): ReadonlyMap<string, readonly KeyValue[]> {
  const found = keys.flatMap((one) => {
    const [, part, name, key] = pattern.exec(one.key) ?? [];
    return key === undefined ? [] : [{ ...one, key, name: `${part}.${name}` }];
  });
  return groupBy(found, ({ name }) => name);
}

function valuesOf(keys: readonly KeyValue[], pattern: RegExp): string[] {
  return keys.filter(({ key }) => pattern.test(key)).map(({ value }) => value);
}

/** A name without its provider. */
function bare(name: string): string {
  return name.toLowerCase().replace(/@file$/, '');
}

const maxDepth = 4;

/** The servers of a service, and of those that it names. */
function serversOf(keys: readonly KeyValue[], name: string, depth: number): readonly KeyValue[] {
  const own = below(keys, /^(http|tcp)\.services\.([^.]+)\.(.+)$/).get(name) ?? [];
  const servers = own.filter(({ key }) => /^loadbalancer\.servers\.\d+\.(?:url|address)$/.test(key));
  const others =
    depth < maxDepth
      ? valuesOf(own, /^(?:weighted|mirroring|failover)\.(?:.*\.)?(?:name|service|fallback)$/)
      : [];
  return [
    ...servers,
    ...others.flatMap((one) => serversOf(keys, `${name.split('.')[0]}.${bare(one)}`, depth + 1)),
  ];
}

/** What the middlewares for headers do; those of a chain too. */
function changesIn(
  keys: readonly KeyValue[],
  own: readonly KeyValue[],
  entry: readonly KeyValue[],
  protocol: string,
) {
  const all = below(keys, /^(http|tcp)\.middlewares\.([^.]+)\.(.+)$/);
  const named = [...valuesOf(entry, /^http\.middlewares\.\d+$/), ...valuesOf(own, /^middlewares\.\d+$/)];
  const chained = named.flatMap((name) =>
    valuesOf(all.get(`${protocol}.${bare(name)}`) ?? [], /^chain\.middlewares\.\d+$/),
  );
  const headers = [...named, ...chained].flatMap((name) => all.get(`${protocol}.${bare(name)}`) ?? []);
  const custom = (part: string) =>
    headers.flatMap(({ key, value }): Header[] => {
      const [, name] = new RegExp(`^headers\\.custom${part}headers\\.(.+)$`).exec(key) ?? [];
      return name === undefined ? [] : [[name, value]];
    });
  const listed = (part: string, name: string): Header[] => {
    const values = valuesOf(headers, new RegExp(`^headers\\.accesscontrolallow${part}(?:\\.\\d+)?$`));
    return values.length === 0 ? [] : [[name, values.includes('*') ? '*' : values.join(',')]];
  };
  const pattern = valuesOf(headers, /^headers\.accesscontrolalloworiginlistregex(?:\.\d+)?$/);
  const everyone = pattern.some((one) => /^\^?(?:https\?:\/\/)?\.[*+]\$?$/.test(one));
  const answers: Header[] = [
    ...listed('originlist', 'access-control-allow-origin'),
    ...(everyone ? [['access-control-allow-origin', '*'] as const] : []),
    ...listed('headers', 'access-control-allow-headers'),
    ...custom('response'),
  ];
  return changesOf({ answers, preflights: [], requests: custom('request') });
}

/** Who gets through a router: by its rule, its middlewares and those of its entry point. */
export function gateOfRouter(
  keys: readonly KeyValue[],
  own: readonly KeyValue[],
  entry: readonly KeyValue[],
  protocol: string,
): Gate {
  const names = [...valuesOf(entry, /^http\.middlewares\.\d+$/), ...valuesOf(own, /^middlewares\.\d+$/)];
  const gate = allOf([
    gateOfRule(valuesOf(own, /^rule$/)[0] ?? ''),
    ...names.map((name) => gateOfMiddleware(keys, protocol, name)),
  ]);
  const isProxied = entry.some(({ key }) => key.startsWith('proxyprotocol.'));
  return isProxied && clientsIn(gate) !== ''
    ? { unread: 'the address of a client is what another program gives' }
    : gate;
}

const addressOf = (url: string) => url.replace(/(\/\/[^/]*).*$/, '$1');

/** Who gets through a middleware, and through those that it chains. */
export function gateOfMiddleware(keys: readonly KeyValue[], protocol: string, name: string, depth = 0): Gate {
  const own = below(keys, /^(http|tcp)\.middlewares\.([^.]+)\.(.+)$/).get(`${protocol}.${bare(name)}`);
  if (own === undefined || depth === maxDepth)
    return { unread: `the middleware ${name} is not among the files` };
  const lists = allOf(
    valuesOf(own, /^chain\.middlewares\.\d+$/).map((one) => gateOfMiddleware(keys, protocol, one, depth + 1)),
  );
  const others = own.filter(({ key }) => !harmless.test(key) && !key.startsWith('chain.'));
  if ('unread' in lists || others.length === 0) return lists;
  const isLogin = others.every(({ key }) => /^(?:basic|digest|forward)auth\./.test(key));
  // A server that it also forwards to gives its usual answer to whoever asks for a login.
  const asked = valuesOf(others, /^forwardauth\.address$/).map(addressOf);
  const isBeside = keys.some(
    ({ key, value }) => /\.servers\.\d+\.url$/.test(key) && asked.includes(addressOf(value)),
  );
  if (isLogin) return isBeside ? lists : [...lists, [login]];
  if (others.every(({ key }) => /^ip(?:allow|white)list\.(?:sourcerange\.\d+|rejectstatuscode)$/.test(key)))
    return [...lists, listOf(valuesOf(others, /\.sourcerange\.\d+$/))];
  return { unread: `the middleware ${name} decides which requests get through` };
}
