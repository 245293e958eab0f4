/** Facts of an invented node, for the examples of rules about live nodes. */

import type { EndpointFacts, EngineAnswer, EngineFacts, LiveFacts, ProcessFacts } from '../../facts/live.js';
import { notSeen, seen } from '../../facts/seen.js';
import type { ListedModule, Listener, Settings } from '../../facts/settings.js';
import type { Example } from './rule.js';

const unasked = notSeen('not-asked', 'not asked');

/** The http endpoint of a node without findings, on loopback. */
export const quietEndpoint: EndpointFacts = {
  endpoint: { kind: 'http', url: 'http://127.0.0.1:8551' },
  source: 'argument',
  modules: seen({ eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' }),
  client: seen('Klaytn/v2.2.1/linux-amd64/go1.25.3'),
  chain: seen('8217'),
  calibrated: seen(true),
  methods: {},
  accounts: seen([]),
  unlocked: notSeen('not-applicable', 'not asked over http'),
  foreignHost: seen('closed'),
  foreignOrigin: seen('closed'),
  bind: seen(['127.0.0.1']),
  fileMode: unasked,
  openTo: unasked,
  latencyMs: 1,
  sent: { requests: 8, bytes: 2000 },
};

/** The quiet node with these changes of its http endpoint. */
export function badNode(
  shown: string,
  change: Partial<EndpointFacts>,
  settings?: Settings,
  live?: Partial<LiveFacts>,
): Example {
  return {
    shown,
    facts: {
      name: 'en-1',
      role: null,
      conf: settings === undefined ? null : seen({ settings, shell: null }),
      live: {
        endpoints: [{ ...quietEndpoint, ...(settings === undefined ? {} : { source: 'conf' }), ...change }],
        metrics: [],
        process: unasked,
        sockets: [],
        ...live,
      },
      gatheredAt: '2026-02-11T00:00:00.000Z',
    },
  };
}

export function goodNode(shown: string, settings?: Settings, live?: Partial<LiveFacts>): Example {
  return badNode(shown, {}, settings, live);
}

/** A node whose engine API answers so. */
export function engineNode(shown: string, answer: EngineAnswer): Example {
  const engine: EngineFacts = {
    url: 'http://127.0.0.1:8551',
    source: 'process',
    requests: 1,
    answer: seen(answer),
    bind: seen(['127.0.0.1']),
  };
  const change = {
    endpoint: { kind: 'http', url: 'http://127.0.0.1:8545' },
    modules: seen({ eth: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' }),
    client: seen('Geth/v1.17.8-stable/linux-amd64/go1.26.8'),
    chain: seen('1'),
  } as const;
  return badNode(shown, change, undefined, { engine: [engine] });
}

/** The process of the quiet node with these changes, as live facts. */
export function processOfExample(change: Partial<ProcessFacts>): Pick<LiveFacts, 'process'> {
  const process: ProcessFacts = {
    pid: 812,
    argv: ['/usr/bin/ken'],
    startedAt: null,
    environment: unasked,
    folder: unasked,
    settings: null,
    sockets: unasked,
    network: 'same',
    root: '',
    container: null,
    ...change,
  };
  return { process: seen(process) };
}

const line = 'RPC_API="klay,eth,net,web3"';
const at = { file: 'kend.conf', line: 2, column: 10, endLine: 2, endColumn: line.length };
const listed: ListedModule[] = ['klay', 'eth', 'net', 'web3'].map((name) => ({ name, at }));

const http: Listener = {
  kind: 'http',
  state: 'on',
  reason: null,
  decidedBy: ['rpc', 'rpcaddr', 'rpcport', 'rpcapi'],
  host: '127.0.0.1',
  port: 8551,
  path: null,
  listed,
  modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
  builtInList: false,
  origins: [],
  vhosts: ['localhost'],
};

/** The settings of the quiet node: http on loopback with four modules. */
export const quietSettings: Settings = {
  kind: 'kaia',
  launcher: 'kend',
  package: 'tar',
  by: 'name',
  packageBy: 'guess',
  source: {
    kind: 'conf',
    path: 'kend.conf',
    lines: ['RPC_ENABLE=1', line],
    comments: [],
    multiline: [],
    file: null,
  },
  start: ['--rpc', '--rpcapi', 'klay,eth,net,web3'].map((text) => ({ text, variable: 'RPC_API', at })),
  values: {
    rpcapi: {
      value: 'klay,eth,net,web3',
      origin: { kind: 'assignment', variable: 'RPC_API', flag: '--rpcapi', at },
      shadowed: [],
      indeterminate: null,
    },
  },
  keys: {},
  listeners: [http],
  startable: true,
  problems: [],
};

/** The quiet settings without eth in the list. */
export const narrowSettings: Settings = {
  ...quietSettings,
  listeners: [
    {
      ...http,
      listed: listed.filter(({ name }) => name !== 'eth'),
      modules: ['kaia', 'net', 'rpc', 'web3'],
    },
  ],
};

/** The quiet settings with http off. */
export const closedSettings: Settings = {
  ...quietSettings,
  source: { ...quietSettings.source, lines: ['RPC_ENABLE=0', line] },
  start: [],
  listeners: [{ ...http, state: 'off', modules: null }],
};
