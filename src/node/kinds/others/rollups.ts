/** Companions of rollups. */
import { type ClientInterface, client, type OtherClient, port, prefixed } from './row.js';

/** The interfaces of every program of the OP Stack. */
function opService(host: string | null, number: number): ClientInterface[] {
  return [
    port('rpc', {
      bind: '--rpc.addr',
      port: '--rpc.port',
      switches: { '--rpc.enable-admin': 'admin API enabled' },
      usual: [host, number],
    }),
    port('metrics', {
      enable: '--metrics.enabled',
      bind: '--metrics.addr',
      port: '--metrics.port',
      usual: ['0.0.0.0', 7300],
    }),
    port('pprof', {
      enable: '--pprof.enabled',
      bind: '--pprof.addr',
      port: '--pprof.port',
      usual: ['0.0.0.0', 6060],
    }),
  ];
}

/** Programs of the OP Stack that bind every address by default, and their own flags. */
const services: readonly (readonly [name: string, own: string])[] = [
  ['op-batcher', 'max-channel-duration sub-safety-margin max-l1-tx-size-bytes'],
  ['op-proposer', 'proposal-interval l2oo-address allow-non-finalized'],
  ['op-challenger', 'trace-type cannon-* game-allowlist'],
  ['op-dispute-mon', 'honest-actors'],
  ['op-conductor', 'consensus.addr raft.server.id raft.storage.dir raft.bootstrap'],
  ['op-supervisor', 'dependency-set l2-consensus.nodes'],
];
const consensus = port('consensus', {
  bind: '--consensus.addr',
  port: '--consensus.port',
  usual: ['127.0.0.1', 50050],
});

/** Companions of which no more than the name is known. */
const named: readonly (readonly [name: string, programs: readonly (string | RegExp)[], images: RegExp])[] = [
  ['taiko-client', ['taiko-client'], /(?:^|\/)taiko-client$/],
  ['maru', ['maru'], /(?:^|\/)maru$/],
  ['prover', [/^prover-(?:server|node|client|service)$/], /(?:^|\/)prover-(?:server|node|client|service)$/],
  ['da-server', ['da-server', 'daserver'], /(?:^|\/)da-?server$/],
  ['relay', ['mev-boost-relay', 'op-relay'], /(?:^|\/)(?:mev-boost-relay|op-relay)$/],
  ['contender', ['contender'], /(?:^|\/)flashbots\/contender$/],
  ['snooper', ['json_rpc_snoop', 'rpc-snooper', 'snooper'], /(?:^|\/)(?:json_rpc_snoop|rpc-snooper)$/],
];

export const rollups: readonly OtherClient[] = [
  client('op-node', 'rollup', {
    programs: ['op-node', 'base-consensus', 'kona-node', 'magi', 'hildr'],
    idle: 'genesis networks p2p doc help',
    images: /(?:^|\/)(?:op-node|kona-node|magi|hildr|base-consensus)$|(?:^|\/)base\/node$/,
    own: 'l2.jwt-secret l2.enginekind rollup.config l1.beacon l1.trustrpc l1.rpckind sequencer.enabled sequencer.stopped p2p.sequencer.key rpc.enable-admin',
    variable: prefixed('OP_NODE_'),
    interfaces: opService(null, 9545),
  }),
  ...services.map(([name, own]) =>
    client(name, 'rollup', {
      images: new RegExp(`(?:^|/)${name}$`),
      own,
      variable: prefixed(`${name.toUpperCase().replaceAll('-', '_')}_`),
      interfaces: [...opService('0.0.0.0', 8545), ...(name === 'op-conductor' ? [consensus] : [])],
    }),
  ),
  client('rollup-boost', 'rollup', {
    images: /(?:^|\/)rollup-boost$/,
    own: 'debug-server-port l2-jwt-path builder-jwt-path',
    variable: prefixed(''),
    interfaces: [
      port('engine', { bind: '--rpc-host', port: '--rpc-port', usual: ['127.0.0.1', 8081] }),
      port('debug', { bind: '--debug-host', port: '--debug-server-port', usual: ['127.0.0.1', 5555] }),
      port('metrics', {
        enable: '--metrics',
        bind: '--metrics-host',
        port: '--metrics-port',
        usual: ['127.0.0.1', 9090],
      }),
    ],
  }),
  client('heimdalld', 'rollup', {
    serving: 'start rest-server bridge',
    idle: 'init version query tx keys export',
    images: /(?:^|\/)(?:0xpolygon|maticnetwork)\/heimdall(?:-v2)?$|(?:^|\/)heimdalld?$/,
    own: 'rest-server bor_rpc_url bor_grpc_url',
    variable: prefixed('HEIMDALLD_'),
    interfaces: [
      port('rest', {
        isOn: true,
        enable: '--rest-server',
        bind: '--api.address api.address',
        usual: ['0.0.0.0', 1317],
      }),
      port('cometbft', { bind: '--rpc.laddr rpc.laddr', usual: [null, 26657] }),
      port('grpc', { bind: '--grpc.address grpc.address', usual: [null, 3132] }),
    ],
  }),
  client('eigenda-proxy', 'rollup', {
    images: /(?:^|\/)eigenda-proxy$/,
    variable: prefixed('EIGENDA_PROXY_'),
    interfaces: [port('http', { bind: '--addr', port: '--port', usual: [null, 3100] })],
  }),
  client('celestia', 'rollup', {
    serving: 'start',
    idle: 'init version config-init config-update blob header share state',
    images: /(?:^|\/)celestia-node$/,
    own: 'core.ip core.port rpc.skip-auth',
    interfaces: [
      port('rpc', {
        bind: '--rpc.addr',
        port: '--rpc.port',
        switches: { '--rpc.skip-auth': 'no login' },
        usual: [null, 26658],
      }),
    ],
  }),
  client('ev-node', 'rollup', {
    programs: ['rollkit', 'ev-node', 'evnode'],
    serving: 'start',
    idle: 'init version docs-gen',
    images: /(?:^|\/)(?:rollkit|ev-node(?:-.*)?)$/,
    own: 'rollkit.* evnode.*',
    interfaces: [
      port('rpc', { bind: '--rollkit.rpc.address --evnode.rpc.address --rpc.laddr', usual: [null, 7331] }),
    ],
  }),
  ...named.map(([name, programs, images]) =>
    client(name, 'rollup', {
      programs,
      images,
      interfaces: [
        port('http', {
          bind: '--addr --host --listen-addr --bind-address -b',
          port: '--port --listen-port $PORT -p',
        }),
      ],
    }),
  ),
];
