/** Companions of rollups. */

/** See `clientsOf`. */
export const rollups = `
# The interfaces of every program of the OP Stack; most bind every address by default.
- op-service
  port rpc bind=--rpc.addr port=--rpc.port usual=0.0.0.0:8545
    switch=--rpc.enable-admin admin API enabled
  port metrics enable=--metrics.enabled bind=--metrics.addr port=--metrics.port usual=0.0.0.0:7300
  port pprof enable=--pprof.enabled bind=--pprof.addr port=--pprof.port usual=0.0.0.0:6060
rollup op-node like op-service
  programs op-node base-consensus kona-node magi hildr
  idle genesis networks p2p doc help
  images (?:^|/)(?:op-node|kona-node|magi|hildr|base-consensus)$|(?:^|/)base/node$
  own l2.jwt-secret l2.enginekind rollup.config l1.beacon l1.trustrpc l1.rpckind sequencer.enabled
    sequencer.stopped p2p.sequencer.key rpc.enable-admin
  variables OP_NODE_
  port rpc bind=--rpc.addr port=--rpc.port usual=?:9545
    switch=--rpc.enable-admin admin API enabled
rollup op-batcher like op-service
  own max-channel-duration sub-safety-margin max-l1-tx-size-bytes
  variables OP_BATCHER_
rollup op-proposer like op-service
  own proposal-interval l2oo-address allow-non-finalized
  variables OP_PROPOSER_
rollup op-challenger like op-service
  own trace-type cannon-* game-allowlist
  variables OP_CHALLENGER_
rollup op-dispute-mon like op-service
  own honest-actors
  variables OP_DISPUTE_MON_
rollup op-conductor like op-service
  own consensus.addr raft.server.id raft.storage.dir raft.bootstrap
  variables OP_CONDUCTOR_
  port consensus bind=--consensus.addr port=--consensus.port usual=127.0.0.1:50050
rollup op-supervisor like op-service
  own dependency-set l2-consensus.nodes
  variables OP_SUPERVISOR_
rollup rollup-boost
  own debug-server-port l2-jwt-path builder-jwt-path
  variables
  port engine bind=--rpc-host port=--rpc-port usual=127.0.0.1:8081
  port debug bind=--debug-host port=--debug-server-port usual=127.0.0.1:5555
  port metrics enable=--metrics bind=--metrics-host port=--metrics-port usual=127.0.0.1:9090
rollup heimdalld
  serving start rest-server bridge
  idle init version query tx keys export
  images (?:^|/)(?:0xpolygon|maticnetwork)/heimdall(?:-v2)?$|(?:^|/)heimdalld?$
  own rest-server bor_rpc_url bor_grpc_url
  variables HEIMDALLD_
  port rest isOn=true enable=--rest-server bind=--api.address api.address usual=0.0.0.0:1317
  port cometbft bind=--rpc.laddr rpc.laddr usual=?:26657
  port grpc bind=--grpc.address grpc.address usual=?:3132
rollup eigenda-proxy
  variables EIGENDA_PROXY_
  port http bind=--addr port=--port usual=?:3100
rollup celestia
  serving start
  idle init version config-init config-update blob header share state
  images (?:^|/)celestia-node$
  own core.ip core.port rpc.skip-auth
  port rpc bind=--rpc.addr port=--rpc.port usual=?:26658
    switch=--rpc.skip-auth no login
rollup ev-node
  programs rollkit ev-node evnode
  serving start
  idle init version docs-gen
  images (?:^|/)(?:rollkit|ev-node(?:-.*)?)$
  own rollkit.* evnode.*
  port rpc bind=--rollkit.rpc.address --evnode.rpc.address --rpc.laddr usual=?:7331
# Companions of which no more than the name is known.
- sidecar
  port http bind=--addr --host --listen-addr --bind-address -b port=--port --listen-port $PORT -p
rollup taiko-client like sidecar
rollup maru like sidecar
rollup prover like sidecar
  programs /^prover-(?:server|node|client|service)$/
  images (?:^|/)prover-(?:server|node|client|service)$
rollup da-server like sidecar
  programs da-server daserver
  images (?:^|/)da-?server$
rollup relay like sidecar
  programs mev-boost-relay op-relay
  images (?:^|/)(?:mev-boost-relay|op-relay)$
rollup contender like sidecar
  images (?:^|/)flashbots/contender$
rollup snooper like sidecar
  programs json_rpc_snoop rpc-snooper snooper
  images (?:^|/)(?:json_rpc_snoop|rpc-snooper)$
`;
