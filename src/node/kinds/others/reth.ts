/** reth and the clients that are built with it. */
import { client, type OtherClient, port } from './row.js';

const idle =
  'init init-state import import-era export-era dump-genesis db download snapshot-manifest stage p2p config prune re-execute';

const common = {
  idle,
  interfaces: [
    port('http', {
      enable: '--http --dev',
      bind: '--http.addr',
      port: '--http.port',
      modules: '--http.api',
      usual: ['127.0.0.1', 8545, 'eth,net,web3'],
    }),
    port('ws', {
      enable: '--ws',
      bind: '--ws.addr',
      port: '--ws.port',
      modules: '--ws.api',
      usual: ['127.0.0.1', 8546, 'eth,net,web3'],
    }),
    port('engine', {
      disable: '--disable-auth-server --disable-engine-api',
      bind: '--authrpc.addr',
      port: '--authrpc.port',
      usual: ['127.0.0.1', 8551],
    }),
    port('metrics', {
      enable: '--metrics --metrics.prometheus',
      bind: '--metrics --metrics.prometheus',
      hostOfPort: '127.0.0.1',
    }),
  ],
};

const flags =
  'datadir.static-files log.stdout.* log.file.directory auth-ipc auth-ipc.path disable-auth-server ipc.permissions rpc.max-connections rpc.max-tracing-requests rpc.eth-proof-window rpc.forwarder builder.gaslimit engine.persistence-threshold';

export const rethFamily: readonly OtherClient[] = [
  client('op-reth', 'execution', {
    ...common,
    programs: [/^(?:op|base|world-chain|unichain)-reth(?:-node)?$/, 'op-rbuilder', 'odyssey', 'world-chain'],
    serving: 'node',
    images: /(?:^|\/)op-reth$|(?:^|\/)base\/node-reth|(?:^|\/)(?:op-rbuilder|odyssey|world-chain)$/,
    own: 'rollup.sequencer rollup.sequencer-http rollup.disable-tx-pool-gossip rollup.enable-tx-conditional flashblocks-url',
  }),
  client('alpen-reth', 'execution', {
    ...common,
    images: /(?:^|\/)alpen-reth$/,
  }),
  client('reth', 'execution', {
    ...common,
    programs: [/(?:^|-)reth(?:-node)?$/],
    serving: 'node',
    images: /(?:^|[/-])reth(?:-node)?$/,
    own: flags,
    clientName: /^[\w-]*reth\//i,
  }),
  client('rbuilder', 'execution', {
    images: /(?:^|\/)rbuilder$/,
    isConfigured: true,
    interfaces: [port('http', { usual: [null, null] })],
  }),
];
