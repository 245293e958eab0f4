/**
 * Traefik's own files: who gets through each router to the servers of its service. The addresses of entry points are in the
 * same file, or in a traefik.yml or traefik.toml beside it.
 * Source: doc.traefik.io/traefik (entryPoints, routers, services, middlewares of http and tcp).
 */
import { groupBy } from '../../../util/group-by.js';
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { allOf, clientsIn, listOf, login } from '../../reach/gate.js';
import type { Gate, GatedHop } from '../../reach/hop.js';
import type { FilesAround } from './directive.js';
import { type KeyValue, keysOf } from './keys.js';
import { gateOfRule } from './traefik-rule.js';

/** Middlewares that do not decide who gets through. */
const harmless =
  /^(?:addprefix|buffering|circuitbreaker|compress|contenttype|errors|grpcweb|headers|inflightreq|inflightconn|passtlsclientcert|ratelimit|redirectregex|redirectscheme|replacepath|replacepathregex|retry|stripprefix|stripprefixregex)\./;

/** Services that lead to other services, which is not read. */
const ofOthers = /(?:^|\.)services\.[^.]+\.(?:weighted|mirroring|failover)\./;

/** The forwards of a dynamic file of Traefik; null if it is none, or not understood. */
export function traefikForwards(text: string, { beside }: FilesAround): readonly GatedHop[] | null {
  if (!/\brouters\b/.test(text)) return null;
  const keys = keysOf(text);
  const routers = below(keys ?? [], 'routers');
  if (keys === null || routers.size === 0 || keys.some(({ key }) => ofOthers.test(key))) return null;
  const statics = ['traefik.yml', 'traefik.yaml', 'traefik.toml'].flatMap(
    (name) => keysOf(beside(name) ?? '') ?? [],
  );
  const entries = below([...keys, ...statics], 'entrypoints');
  return [...routers].flatMap(([name, own]) => {
    const protocol = name.split('.')[0] ?? 'http';
    const [service = ''] = valuesMatching(own, /^service$/);
    const servers = (below(keys, 'services').get(`${protocol}.${bare(service)}`) ?? []).filter(({ key }) =>
      /^loadbalancer\.servers\.\d+\.(?:url|address)$/.test(key),
    );
    const asked = valuesMatching(own, /^entrypoints\.\d+$/).map((one) => one.toLowerCase());
    const listening = [...entries].filter(([entry]) => asked.length === 0 || asked.includes(entry));
    const places =
      listening.length < asked.length || listening.length === 0
        ? [null]
        : listening.map(([, entry]) => entry);
    return places.flatMap((entry) => {
      const [listens = null] = entry === null ? [] : valuesMatching(entry, /^address$/);
      if (listens?.endsWith('/udp') === true) return [];
      const through = throughRouter(keys, own, protocol, entry ?? []);
      return servers.map(({ value, at }) => ({
        ...through,
        at,
        to: destinationOf(value),
        program: 'traefik',
        listens,
      }));
    });
  });
}

/** The keys below each name of a part, by its protocol and the name: `http.rpc`; by the name alone where it has no protocol. */
export function below(
  keys: readonly KeyValue[],
  part: 'routers' | 'services' | 'middlewares' | 'entrypoints',
): ReadonlyMap<string, readonly KeyValue[]> {
  const pattern = new RegExp(`^(?:(http|tcp)\\.)?${part}\\.([^.]+)\\.(.+)$`);
  const found = keys.flatMap((one) => {
    const [, protocol, name, key] = pattern.exec(one.key) ?? [];
    return key === undefined
      ? []
      : [{ ...one, key, name: protocol === undefined ? name : `${protocol}.${name}` }];
  });
  return groupBy(found, ({ name = '' }) => name);
}

export function valuesMatching(keys: readonly KeyValue[], pattern: RegExp): string[] {
  return keys.filter(({ key }) => pattern.test(key)).map(({ value }) => value);
}

/** A name without its provider. */
function bare(name: string): string {
  return name.toLowerCase().replace(/@file$/, '');
}

/** Who gets through a router, and what it changes: by its rule, its middlewares and those of its entry point. */
export function throughRouter(
  keys: readonly KeyValue[],
  own: readonly KeyValue[],
  protocol: string,
  entry: readonly KeyValue[] = [],
): Pick<GatedHop, 'gate' | 'changes'> {
  const known = below(keys, 'middlewares');
  const names = [
    ...valuesMatching(entry, /^http\.middlewares\.\d+$/),
    ...valuesMatching(own, /^middlewares\.\d+$/),
  ];
  const all = names.map((name) => ({ name, keys: known.get(`${protocol}.${bare(name)}`) ?? null }));
  const gate = allOf([gateOfRule(valuesMatching(own, /^rule$/)[0] ?? ''), ...all.map(gateOfMiddleware)]);
  const isProxied = entry.some(({ key }) => key.startsWith('proxyprotocol.'));
  return {
    gate:
      isProxied && clientsIn(gate) !== ''
        ? { unread: 'the address of a client is what another program gives' }
        : gate,
    ...changesIn(all.flatMap((one) => one.keys ?? [])),
  };
}

/** What the middlewares for headers do. */
function changesIn(keys: readonly KeyValue[]) {
  const custom = (part: string) =>
    keys.flatMap(({ key, value }): Header[] => {
      const [, name] = new RegExp(`^headers\\.custom${part}headers\\.(.+)$`).exec(key) ?? [];
      return name === undefined ? [] : [[name, value]];
    });
  const listed = (part: string, name: string): Header[] => {
    const values = valuesMatching(keys, new RegExp(`^headers\\.accesscontrolallow${part}(?:\\.\\d+)?$`));
    return values.length === 0 ? [] : [[name, values.includes('*') ? '*' : values.join(',')]];
  };
  const pattern = valuesMatching(keys, /^headers\.accesscontrolalloworiginlistregex(?:\.\d+)?$/);
  const everyone = pattern.some((one) => /^\^?(?:https\?:\/\/)?\.[*+]\$?$/.test(one));
  const answers: Header[] = [
    ...listed('originlist', 'access-control-allow-origin'),
    ...(everyone ? [['access-control-allow-origin', '*'] as const] : []),
    ...listed('headers', 'access-control-allow-headers'),
    ...custom('response'),
  ];
  return changesOf({ answers, preflights: [], requests: custom('request') });
}

/** `keys` is null if the middleware is not among the files. */
function gateOfMiddleware({ name, keys }: { name: string; keys: readonly KeyValue[] | null }): Gate {
  if (keys === null) return { unread: `the middleware ${name} is not among the files` };
  const own = keys.filter(({ key }) => !harmless.test(key));
  if (own.length === 0) return [];
  if (own.every(({ key }) => /^(?:basic|digest|forward)auth\./.test(key))) {
    const asks = valuesMatching(own, /^forwardauth\.address$/).map(destinationOf);
    return [[asks.length === 0 ? login : { ...login, asks }]];
  }
  if (own.every(({ key }) => /^ip(?:allow|white)list\.(?:sourcerange\.\d+|rejectstatuscode)$/.test(key)))
    return [listOf(valuesMatching(own, /\.sourcerange\.\d+$/))];
  return { unread: `the middleware ${name} decides which requests get through` };
}
