/** A made-up kind of node: no launcher, a profiler, and an empty list of modules that means all of them. */
import type { Dialect } from '../../../src/node/dialect/dialect.js';
import { go } from '../../../src/node/dialect/go/index.js';
import type { Flag, Kind } from '../../../src/node/kinds/kind.js';
import { existenceMethod } from '../../../src/node/kinds/request.js';
import { defineKind } from './plain-kind.js';

const flag = (name: string, type: 'bool' | 'string', fallback: string | null): Flag => {
  return { name, type, fallback, aliases: [], environment: [`MOON_${name.toUpperCase()}`] };
};
const isNamed = (name: string) => name !== '';

export const moonOf = (dialect: Dialect): Kind =>
  defineKind({
    dialect,
    id: 'moon',
    label: 'Moon node',
    programs: ['moond'],
    releases: [{ id: 'moon/v1', product: 'moon', tag: 'v1' }],
    flags: {
      all: [
        flag('serve', 'bool', null),
        flag('bind', 'string', '127.0.0.1'),
        flag('offer', 'string', 'chain'),
        flag('profile', 'bool', null),
        flag('profilebind', 'string', '127.0.0.1'),
      ],
    },
    interfaces: {
      rows: {
        http: { enable: 'serve', addr: 'bind', api: 'offer' },
        ws: {},
        pprof: { enable: 'profile', addr: 'profilebind' },
      },
      defaultPort: (kind) => (kind === 'pprof' ? 6060 : 8545),
    },
    modules: {
      catalogue: {
        chain: { severity: 'low', privileged: false, does: 'read the chain' },
        vault: { severity: 'critical', privileged: true, does: 'open the vault' },
      },
      builtIn: ['chain'],
      offered: ({ sure }, list) =>
        list?.some(isNamed) === false ? sure : sure.filter((name) => (list ?? ['chain']).includes(name)),
    },
    identity: { ownModules: ['vault'], chains: [] },
    probes: { namespaces: [existenceMethod('vault_open')] },
  });

export const moon = moonOf(go);
