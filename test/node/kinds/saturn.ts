/** A made-up kind of node whose methods run with {}: it is asked for methods with a required parameter instead. */
import { parameterMethod } from '../../../src/node/kinds/request.js';
import { defineKind } from './plain-kind.js';

const reads = { severity: 'low', privileged: false } as const;
const dangers = { severity: 'critical', privileged: true } as const;

export const saturn = defineKind({
  id: 'saturn',
  label: 'Saturn node',
  programs: ['saturnd'],
  releases: [{ id: 'saturn/v1', product: 'saturn', tag: 'v1' }],
  flags: {
    all: [{ name: 'api', type: 'string', fallback: null, aliases: [], environment: ['SATURN_API'] }],
  },
  interfaces: { rows: { http: { api: 'api' }, ws: { api: 'api' } } },
  modules: {
    catalogue: {
      eth: { ...reads, does: 'read the chain' },
      net: { ...reads, does: 'read the network' },
      web3: { ...reads, does: 'read the version' },
      rpc: { ...reads, does: 'read the modules' },
      mev: { ...reads, does: 'simulate bundles' },
      trace: { ...reads, does: 'trace blocks' },
      admin: { ...dangers, does: 'add peers' },
      debug: { ...dangers, does: 'rewind the chain' },
      txpool: { ...dangers, does: 'read the pool' },
    },
    builtIn: ['eth', 'net', 'web3'],
  },
  probes: {
    refusesNamedParameters: false,
    parameterMethods: ['debug_getRawHeader', 'trace_block', 'txpool_contentFrom'].map(parameterMethod),
  },
});
