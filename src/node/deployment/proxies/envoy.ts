/**
 * Static files of Envoy: who gets through each listener to the endpoints of its clusters.
 * Source: envoyproxy.io/docs (Listener, FilterChainMatch, HttpConnectionManager, TcpProxy, Cluster, http_filters, TLS contexts).
 */
import { LineIndex } from '../../sources/text/line-index.js';
import { readYaml } from '../../sources/yaml/document.js';
import { type Tree, textAt } from '../../sources/yaml/tree.js';
import { destinationOf, isLoopbackAddress } from '../forwards/address.js';
import { denied, login, type ProxyForward, type Rules } from './passage.js';

/** Filters that do not decide who gets through, by the last part of their names. */
const harmless =
  /^(?:router|cors|health_check|local_ratelimit|ratelimit|compressor|gzip|decompressor|grpc_web|grpc_stats|buffer|fault|tap|header_to_metadata|http_connection_manager|tcp_proxy|tls_inspector|http_inspector|original_dst|connection_limit)$/;
const asking = /^(?:ext_authz|basic_auth|oauth2?)$/;

/** The forwards of a static file of Envoy; null: it is none. */
export function envoyForwards(text: string): readonly ProxyForward[] | null {
  if (!/\bstatic_resources\b/.test(text)) return null;
  const file = new LineIndex('', text);
  const [document] = readYaml(file);
  const resources = document?.problem == null ? (document?.root?.get('static_resources') ?? null) : null;
  if (resources === null) return null;
  const clusters = new Map(
    (resources.get('clusters')?.items ?? []).map((one) => [
      textAt(one, 'name'),
      all(one, 'socket_address', 'pipe'),
    ]),
  );
  return (resources.get('listeners')?.items ?? []).flatMap((listener) => {
    const listens = addressOf(listener.get('address'));
    return (listener.get('filter_chains')?.items ?? []).flatMap((chain) => {
      const gate = gateOf(listener, chain);
      const placeOf = (endpoint: Tree) => {
        const { start, end } = file.range(endpoint.at);
        return { start: Math.max(0, text.lastIndexOf('socket_address', start)), end };
      };
      return [...new Set(clustersOf(chain))].flatMap((name) =>
        (clusters.get(name) ?? []).map((endpoint) => ({
          ...{
            at: placeOf(endpoint),
            to: destinationOf(written(endpoint) ?? ''),
            program: 'envoy',
            gate,
          },
          ...{ listens, isLoopback: listens !== null && isLoopbackAddress(listens) },
        })),
      );
    });
  });
}

/** The values of these keys, anywhere below a value. */
function all(tree: Tree, ...names: readonly string[]): Tree[] {
  const below = [...tree.items, ...tree.entries.flatMap(({ value }) => value ?? [])].flatMap((one) =>
    all(one, ...names),
  );
  return [
    ...tree.entries.flatMap(({ key, value }) => (value !== null && names.includes(key.text) ? [value] : [])),
    ...below,
  ];
}

/** An address: null where it is none of a socket. */
function addressOf(address: Tree | null): string | null {
  const [found] = address === null ? [] : all(address, 'socket_address', 'pipe');
  return found === undefined ? null : written(found);
}

function written(socket: Tree): string | null {
  const [host, port, path] = ['address', 'port_value', 'path'].map((name) => textAt(socket, name));
  if (path !== undefined && path !== '') return `unix:${path}`;
  if (host === undefined || host === '' || port === '') return null;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The clusters that a chain of filters forwards to. */
function clustersOf(chain: Tree): string[] {
  const named = all(chain, 'cluster').flatMap(({ text }) => text?.text ?? []);
  const weighted = all(chain, 'weighted_clusters').flatMap((one) =>
    (one.get('clusters')?.items ?? []).map((each) => textAt(each, 'name')),
  );
  return [...named, ...weighted];
}

function gateOf(listener: Tree, chain: Tree): ProxyForward['gate'] {
  const filters = [
    ...all(chain, 'http_filters'),
    ...all(chain, 'filters'),
    ...all(listener, 'listener_filters'),
  ]
    .flatMap(({ items }) => items)
    .map((one) => textAt(one, 'name').replace(/^.*\./, ''));
  const own = [...new Set(filters)];
  const unknown = own.find((name) => !harmless.test(name) && !asking.test(name));
  if (unknown !== undefined) return { unread: `the filter ${unknown} decides which requests get through` };
  const asks = own.some((name) => asking.test(name));
  // Routes may switch a filter off.
  if (asks && all(chain, 'typed_per_filter_config', 'per_filter_config').length > 0)
    return { unread: 'routes have their own settings of the filters' };
  if (all(chain, 'cluster_header', 'headers', 'rds').length > 0)
    return { unread: 'headers or another file decide which cluster a request gets to' };
  const certificate = all(chain, 'require_client_certificate').some(({ value }) => value === true);
  const match = chain.get('filter_chain_match');
  const ranges = match === null ? [] : all(match, 'source_prefix_ranges').flatMap(({ items }) => items);
  const clients = ranges.map((one) => `${textAt(one, 'address_prefix')}/${textAt(one, 'prefix_len')}`);
  const list: Rules = [{ does: 'admit', clients }, denied];
  return [...(clients.length === 0 ? [] : [list]), ...(asks || certificate ? [[login]] : [])];
}
