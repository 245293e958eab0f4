/** Who gets through static files of Envoy to the endpoints of each cluster. */
import { expect, test } from 'vitest';
import { envoyForwards } from '../../../../src/node/deployment/proxies/envoy.js';
import { ledBy, told } from './told.js';

interface Parts {
  readonly address?: string;
  readonly filters?: readonly string[];
  readonly route?: string;
  readonly chain?: string;
}

const file = ({
  address = '0.0.0.0',
  filters = [],
  route = 'route: { cluster: node }',
  chain = '',
}: Parts = {}) => `
static_resources:
  listeners:
  - address:
      socket_address: { address: "${address}", port_value: 80 }
    filter_chains:
    - ${chain === '' ? 'name: all' : chain}
      filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - match: { prefix: "/" }
                ${route}
          http_filters:
${[...filters, 'envoy.filters.http.router'].map((name) => `          - name: ${name}`).join('\n')}
  clusters:
  - name: node
    load_assignment:
      endpoints:
      - lb_endpoints:
        - endpoint:
            address:
              socket_address: { address: 127.0.0.1, port_value: 8551 }
`;

const tcp = `static_resources:
  listeners:
  - address: { socket_address: { address: 10.0.0.4, port_value: 80 } }
    filter_chains:
    - filters: [{ name: envoy.filters.network.tcp_proxy, typed_config: { cluster: node } }]
  clusters:
  - name: node
    load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { address: { pipe: { path: /d/klay.ipc } } } }] }] }
`;

/** A file, and who gets through each of its forwards. */
const files: readonly (readonly [name: string, text: string, ...passages: string[]])[] = [
  ['a listener on every address', file(), 'any'],
  ['a listener on loopback', file({ address: '127.0.0.1' }), 'loopback'],
  ['a listener on every address of IPv6', file({ address: '::' }), 'any'],
  ['TCP on a private address', tcp, 'private'],
  [
    'weights of clusters',
    file({ route: 'route: { weighted_clusters: { clusters: [{ name: node, weight: 1 }] } }' }),
    'any',
  ],
  ['a redirect', file({ route: 'redirect: { https_redirect: true }' })],
  ['a server that decides', file({ filters: ['envoy.filters.http.ext_authz'] }), 'any with a login'],
  [
    'a password',
    file({ filters: ['envoy.filters.http.cors', 'envoy.filters.http.basic_auth'] }),
    'any with a login',
  ],
  [
    'a password that a route switches off',
    file({
      filters: ['envoy.filters.http.basic_auth'],
      route: 'route: { cluster: node }\n                typed_per_filter_config: { x: { disabled: true } }',
    }),
    '? routes have their own settings of the filters',
  ],
  [
    'rules of roles',
    file({ filters: ['envoy.filters.http.rbac'] }),
    '? the filter rbac decides which requests get through',
  ],
  [
    'tokens',
    file({ filters: ['envoy.filters.http.jwt_authn'] }),
    '? the filter jwt_authn decides which requests get through',
  ],
  [
    'a script',
    file({ filters: ['envoy.filters.http.lua'] }),
    '? the filter lua decides which requests get through',
  ],
  [
    'a header that names the cluster',
    file({ route: 'route: { cluster: node, cluster_header: x }' }),
    '? headers or another file decide which cluster a request gets to',
  ],
  [
    'clients',
    file({
      chain: 'filter_chain_match: { source_prefix_ranges: [{ address_prefix: 10.0.0.0, prefix_len: 8 }] }',
    }),
    'private',
  ],
  [
    'a certificate',
    file({ chain: 'transport_socket: { typed_config: { require_client_certificate: true } }' }),
    'any with a login',
  ],
];

/** Listeners, clusters and filters. */
const more: typeof files = [
  [
    'two clusters',
    file({
      route: 'route: { weighted_clusters: { clusters: [{ name: node }, { name: node }, { name: other }] } }',
    }),
    'any',
  ],
  ['a cluster that is not in the file', file({ route: 'route: { cluster: other }' })],
  ['a listener without an address', file().replace(/ {2}- address:\n.*\n/, '  - name: a\n'), 'any'],
  ['a listener without a port', file().replace(', port_value: 80', ''), 'any'],
  ['a listener without a host', file({ address: '' }), 'any'],
  [
    'a listener on a socket',
    file().replace(/socket_address: \{ address: "0.*/, 'pipe: { path: /run/envoy.sock }'),
    'loopback',
  ],
  ['a listener on IPv6 loopback', file({ address: '::1' }), 'loopback'],
  ['a listener without chains', file().replace('filter_chains:', 'chains:')],
  ['no listener', file().replace('  listeners:', '  others:')],
  ['empty resources', 'static_resources:\n'],
  ['no cluster', file().replace('  clusters:\n', '  others:\n')],
  [
    'filters that do not decide',
    file({ filters: ['envoy.filters.http.grpc_web', 'health_check', 'envoy.filters.http.local_ratelimit'] }),
    'any',
  ],
  [
    'a filter with the name of another one at its end',
    file({ filters: ['envoy.filters.http.my_router'] }),
    '? the filter my_router decides which requests get through',
  ],
  [
    'a filter with the name of another one at its start',
    file({ filters: ['envoy.filters.http.router2'] }),
    '? the filter router2 decides which requests get through',
  ],
  [
    'a filter that asks under another name',
    file({ filters: ['envoy.filters.http.my_oauth2'] }),
    '? the filter my_oauth2 decides which requests get through',
  ],
  ['a login', file({ filters: ['envoy.filters.http.oauth2'] }), 'any with a login'],
  [
    'a filter of a listener',
    file().replace(
      '    filter_chains:',
      '    listener_filters: [{ name: envoy.filters.listener.proxy_protocol }]\n    filter_chains:',
    ),
    '? the filter proxy_protocol decides which requests get through',
  ],
  [
    'a filter of a listener that does not decide',
    file().replace(
      '    filter_chains:',
      '    listener_filters: [{ name: envoy.filters.listener.tls_inspector }]\n    filter_chains:',
    ),
    'any',
  ],
  [
    'settings of a route without a login',
    file({
      route: 'route: { cluster: node }\n                typed_per_filter_config: { x: { disabled: true } }',
    }),
    'any',
  ],
  [
    'routes of another file',
    file({ route: 'route: { cluster: node, rds: {} }' }),
    '? headers or another file decide which cluster a request gets to',
  ],
  [
    'a certificate that is optional',
    file({ chain: 'transport_socket: { typed_config: { require_client_certificate: false } }' }),
    'any',
  ],
  [
    'clients and a certificate',
    file({
      chain:
        'transport_socket: { typed_config: { require_client_certificate: true } }\n      filter_chain_match: { source_prefix_ranges: [{ address_prefix: 10.0.0.0, prefix_len: 8 }, { address_prefix: 127.0.0.1, prefix_len: 32 }] }',
    }),
    'private with a login',
  ],
  ['another match', file({ chain: 'filter_chain_match: { server_names: [a] }' }), 'any'],
];

test.each(more)('%s', (_, text, ...passages) => {
  expect(told(envoyForwards(text))).toEqual(passages);
});

test('forwards name the addresses that they lead to and listen on', () => {
  expect(ledBy(file(), envoyForwards(file()))).toEqual([
    'envoy: socket_address: { address: 127.0.0.1, port_value: 8551 } leads to 127.0.0.1:8551 on 0.0.0.0:80',
  ]);
  const ipv6 = file({ address: '::1' }).replace('address: 127.0.0.1', 'address: "fd00::1"');
  expect(ledBy(ipv6, envoyForwards(ipv6))).toEqual([
    'envoy: socket_address: { address: "fd00::1", port_value: 8551 } leads to [fd00::1]:8551 on [::1]:80 (loopback)',
  ]);
  expect(
    envoyForwards(file({ address: '' }))?.map(({ listens, isLoopback }) => [listens, isLoopback]),
  ).toEqual([[null, false]]);
});

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(envoyForwards(text))).toEqual(passages);
});

test('the destination is the address of the endpoint', () => {
  expect(envoyForwards(file())?.map(({ to }) => to)).toEqual([{ host: '127.0.0.1', port: 8551 }]);
  expect(envoyForwards(tcp)?.map(({ to }) => to)).toEqual([{ socket: '/d/klay.ipc' }]);
});

test.each([
  ['a text with its words', 'x: static_resources\n'],
  ['a broken file', 'static_resources: [\n'],
  ['resources of another server', 'dynamic_resources: {}\n'],
])('%s is no static file of Envoy', (_, text) => {
  expect(envoyForwards(text)).toBeNull();
});
