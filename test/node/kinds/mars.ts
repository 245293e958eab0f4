/**
 * A made-up kind of node that differs from the first kinds where reth and erigon do: its callers may need a token, it checks
 * neither Host nor Origin, `all` is a list, it runs methods called with {}, and its first flag of a name counts.
 */
import type { Dialect } from '../../../src/node/dialect/dialect.js';
import { go } from '../../../src/node/dialect/go/index.js';
import type { Flag, Kind } from '../../../src/node/kinds/kind.js';
import { items, type Quirk } from '../../../src/node/kinds/listening.js';
import { parameterMethod } from '../../../src/node/kinds/request.js';
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

const rows = {
  http: { enable: 'serve', addr: 'bind', api: 'offer', origins: 'cors' },
  ws: { enable: 'push', addr: 'bind', api: 'offer', origins: 'pages' },
  grpc: { enable: 'store', addr: 'store', port: 'store' },
} as const;
const names = ['chain', 'vault'];

const served = (of: 'http' | 'ws', port: number): Quirk => ({
  of,
  apply: (one, { values: { token, cors } }) => ({
    ...one,
    port,
    origins: of === 'http' ? items(cors) : null,
    ...(token?.value == null ? {} : { login: 'token' }),
  }),
});

export const mars: Kind = defineKind({
  dialect: firstCounts,
  id: 'mars',
  label: 'Mars node',
  programs: ['marsd'],
  seenRunning: false,
  releases: [{ id: 'mars/v1', product: 'mars', tag: 'v1' }],
  flags: {
    all: [
      flag('serve', 'bool', null),
      flag('push', 'bool', null),
      flag('pages', 'string', null),
      flag('bind', 'string', '127.0.0.1'),
      flag('offer', 'string', null),
      flag('token', 'string', null),
      flag('store', 'string', null),
      flag('cors', 'string', null),
    ],
  },
  interfaces: {
    rows,
    quirks: [
      served('http', 8545),
      served('ws', 8546),
      { of: 'grpc', apply: (one) => ({ ...one, modules: [] }) },
    ],
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
    offered: (_existing, list) => (list?.[0] === 'all' ? names : (list ?? ['chain'])),
  },
  probes: { refusesNamedParameters: false, parameterMethods: [parameterMethod('vault_lockOf')] },
});
