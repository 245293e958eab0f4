/**
 * Every flag of `reth node`, and those that `op-reth node` has beside them up to the last release of both in one repository:
 *
 *     name type aliases default period
 *
 * type: b bool, c a switch that counts, s string, u uint64, P port, a IP address, A socket address, m a number or `max`,
 * d duration, p path, S list, o a value that may be left out, j the same behind `=` alone.
 * period: `first..last` release with this row; nothing when every release has it, and no end where that is open.
 * `-` in the other places: none, or a default that the sources compute. Both are omitted at the end of a row. An alias of one
 * letter is for a single dash.
 * tools/reth-releases.js prints the rows from a checkout.
 */
export const flagTable = `
addr a - 0.0.0.0
auth-ipc b
auth-ipc.path s - /tmp/reth_engine_api.ipc
authrpc.addr a - 127.0.0.1
authrpc.jwtsecret p
authrpc.port P - 8551
blobpool.pricebump s
block-interval u - 0 v1.0.7..v1.1.0
block-interval u v1.1.1..v1.8.4
bootnodes S
builder.deadline s - 12 ..v1.9.4
builder.deadline s v1.10.0..
builder.disallow s v1.1.1..
builder.extradata s
builder.gaslimit u - 30000000 ..v1.1.4
builder.gaslimit u v1.1.5..v1.8.4
builder.gaslimit u miner.gaslimit v1.9.0..
builder.interval s - 1 ..v1.9.4
builder.interval s v1.10.0..
builder.max-blobs u v1.10.0..
builder.max-tasks u - 3 ..v1.9.4
builder.max-tasks u v1.10.0..
chain s
color s
config p
datadir s
datadir.pprof-dumps p v1.10.0..
datadir.rocksdb p v1.10.0..
datadir.static-files p datadir.static_files v1.0.7..
datadir.static_files p ..v1.0.6
db.balstore-cache-size u v2.3.0..
db.disable-metrics b v2.3.0..
db.exclusive b
db.growth-step s v1.1.1..
db.log-level s
db.max-readers u v1.7.0..
db.max-size s v1.1.1..
db.page-size s v1.10.0..
db.read-transaction-timeout u v1.1.1..
db.rocksdb-block-cache-size s v2.2.0..
db.sync-mode s v1.9.0..
debug.engine-api-store p
debug.etherscan s
debug.healthy-node-rpc-url s v1.0.7..
debug.invalid-block-hook s - witness v1.0.7..
debug.max-block u
debug.reorg-depth u v1.0.6..
debug.reorg-frequency u v1.0.5..
debug.rpc-consensus-url s debug.rpc-consensus-ws v1.8.0..
debug.rpc-consensus-ws s ..v1.7.0
debug.skip-fcu u
debug.skip-genesis-validation b v2.3.0..
debug.skip-new-payload u
debug.skip-state-root b v2.4.0..
debug.startup-sync-state-idle b v1.9.0..
debug.terminate b
debug.tip s
dev b auto-mine
dev.block-max-transactions u
dev.block-time s
dev.finality-depth s v2.5.0..
dev.mnemonic s v1.9.0..
dev.payload-wait-time s v2.1.0..
disable-auth-server b disable-engine-api v1.6.0..
disable-discovery b d
disable-discv4-discovery b
disable-discv5-discovery b v2.2.0..
disable-dns-discovery b
disable-nat b v1.1.0..
disable-tx-gossip b v1.7.0..
discovery.addr a - 0.0.0.0
discovery.port P - 30303
discovery.v5.addr s
discovery.v5.addr.ipv6 s
discovery.v5.bootstrap.lookup-countdown u - 100 ..v1.3.4
discovery.v5.bootstrap.lookup-countdown u - 200 v1.3.5..
discovery.v5.bootstrap.lookup-interval u - 5
discovery.v5.lookup-interval u - 60 ..v1.3.4
discovery.v5.lookup-interval u - 20 v1.3.5..
discovery.v5.port P - 9000 ..v1.0.7
discovery.v5.port P - 9200 v1.0.8..v2.2.0
discovery.v5.port P v2.3.0..
discovery.v5.port.ipv6 P ..v1.11.4
discovery.v5.port.ipv6 P - 9200 v2.0.0..v2.2.0
discovery.v5.port.ipv6 P v2.3.0..
dns-retries u - 0
enable-discv5-discovery b
enforce-enr-fork-id b v1.11.0..
engine.accept-execution-requests-hash b v1.3.3..
engine.account-worker-count u v1.9.0..
engine.allow-unwind-canonical-header b v1.8.0..
engine.always-process-payload-attributes-on-canonical-head b v1.5.0..
engine.caching-and-prewarming b v1.2.0..
engine.cross-block-cache-size u v1.2.0..
engine.disable-bal-batch-io b v2.2.0..
engine.disable-bal-parallel-execution b v2.2.0..
engine.disable-bal-parallel-state-root b v2.2.0..
engine.disable-cache-metrics b v1.11.0..
engine.disable-caching-and-prewarming b v1.4.0..v1.8.4
engine.disable-parallel-sparse-trie b v1.7.0..
engine.disable-precompile-cache b v1.5.0..
engine.disable-prewarming b engine.disable-caching-and-prewarming v1.9.0..
engine.disable-proof-v2 b v1.11.0..v1.11.4
engine.disable-sparse-trie-cache-pruning b v1.11.0..
engine.disable-state-cache b v1.10.0..
engine.disable-trie-cache b v1.11.0..v1.11.4
engine.enable-proof-v2 b v1.10.0..v1.10.2
engine.invalid-header-cache-hit-eviction-threshold u v2.2.0..
engine.legacy-state-root b v1.2.0..
engine.max-proof-task-concurrency u v1.3.9..v1.8.4
engine.memory-block-buffer-target u v1.2.0..
engine.multiproof-chunk-size u v1.9.0..
engine.multiproof-chunking b v1.9.0..v1.11.4
engine.num-state-masking-blocks u v2.5.0..
engine.parallel-sparse-trie b v1.6.0..
engine.persistence-backpressure-threshold u v2.0.0..
engine.persistence-threshold u v1.2.0..
engine.precompile-cache b v1.3.11..v1.3.11
engine.precompile-cache b v1.4.0..
engine.prewarming-threads u v2.0.0..
engine.reserved-cpu-cores u v1.3.10..
engine.sender-recovery-cache b v2.5.0..
engine.share-execution-cache-with-payload-builder b v2.0.0..
engine.share-sparse-trie-with-payload-builder b v2.0.0..
engine.slow-block-threshold s v2.0.0..
engine.sparse-trie-max-hot-accounts u v2.0.0..v2.4.1
engine.sparse-trie-max-hot-slots u engine.sparse-trie-max-storage-tries v2.0.0..v2.4.1
engine.sparse-trie-max-storage-tries u v1.11.0..v1.11.4
engine.sparse-trie-prune-depth u v1.11.0..v1.11.4
engine.state-provider-metrics b v1.4.0..
engine.state-root-fallback b v1.4.7..
engine.state-root-task b v1.2.0..v1.2.2
engine.state-root-task-compare-updates b v1.2.0..
engine.state-root-task-timeout s v1.11.0..
engine.storage-worker-count u v1.9.0..
engine.suppress-persistence-during-build b v2.2.0..
engine.txpool-prewarming b v2.5.0..
era.enable b v1.5.0..
era.path s v1.5.0..
era.url s v1.5.0..
eth-max-message-size s v2.1.0..
ethstats s v1.6.0..
full b
gpo.blocks u - 20
gpo.default-suggested-fee s v1.7.0..
gpo.ignoreprice u
gpo.maxprice u
gpo.percentile u - 60
http b
http.addr a - 127.0.0.1
http.api s
http.corsdomain s
http.disable-compression b v1.4.3..
http.port P - 8545
identity s
instance P - 1 ..v1.3.4
instance P v1.3.5..
ipc.permissions s v1.7.0..
ipcdisable b
ipcpath s - /tmp/reth.ipc
jit b v2.4.0..
jit.blocking b v2.4.0..
jit.channel-capacity u v2.4.0..
jit.code-cache-bytes u v2.4.0..
jit.debug b v2.4.0..
jit.hot-threshold u v2.4.0..
jit.idle-evict-duration s v2.4.0..
jit.max-bytecode-len u v2.4.0..
jit.max-pending-jobs u v2.4.0..
jit.worker-count u v2.4.0..
log.file.directory s
log.file.filter s - debug ..v1.11.4
log.file.filter s v2.0.0..
log.file.format s
log.file.max-files u - 5 ..v1.11.4
log.file.max-files u v2.0.0..
log.file.max-size u - 200 ..v1.11.4
log.file.max-size u v2.0.0..
log.file.name s - reth.log v1.7.0..v1.11.4
log.file.name s v2.0.0..
log.journald b
log.journald.filter s - error ..v1.11.4
log.journald.filter s v2.0.0..
log.samply b v1.10.0..
log.samply.filter s - debug v1.10.0..v1.10.2
log.samply.filter s v1.11.0..
log.stdout.filter s
log.stdout.format s
log.tracing-chrome b v2.3.0..
log.tracing-chrome.file p - trace.json v2.3.0..
log.tracing-chrome.filter s v2.3.0..
log.tracy b v1.10.0..
log.tracy.filter s - debug v1.10.0..v1.10.2
log.tracy.filter s v1.11.0..
logs-otlp j v1.10.0..
logs-otlp.filter s - info v1.10.0..v2.3.0
logs-otlp.filter s v2.4.0..
max-inbound-peers u
max-outbound-peers u
max-peers u v1.10.0..
max-pending-imports u v1.0.6..
max-seen-tx-history u v1.0.6..
max-tx-pending-fetch u v1.0.7..
max-tx-reqs u v1.0.6..
max-tx-reqs-peer u v1.0.6..
metrics A ..v1.8.4
metrics A metrics.prometheus v1.9.0..
metrics.prometheus.push.interval s - 5 v1.9.0..
metrics.prometheus.push.url s v1.9.0..
minimal b v1.10.0..
nat s - any ..v1.11.4
nat s v2.0.0..
net-if.experimental s v1.0.7..
netrestrict s v1.10.0..
network-id u v1.9.0..
no-persist-peers b
p2p-secret-key p
p2p-secret-key-hex s v1.10.0..
peers-file p
pooled-tx-pack-soft-limit u
pooled-tx-response-soft-limit u
port P - 30303
prune.account-history.before s prune.accounthistory.before v1.9.0..
prune.account-history.distance u prune.accounthistory.distance v1.9.0..
prune.account-history.full b prune.accounthistory.full v1.9.0..
prune.accounthistory.before s v1.0.7..v1.8.4
prune.accounthistory.distance u v1.0.7..v1.8.4
prune.accounthistory.full b v1.0.7..v1.8.4
prune.block-interval u block-interval v1.9.0..
prune.bodies.before s v1.5.0..
prune.bodies.distance u v1.5.0..
prune.bodies.pre-merge b v1.5.0..
prune.minimum-distance u v2.0.0..
prune.receipts-log-filter s prune.receiptslogfilter v1.9.0..v1.9.1
prune.receipts.before s v1.0.7..
prune.receipts.distance u v1.0.7..
prune.receipts.full b v1.0.7..
prune.receipts.pre-merge b v1.6.0..
prune.receiptslogfilter S v1.0.7..v1.3.12
prune.receiptslogfilter s v1.4.0..v1.8.4
prune.receiptslogfilter s v1.9.2..
prune.sender-recovery.before s prune.senderrecovery.before v1.9.0..
prune.sender-recovery.distance u prune.senderrecovery.distance v1.9.0..
prune.sender-recovery.full b prune.senderrecovery.full v1.9.0..
prune.senderrecovery.before s v1.0.7..v1.8.4
prune.senderrecovery.distance u v1.0.7..v1.8.4
prune.senderrecovery.full b v1.0.7..v1.8.4
prune.storage-history.before s prune.storagehistory.before v1.9.0..
prune.storage-history.distance u prune.storagehistory.distance v1.9.0..
prune.storage-history.full b prune.storagehistory.full v1.9.0..
prune.storagehistory.before s v1.0.7..v1.8.4
prune.storagehistory.distance u v1.0.7..v1.8.4
prune.storagehistory.full b v1.0.7..v1.8.4
prune.transaction-lookup.before s prune.transactionlookup.before v1.9.0..
prune.transaction-lookup.distance u prune.transactionlookup.distance v1.9.0..
prune.transaction-lookup.full b prune.transactionlookup.full v1.9.0..
prune.transactionlookup.before s v1.0.7..v1.8.4
prune.transactionlookup.distance u v1.0.7..v1.8.4
prune.transactionlookup.full b v1.0.7..v1.8.4
quiet b silent,q
required-block-hashes S v1.8.0..
rpc-cache.max-bals u - 1000 v2.3.0..
rpc-cache.max-blocks u - 5000
rpc-cache.max-cached-tx-hashes u - 30000 v1.11.0..
rpc-cache.max-concurrent-db-requests u - 512
rpc-cache.max-envs u - 1000 ..v1.1.5
rpc-cache.max-headers u rpc-cache.max-envs 1000 v1.2.0..
rpc-cache.max-receipts u - 2000
rpc.compute-state-root-for-eth-simulate b v2.3.0..
rpc.disable-metrics b v2.3.0..
rpc.eth-proof-window u - 0 v1.0.1..
rpc.evm-memory-limit m rpc-evm-memory-limit 4294967295 v1.9.0..
rpc.force-blob-sidecar-upcasting b v1.11.0..
rpc.forwarder s rpc-forwarder v1.7.0..
rpc.gascap u rpc-gascap ..v1.0.0
rpc.gascap u rpc-gascap 50000000 v1.0.1..v1.3.4
rpc.gascap m rpc-gascap 50000000 v1.3.5..
rpc.jwtsecret s
rpc.max-blocking-io-requests u rpc-max-blocking-io-requests 256 v1.10.0..
rpc.max-blocks-per-filter u rpc-max-blocks-per-filter 100000
rpc.max-connections m rpc-max-connections 500
rpc.max-logs-per-response u rpc-max-logs-per-response 20000
rpc.max-request-size m rpc-max-request-size 15
rpc.max-response-size m rpc-max-response-size,rpc.returndata.limit 160
rpc.max-simulate-blocks u - 256 v1.0.7..
rpc.max-subscriptions-per-connection m rpc-max-subscriptions-per-connection 1024
rpc.max-trace-filter-blocks u rpc-max-trace-filter-blocks 100 v1.3.2..
rpc.max-tracing-requests u rpc-max-tracing-requests
rpc.pending-block s - full v1.7.0..
rpc.proof-permits u rpc-proof-permits 25 v1.0.1..
rpc.send-raw-transaction-sync-timeout s - 30s v1.8.0..
rpc.txfeecap s rpc-txfeecap 1.0 v1.3.10..
static-files.account-change-sets b v1.10.0..v1.10.2
static-files.blocks-per-file.account-change-sets u v1.10.0..
static-files.blocks-per-file.headers u v1.10.0..
static-files.blocks-per-file.receipts u v1.10.0..
static-files.blocks-per-file.storage-change-sets u v1.11.0..
static-files.blocks-per-file.transaction-senders u v1.10.0..
static-files.blocks-per-file.transactions u v1.10.0..
static-files.receipts b v1.10.0..v1.10.2
static-files.transaction-senders b v1.10.0..v1.10.2
storage.v2 b v1.11.0..v1.11.4
storage.v2 o v2.0.0..
testing.gas-limit u v2.0.0..
testing.skip-invalid-transactions b v1.10.1..
tracing-otlp j v1.9.0..
tracing-otlp-protocol s - http v1.9.0..v2.3.0
tracing-otlp-protocol s v2.4.0..
tracing-otlp.filter s - debug v1.9.0..v2.3.0
tracing-otlp.filter s v2.4.0..
tracing-otlp.sample-ratio f v1.10.0..
tracing-otlp.service-name s - reth v1.10.0..v2.2.0
tracing-otlp.service-name s v2.3.0..
tracing-otlp.service-version s v2.3.0..
trusted-only b
trusted-peers S
tx-channel-memory-limit u v2.2.0..
tx-ingress-policy s v1.10.0..
tx-propagation-mode s - sqrt v1.7.0..v1.11.4
tx-propagation-mode s v2.0.0..
tx-propagation-policy s v1.3.9..
txpool.additional-validation-tasks u txpool.additional_validation_tasks v1.0.5..
txpool.basefee-max-count u txpool.basefee_max_count
txpool.basefee-max-size u txpool.basefee_max_size
txpool.blob-cache-size u txpool.blob_cache_size v1.3.5..
txpool.blobpool-max-count u txpool.blobpool_max_count v1.2.0..
txpool.blobpool-max-size u txpool.blobpool_max_size v1.2.0..
txpool.disable-blobs-support b txpool.disable_blobs_support v1.10.0..
txpool.disable-transactions-backup b txpool.disable-journal v1.3.8..
txpool.gas-limit u v1.0.7..
txpool.lifetime s - 10800 v1.2.0..v1.9.4
txpool.lifetime s v1.10.0..
txpool.locals S
txpool.max-account-slots u txpool.max_account_slots
txpool.max-batch-size u - 1 v1.7.0..v1.9.4
txpool.max-batch-size u v1.10.0..
txpool.max-cached-entries u txpool.max_cached_entries
txpool.max-new-pending-txs-notifications u txpool.max-new-pending-txs-notifications v1.1.2..
txpool.max-new-txns u txpool.max_new_txns v1.0.6..
txpool.max-pending-txns u txpool.max_pending_txns v1.0.6..
txpool.max-tx-gas u v1.5.1..
txpool.max-tx-input-bytes u txpool.max_tx_input_bytes
txpool.minimal-protocol-fee u v1.0.7..
txpool.minimum-priority-fee s v1.5.1..
txpool.no-local-transactions-propagation b
txpool.nolocals b
txpool.pending-max-count u txpool.pending_max_count
txpool.pending-max-size u txpool.pending_max_size
txpool.pricebump s
txpool.queued-max-count u txpool.queued_max_count
txpool.queued-max-size u txpool.queued_max_size
txpool.transactions-backup s txpool.journal v1.3.8..v1.9.4
txpool.transactions-backup p txpool.journal v1.10.0..
verbosity c v
with-unused-ports b
ws b
ws.addr a - 127.0.0.1
ws.api s
ws.origins s ..v1.3.4
ws.origins s ws.corsdomain v1.3.5..
ws.port P - 8546
`;

export const opFlagTable = `
engine.experimental b v1.0.5..v1.1.4
engine.legacy b v1.1.1..v1.1.4
engine.memory-block-buffer-target u v1.0.7..v1.1.5
engine.persistence-threshold u v1.0.7..v1.1.5
flashblock-consensus b v1.10.0..
flashblocks-url s v1.7.0..v1.9.4
flashblocks-url s websocket-url v1.10.0..
min-suggested-priority-fee u - 1000000 v1.4.8..
rollup.compute-pending-block b
rollup.disable-tx-pool-gossip b
rollup.discovery.v4 b v1.0.4..
rollup.enable-genesis-walkback b ..v1.4.8
rollup.enable-tx-conditional b v1.2.0..
rollup.historicalrpc s rollup.historical-rpc v1.5.0..
rollup.sequencer s rollup.sequencer-http,rollup.sequencer-ws v1.3.12..
rollup.sequencer-headers S v1.4.0..
rollup.sequencer-http s ..v1.3.11
rollup.supervisor-http s v1.3.5..
rollup.supervisor-safety-level s v1.3.5..
`;
