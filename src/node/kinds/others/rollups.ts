/** Companions of rollups. */
import type { ClientRow } from '../client.js';

/** The interfaces of every program of the OP Stack; most bind every address by default. */
// biome-ignore format: an entry in few lines
const opService = {
  interfaces: {
    rpc: { addr: '--rpc.addr', port: '--rpc.port', usual: ['0.0.0.0', 8545],
      switches: { '--rpc.enable-admin': 'admin API enabled' } },
    metrics: { enable: '--metrics.enabled', addr: '--metrics.addr', port: '--metrics.port', usual: ['0.0.0.0', 7300] },
    pprof: { enable: '--pprof.enabled', addr: '--pprof.addr', port: '--pprof.port', usual: ['0.0.0.0', 6060] },
  } } as const satisfies Partial<ClientRow>;

/** Companions of which no more than the name is known. */
// biome-ignore format: an entry in few lines
const sidecar = {
  interfaces: {
    http: { addr: ['--addr', '--host', '--listen-addr', '--bind-address', '-b'],
      port: ['--port', '--listen-port', '$PORT', '-p'] },
  } } as const satisfies Partial<ClientRow>;

// biome-ignore format: an entry in few lines
export const rollups = (): readonly ClientRow[] => [
  { ...opService, name: 'op-node', role: 'rollup', programs: ['op-node', 'base-consensus', 'kona-node', 'magi',
    'hildr'], idle: ['genesis', 'networks', 'p2p', 'doc', 'help'],
    images: /(?:^|\/)(?:op-node|kona-node|magi|hildr|base-consensus)$|(?:^|\/)base\/node$/, own: ['l2.jwt-secret',
    'l2.enginekind', 'rollup.config', 'l1.beacon', 'l1.trustrpc', 'l1.rpckind', 'sequencer.enabled',
    'sequencer.stopped', 'p2p.sequencer.key', 'rpc.enable-admin'], variables: { prefix: 'OP_NODE_' },
    interfaces: {
      ...opService.interfaces,
      rpc: { ...opService.interfaces.rpc, usual: [null, 9545] },
    } },
  { ...opService, name: 'op-batcher', role: 'rollup', own: ['max-channel-duration', 'sub-safety-margin',
    'max-l1-tx-size-bytes'], variables: { prefix: 'OP_BATCHER_' } },
  { ...opService, name: 'op-proposer', role: 'rollup', own: ['proposal-interval', 'l2oo-address',
    'allow-non-finalized'], variables: { prefix: 'OP_PROPOSER_' } },
  { ...opService, name: 'op-challenger', role: 'rollup', own: ['trace-type', 'cannon-*', 'game-allowlist'],
    variables: { prefix: 'OP_CHALLENGER_' } },
  { ...opService, name: 'op-dispute-mon', role: 'rollup', own: ['honest-actors'],
    variables: { prefix: 'OP_DISPUTE_MON_' } },
  { ...opService, name: 'op-conductor', role: 'rollup', own: ['consensus.addr', 'raft.server.id', 'raft.storage.dir',
    'raft.bootstrap'], variables: { prefix: 'OP_CONDUCTOR_' },
    interfaces: {
      ...opService.interfaces,
      consensus: { addr: '--consensus.addr', port: '--consensus.port', usual: ['127.0.0.1', 50050] },
    } },
  { ...opService, name: 'op-supervisor', role: 'rollup', own: ['dependency-set', 'l2-consensus.nodes'],
    variables: { prefix: 'OP_SUPERVISOR_' } },
  { name: 'rollup-boost', role: 'rollup', own: ['debug-server-port', 'l2-jwt-path', 'builder-jwt-path'],
    variables: { prefix: '' },
    interfaces: {
      engine: { addr: '--rpc-host', port: '--rpc-port', usual: ['127.0.0.1', 8081] },
      debug: { addr: '--debug-host', port: '--debug-server-port', usual: ['127.0.0.1', 5555] },
      metrics: { enable: '--metrics', addr: '--metrics-host', port: '--metrics-port', usual: ['127.0.0.1', 9090] },
    } },
  { name: 'heimdalld', role: 'rollup', serving: ['start', 'rest-server', 'bridge'], idle: ['init', 'version', 'query',
    'tx', 'keys', 'export'], images: /(?:^|\/)(?:0xpolygon|maticnetwork)\/heimdall(?:-v2)?$|(?:^|\/)heimdalld?$/,
    own: ['rest-server', 'bor_rpc_url', 'bor_grpc_url'], variables: { prefix: 'HEIMDALLD_' },
    interfaces: {
      rest: { isOn: true, enable: '--rest-server', addr: ['--api.address', 'api.address'], usual: ['0.0.0.0', 1317] },
      cometbft: { addr: ['--rpc.laddr', 'rpc.laddr'], usual: [null, 26657] },
      grpc: { addr: ['--grpc.address', 'grpc.address'], usual: [null, 3132] },
    } },
  { name: 'eigenda-proxy', role: 'rollup', variables: { prefix: 'EIGENDA_PROXY_' },
    interfaces: { http: { addr: '--addr', port: '--port', usual: [null, 3100] } } },
  { name: 'celestia', role: 'rollup', serving: ['start'], idle: ['init', 'version', 'config-init', 'config-update',
    'blob', 'header', 'share', 'state'], images: /(?:^|\/)celestia-node$/, own: ['core.ip', 'core.port',
    'rpc.skip-auth'],
    interfaces: {
      rpc: { addr: '--rpc.addr', port: '--rpc.port', usual: [null, 26658], switches: { '--rpc.skip-auth': 'no login' }
        },
    } },
  { name: 'ev-node', role: 'rollup', programs: ['rollkit', 'ev-node', 'evnode'], serving: ['start'], idle: ['init',
    'version', 'docs-gen'], images: /(?:^|\/)(?:rollkit|ev-node(?:-.*)?)$/, own: ['rollkit.*', 'evnode.*'],
    interfaces: {
      rpc: { addr: ['--rollkit.rpc.address', '--evnode.rpc.address', '--rpc.laddr'], usual: [null, 7331] },
    } },
  { ...sidecar, name: 'taiko-client', role: 'rollup' },
  { ...sidecar, name: 'maru', role: 'rollup' },
  { ...sidecar, name: 'prover', role: 'rollup', programs: [/^prover-(?:server|node|client|service)$/],
    images: /(?:^|\/)prover-(?:server|node|client|service)$/ },
  { ...sidecar, name: 'da-server', role: 'rollup', programs: ['da-server', 'daserver'], images: /(?:^|\/)da-?server$/ },
  { ...sidecar, name: 'relay', role: 'rollup', programs: ['mev-boost-relay', 'op-relay'],
    images: /(?:^|\/)(?:mev-boost-relay|op-relay)$/ },
  { ...sidecar, name: 'contender', role: 'rollup', images: /(?:^|\/)flashbots\/contender$/ },
  { ...sidecar, name: 'snooper', role: 'rollup', programs: ['json_rpc_snoop', 'rpc-snooper', 'snooper'],
    images: /(?:^|\/)(?:json_rpc_snoop|rpc-snooper)$/ },
];
