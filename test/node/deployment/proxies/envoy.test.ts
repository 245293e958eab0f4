/** Who gets through static files of Envoy to the endpoints of each cluster. */
import { expect, test } from 'vitest';
import { envoyForwards } from '../../../../src/node/deployment/proxies/envoy.js';
import { told } from './told.js';

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

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(envoyForwards(text))).toEqual(passages);
});

test('the destination is the address of the endpoint', () => {
  expect(envoyForwards(file())?.map(({ to }) => to)).toEqual([{ host: '127.0.0.1', port: 8551 }]);
  expect(envoyForwards(tcp)?.map(({ to }) => to)).toEqual([{ socket: '/d/klay.ipc' }]);
});

test.each([
  ['a broken file', 'static_resources: [\n'],
  ['resources of another server', 'dynamic_resources: {}\n'],
])('%s is no static file of Envoy', (_, text) => {
  expect(envoyForwards(text)).toBeNull();
});
