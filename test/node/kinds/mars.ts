/**
 * A made-up kind of node that differs from the first kinds where reth and erigon do: its callers may need a token, it checks
 * neither Host nor Origin, `all` is a list, it runs methods called with {}, and its first flag of a name counts.
 */
import type { Dialect } from '../../../src/node/dialect/dialect.js';
import { go } from '../../../src/node/dialect/go/index.js';
import type { Listener } from '../../../src/node/facts/settings.js';
import type { Flag, Kind, Start } from '../../../src/node/kinds/kind.js';
import { fixed, items, listedModules, switchedListener } from '../../../src/node/kinds/listening.js';
import { parameterMethod } from '../../../src/node/kinds/request.js';
import { listener } from '../judge/facts.js';
import { defineKind } from './plain-kind.js';

/** A value after = or a blank, as in Go; of a flag that is given twice, the first counts. */
const firstCounts: Dialect = {
  ...go,
  effective: (_rules, uses) =>
    uses.filter(({ flag }, at) => uses.findIndex((one) => one.flag === flag) === at),
};

const flag = (name: string, type: Flag['type'], fallback: string | null): Flag => {
  return { name, type, fallback, aliases: [], environment: [] };
};

const flags = {
  http: { enable: 'serve', addr: 'bind', port: null, api: 'offer', origins: 'cors', vhosts: null },
  ws: { enable: 'push', addr: 'bind', port: null, api: 'offer', origins: 'pages' },
  grpc: { enable: 'store', addr: 'store', port: 'store' },
};
const names = ['chain', 'vault'];

function listenersOf(start: Start): Listener[] {
  const { values } = start;
  const token = values.token?.value == null ? {} : { login: 'token' as const };
  const list = listedModules(start, 'offer', (list) => (list?.[0] === 'all' ? names : (list ?? ['chain'])));
  const pages = { port: 8545, origins: items(values.cors) };
  const [host = '', port] = String(values.store?.value ?? '').split(':');
  return [
    { ...switchedListener(start, 'http', flags.http, { ...fixed(null), ...list }), ...pages, ...token },
    { ...switchedListener(start, 'ws', flags.ws, { ...fixed(null), ...list }), port: 8546, ...token },
    { ...listener('grpc', { ...fixed([]), host, port: Number(port) }), state: host === '' ? 'off' : 'on' },
  ];
}

export const mars: Kind = defineKind({
  dialect: firstCounts,
  ...{ id: 'mars', label: 'Mars node', programs: ['marsd'], seenRunning: false },
  releases: [{ id: 'mars/v1', product: 'mars', tag: 'v1' }],
  flags: {
    all: [
      ...[flag('serve', 'bool', null), flag('push', 'bool', null), flag('pages', 'string', null)],
      ...[flag('bind', 'string', '127.0.0.1'), flag('offer', 'string', null)],
      ...[flag('token', 'string', null), flag('store', 'string', null), flag('cors', 'string', null)],
    ],
  },
  interfaces: {
    flags,
    checks: { host: false, wsOrigin: false },
    serves: { grpc: { severity: 'critical', does: 'read the whole store' } },
    profilers: [],
    defaultPort: () => 8545,
  },
  modules: {
    catalogue: {
      chain: { severity: 'low', privileged: false, does: 'read the chain' },
      vault: { severity: 'critical', privileged: true, does: 'open the vault' },
    },
    builtIn: ['chain'],
    listWord: ([first]) => (first === 'all' ? 'all' : null),
  },
  listeners: listenersOf,
  probes: { refusesNamedParameters: false, parameterMethods: [parameterMethod('vault_lockOf')] },
});
