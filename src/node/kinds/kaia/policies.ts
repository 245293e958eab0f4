/** Policies by role, each limit with the sentence of Kaia's official guides it comes from (read 2026-11-21). */
import { type Clause, limit, type Policy, type Sentence } from '../../facts/policy.js';
import { builtInModules } from './modules.js';

const guides = {
  security: 'https://docs.kaia.io/nodes/core-cell/node-security/',
  network: 'https://docs.kaia.io/nodes/core-cell/network-configuration/',
  apis: 'https://docs.kaia.io/nodes/endpoint-node/json-rpc-apis/',
} as const;

function sentence(from: keyof typeof guides, text: string): Sentence {
  return { text, from: guides[from] };
}

// biome-ignore format: a sentence a line
const says = {
  minimal: sentence('security', 'Install firewalls. Keep the open ports minimal and whitelist the maintenance and operator IP addresses.'),
  ports: sentence('security', 'Be careful when opening the SSH, RPC, or debug ports.'),
  consensus: sentence('security', 'CNs are responsible for proposing and validating new blocks. A compromised CN can create malicious blocks or disrupt the blockchain.'),
  proxy: sentence('security', 'PNs communicate with nodes on the Internet on behalf of CNs.'),
  endpoints: sentence('security', 'ENs provide public access to the network for the applications.'),
  monitoring: sentence('network', 'SSH: 22, Monitoring: 61001'),
  everyone: sentence('apis', 'Offering an API over the HTTP (rpc) or WebSocket (ws) interfaces will give everyone access to the APIs who can access this interface (DApps, browser tabs, etc). Be careful about which APIs you enable.'),
  debugForFew: sentence('apis', 'We recommend you to provide the debug namespace APIs to authorized users only.'),
  debugForAll: sentence('apis', 'if you want to maintain a public EN and provide debug namespace APIs to the public, we strongly recommend you to set the rpc.unsafe-debug.disable flag'),
} as const;

function closed(sentence: Sentence): Clause {
  return { open: limit(false, sentence) };
}

/** The collector comes from the management subnet; the profiler answers on the same port. */
const monitoring: Clause = { reach: limit('private', says.monitoring) };
/** Nothing but the profiler listens there. */
const profiler: Clause = { reach: limit('loopback', says.ports) };

/** For applications anywhere, web pages among them. */
const publicClause: Clause = {
  modules: limit(builtInModules, says.everyone),
  reach: limit('any', says.endpoints),
};
const internalClause: Clause = {
  modules: limit(builtInModules, says.everyone),
  reach: limit('private', says.minimal),
  origins: limit('listed', says.everyone),
};
const archiveClause: Clause = {
  modules: limit([...builtInModules, 'debug'], says.debugForFew),
  reach: limit('any', says.endpoints),
  'unsafe-debug': limit('disabled', says.debugForAll),
};

function nodeWith(name: string, about: string, rpc: Clause, grpc = closed(says.minimal)): Policy {
  const interfaces = { http: rpc, ws: rpc, grpc, metrics: monitoring, pprof: profiler };
  return { name, version: 1, kinds: ['kaia'], about, interfaces };
}

/** A node that no application asks: its socket is enough. */
function withoutApis(name: string, about: string, sentence: Sentence): Policy {
  return nodeWith(name, about, closed(sentence), closed(sentence));
}

/** By name. */
export const policies: Readonly<Record<string, Policy>> = Object.fromEntries(
  [
    nodeWith('public-en', 'an endpoint node that applications anywhere use', publicClause),
    nodeWith('internal-en', 'an endpoint node for the operator’s own network', {
      ...internalClause,
      hosts: limit('listed', says.everyone),
    }),
    nodeWith('archive-en', 'a public endpoint node that also traces', archiveClause),
    withoutApis('validator', 'a consensus node: nothing over http or ws', says.consensus),
    withoutApis('proxy-node', 'a proxy node: only peers connect', says.proxy),
    nodeWith(
      'service-chain',
      'a node of a service chain: bridges are managed over its socket',
      internalClause,
    ),
    withoutApis('bootnode', 'a boot node: only peers connect', says.minimal),
  ].map((policy) => [policy.name, policy]),
);
