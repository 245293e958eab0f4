/**
 * Every flag of the node's binaries, from cmd/utils/flags.go and api/debug/flags.go of the releases. A flag whose default
 * changed has a row for each:
 *
 *     name type binaries aliases default environment period
 *
 * type: b bool, s string, i int, l int64, n uint, u uint64, f float, d duration, p path, S list, t text.
 * binaries: c kcn, p kpn, e ken, C kscn, P kspn, E ksen, b kbn; n all but kbn, a all, - none. Where they changed:
 *   `c:..last,cC:first..`, each with its period.
 * environment: nothing when it is KLAYTN_ and KAIA_ before the name in capitals, - when there is none, else what follows
 * KLAYTN_ and KAIA_, or the whole names.
 * period: `first..last` release with this row; nothing when every release has it, and no end where that is open.
 * `-` in the other places: none, or a default that the sources compute.
 */
export const flagTable = `
rpc b a http-rpc.enable -
rpcaddr s a http-rpc.addr 127.0.0.1
rpcport i a http-rpc.port 8551
rpccorsdomain s n:..klaytn/v1.10.2,a:klaytn/v1.11.0.. http-rpc.cors-domain -
rpcvhosts s n:..klaytn/v1.10.2,a:klaytn/v1.11.0.. http-rpc.vhosts localhost
rpcapi s a http-rpc.api -
rpc.gascap u a http-rpc.gascap - klaytn/v1.6.0..
rpc.evmtimeout d a http-rpc.evmtimeout - klaytn/v1.10.0..
rpc.ethtxfeecap f a http-rpc.eth-tx-feecap - klaytn/v1.8.0..
rpc.concurrencylimit i a http-rpc.concurrency-limit 3000 klaytn/v1.6.1..
rpc.eth.noncompatible b n:klaytn/v1.8.0..klaytn/v1.10.2,a:klaytn/v1.11.0.. http-rpc.eth-noncompatible -
rpcreadtimeout i a http-rpc.read-timeout 30 klaytn/v1.8.0..
rpcwritetimeout i a http-rpc.write-timeout 30 klaytn/v1.8.0..
rpcidletimeout i a http-rpc.idle-timeout 120 klaytn/v1.8.0..
rpcexecutiontimeout i a http-rpc.execution-timeout 30 klaytn/v1.8.0..
upstream-en s a rpc.upstream-en - RPC_UPSTREAM_EN klaytn/v1.12.0..
ws b a ws-rpc.enable -
wsaddr s a ws-rpc.addr 127.0.0.1
wsport i a ws-rpc.port 8552
wsapi s a ws-rpc.api -
wsorigins s a ws-rpc.origins -
wsmaxsubscriptionperconn i a ws-rpc.max-subscription-per-conn 5 klaytn/v1.6.0..klaytn/v1.6.4
wsmaxsubscriptionperconn i a ws-rpc.max-subscription-per-conn 3000 klaytn/v1.7.0..
wsreaddeadline l a ws-rpc.read-deadline 0 klaytn/v1.6.0..
wswritedeadline l a ws-rpc.write-deadline 0 klaytn/v1.6.0..
wsmaxconnections i a ws-rpc.max-connections 3000 klaytn/v1.6.0..
grpc b a g-rpc.enable -
grpcaddr s a g-rpc.addr 127.0.0.1
grpcport i a g-rpc.port 8553
ipcdisable b a ipc.disable -
ipcpath p a ipc.path -
jspath s n console.js-path .
exec s n console.exec -
preload s n console.preload -
api.filter.getLogs.deadline d n - 10s klaytn/v1.6.1..
api.filter.getLogs.maxitems i n - 10000 klaytn/v1.6.1..
rpc.unsafe-debug.disable b a http-rpc.unsafe-debug.disable - klaytn/v1.10.0..
rpc.unsafe-debug.heavy-debug.request-limit i a - 50 klaytn/v1.11.0..kaia/v0.8.0
rpc.unsafe-debug.heavy-debug.request-limit i a - 500 kaia/v0.9.0..
rpc.unsafe-debug.state-regeneration.time-limit d a - 60s klaytn/v1.11.0..
maxRequestContentLength i n p2p.max-request-content-length 524288
metrics b a metrics-collection-reporting.enable - METRICUTILS_METRICSENABLEDFLAG
prometheus b a metrics-collection-reporting.prometheus - METRICUTILS_PROMETHEUSEXPORTERFLAG
prometheusport i a metrics-collection-reporting.prometheus-port 61001 METRICUTILS_PROMETHEUSEXPORTERPORTFLAG
keystore p n common.keystore -
v3 b - - - KEYSTORE_V3
lightkdf b n common.light-kdf -
unlock s n account-update.unlock -
password s n account-update.password -
verbosity i a debug-profile.verbosity 3
vmodule s a debug-profile.vmodule -
backtrace s a debug-profile.backtrace -
debug b a debug-profile.print-site -
log.format s a - terminal LOGFORMAT klaytn/v1.11.0..
log.file s a - - LOGFILE klaytn/v1.11.0..
log.rotate b a - - LOGROTATE klaytn/v1.11.0..
log.maxsize i a - 100 LOGMAXSIZE klaytn/v1.11.0..
log.maxbackups i a - 10 LOGMAXBACKUPS klaytn/v1.11.0..
log.maxage i a - 30 LOGMAXAGE klaytn/v1.11.0..
log.compress b a - - LOGCOMPRESS klaytn/v1.11.0..
pprof b a debug-profile.pprof.enable -
pprofport i a debug-profile.pprof.port 6060
pprofaddr s a debug-profile.pprof.addr 127.0.0.1
memprofile s a debug-profile.mem-profile.file-name -
memprofilerate i a debug-profile.mem-profile.rate 524288
blockprofilerate i a debug-profile.block-profile.rate -
cpuprofile s a debug-profile.cpu-profile.file-name -
trace s a debug-profile.trace.file-name -
networkid u a p2p.network-id 8217
targetgaslimit u n common.target-gaslimit -
maxconnections i n p2p.max-connections 10
maxpendpeers i n p2p.max-pend-peers 0
port i n p2p.port 32323
subport i n p2p.sub-port 32324
multichannel b n p2p.multi-channel -
bootnodes s n p2p.bootnodes -
nodekey s a p2p.node-key -
nodekeystore s - p2p.node-keystore -
nodekeyhex s a p2p.node-key-hex -
bls-nodekey s n p2p.bls-node-key - klaytn/v1.12.0..
bls-nodekeyhex s n p2p.bls-node-key-hex - klaytn/v1.12.0..
bls-nodekeystore s - p2p.bls-node-keystore -
nat s a p2p.nat any
nodiscover b n p2p.no-discover -
discover-types s n p2p.discover-types auto kaia/v2.0.0..
netrestrict s a p2p.net-restrict -
rwtimerinterval u n p2p.rw-timer-interval 1000
rwtimerwaittime d n p2p.rw-timer-wait-time 15s
mainnet b cpe p2p.cypress,p2p.mainnet - KLAYTN_CYPRESS,KAIA_CYPRESS,KAIA_MAINNET kaia/v0.9.0..kaia/v0.9.0
mainnet b cpe p2p.cypress,p2p.mainnet,cypress - KLAYTN_CYPRESS,KAIA_CYPRESS,KAIA_MAINNET kaia/v0.9.2..
cypress b cpe p2p.cypress - ..kaia/v0.8.0
kairos b cpe p2p.baobab,p2p.kairos,baobab - KLAYTN_BAOBAB,KAIA_BAOBAB,KAIA_KAIROS kaia/v1.0.1..
baobab b cpe p2p.baobab - ..kaia/v0.8.0
testnet b cpe p2p.baobab,p2p.testnet - KLAYTN_BAOBAB,KAIA_BAOBAB,KAIA_TESTNET kaia/v0.9.0..kaia/v0.9.0
testnet b cpe p2p.baobab,p2p.testnet,baobab - KLAYTN_BAOBAB,KAIA_BAOBAB,KAIA_TESTNET kaia/v0.9.2..kaia/v1.0.0
childchainindexing b eCPE common.child-chain-indexing -
chaintxperiod u CPE servicechain.chain-tx-period 1
chaintxlimit u CPE servicechain.chain-tx-limit 100
mainbridge b eCPE servicechain.mainbridge -
subbridge b CPE servicechain.subbridge -
mainbridgeport i eCPE servicechain.mainbridge-port 50505
subbridgeport i CPE servicechain.subbridge-port 50506
parentchainid i CPE servicechain.parent-chainid 8217
vtrecovery b CPE servicechain.vt-recovery -
vtrecoveryinterval u CPE servicechain.vt-recovery-interval 60 ..klaytn/v1.8.3
vtrecoveryinterval u CPE servicechain.vt-recovery-interval 5 klaytn/v1.8.4..
sc.parentoperator.gaslimit u CPE servicechain.parent-operator-gaslimit 10000000 klaytn/v1.8.4..
sc.childoperator.gaslimit u CPE servicechain.child-operator-gaslimit 10000000 klaytn/v1.8.4..
scnewaccount b CP servicechain.new-account -
anchoring b CPE servicechain.anchoring -
kas.sc.anchor b CPE - - klaytn/v1.5.2..
kas.sc.anchor.period u CPE - 1 klaytn/v1.5.2..
kas.sc.anchor.url s CPE - - klaytn/v1.5.2..
kas.sc.anchor.operator s CPE - - klaytn/v1.5.2..
kas.sc.anchor.request.timeout d CPE - 500ms klaytn/v1.8.4..
kas.x-chain-id s CPE - - klaytn/v1.5.2..
kas.accesskey s CPE - - klaytn/v1.5.2..
kas.secretkey s CPE - - klaytn/v1.5.2..
ntp.disable b n common.ntp.disable - klaytn/v1.10.0..
ntp.server s n common.ntp.server,ns pool.ntp.org:123 klaytn/v1.10.0..
dbtype s n db.type,migration.src.dbtype leveldb ..klaytn/v1.5.1
dbtype s n db.type,migration.src.dbtype LevelDB klaytn/v1.5.2..
srvtype s a common.srvtype fasthttp
datadir p a common.datadir,migration.src.datadir -
chaindatadir p n common.chaindatadir - klaytn/v1.11.0..
identity s n common.identity -
docroot p n common.docroot - klaytn/v1.11.0..
syncmode t n common.syncmode -
gcmode s n common.garbage-collection-mode full
override.osaka u n - - - kaia/v2.2.0..
start-block-num u n common.start-block-num - klaytn/v1.5.3..
overwrite-genesis b n common.overwrite-genesis - klaytn/v1.5.2..kaia/v2.1.0
extradata s n common.block-extra-data -
config s n - -
block-generation-interval l cC experimental.block-generation-interval - klaytn/v1.7.0..
block-generation-time-limit d cC experimental.block-generation-time-limit - klaytn/v1.7.0..
opcode-computation-cost-limit u n experimental.opcode-computation-cost-limit 100000000 klaytn/v1.7.0..klaytn/v1.11.1
opcode-computation-cost-limit u n experimental.opcode-computation-cost-limit - klaytn/v1.12.0..
use-console-log b n - - kaia/v2.0.0..
auction.disable b n kaiax.module.auction.disable - - kaia/v2.1.0..
auction.max-bid-pool-size l n kaiax.module.auction.max-bid-pool-size - - kaia/v2.1.0..
auction.ed-offset d n kaiax.module.auction.ed-offset - - kaia/v2.1.0..
gasless.allowed-tokens S n kaiax.module.gasless.allowed-tokens - - kaia/v2.0.0..
gasless.disable b c kaiax.module.gasless.disable - - kaia/v2.0.0..
gasless.max-bundle-txs-in-pending i n kaiax.module.gasless.max-bundle-txs-in-pending 100 - kaia/v2.0.0..
gasless.max-bundle-txs-in-queue i n kaiax.module.gasless.max-bundle-txs-in-queue 200 - kaia/v2.0.3..
gasless.balance-check-level i n kaiax.module.gasless.balance-check-level - - kaia/v2.0.3..
conf s n - - - klaytn/v1.9.1..
networktype s - - mn
txpool.nolocals b n - -
txpool.allow-local-anchortx b n - - klaytn/v1.5.2..
txpool.deny.remotetx b n txpool.deny-remote-tx - klaytn/v1.7.3..
txpool.journal s n - -
txpool.journal-interval d n - -
txpool.pricelimit u n txpool.price-limit -
txpool.pricebump u n txpool.price-bump -
txpool.exec-slots.account u n - -
txpool.exec-slots.all u n - -
txpool.nonexec-slots.account u n - -
txpool.nonexec-slots.all u n - -
txpool.keeplocals b n - -
txpool.lifetime d n - -
txpool.spamthrottler.disable b pP - - klaytn/v1.7.3..
kes.nodetype.service b eE common.kes-nodetype-service - klaytn/v1.5.3..
db.single b n migration.src.single - klaytn/v1.5.2..
db.no-partitioning b n - - ..klaytn/v1.5.1
db.num-statetrie-shards n n migration.src.db.leveldb.num-statetrie-shards 4 klaytn/v1.5.2..
db.num-statetrie-partitions n n - - ..klaytn/v1.5.1
db.leveldb.cache-size i n migration.src.db.leveldb.cache-size 768
db.leveldb.compression i n migration.src.db.leveldb.compression 0 ..kaia/v2.0.3
db.leveldb.compression i n migration.src.db.leveldb.compression 2 kaia/v2.1.0..
db.leveldb.no-buffer-pool b n - -
db.pebbledb.cache-size i n migration.src.db.pebbledb.cache-size 768 DB_PEBBLE_CACHE_SIZE kaia/v1.0.2..
db.rocksdb.secondary b n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.secondary b n migration.src.db.rocksdb.secondary - klaytn/v1.11.1..
db.rocksdb.cache-size u n - 768 klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.cache-size u n migration.src.db.rocksdb.cache-size 768 klaytn/v1.11.1..
db.rocksdb.dump-malloc-stat b n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.dump-malloc-stat b n migration.src.db.rocksdb.dump-malloc-stat - klaytn/v1.11.1..
db.rocksdb.compression-type s n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.compression-type s n migration.src.db.rocksdb.compression-type - klaytn/v1.11.1..
db.rocksdb.bottommost-compression-type s n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.bottommost-compression-type s n migration.src.db.rocksdb.bottommost-compression-type - klaytn/v1.11.1..
db.rocksdb.filter-policy s n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.filter-policy s n migration.src.db.rocksdb.filter-policy - klaytn/v1.11.1..
db.rocksdb.disable-metrics b n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.disable-metrics b n migration.src.db.rocksdb.disable-metrics - klaytn/v1.11.1..
db.rocksdb.max-open-files i n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.max-open-files i n migration.src.db.rocksdb.max-open-files - klaytn/v1.11.1..
db.rocksdb.cache-index-and-filter b n - - klaytn/v1.11.0..klaytn/v1.11.0
db.rocksdb.cache-index-and-filter b n migration.src.db.rocksdb.cache-index-and-filter - klaytn/v1.11.1..
db.dynamo.tablename s n migration.src.db.dynamo.table-name,db.dynamo.table-name - klaytn/v1.5.2..
db.dynamo.region s n migration.src.db.dynamo.region - klaytn/v1.5.2..
db.dynamo.is-provisioned b n migration.src.db.dynamo.is-provisioned - klaytn/v1.5.2..
db.dynamo.read-capacity l n migration.src.db.dynamo.read-capacity - klaytn/v1.5.2..
db.dynamo.write-capacity l n migration.src.db.dynamo.write-capacity - klaytn/v1.5.2..
db.dynamo.read-only b n - - klaytn/v1.5.3..
db.no-parallel-write b n - -
db.no-perf-metrics b n migration.no-perf-metrics - klaytn/v1.5.3..
sendertxhashindexing b n common.sender-tx-hash-indexing -
snapshot b n snapshot-database.enable - klaytn/v1.8.0..
snapshot.cache-size i n snapshot-database.cache-size 512 klaytn/v1.8.0..
snapshot.async-gen b n snapshot-database.async-gen - SNAPSHOT_BACKGROUND_GENERATION klaytn/v1.10.0..
state.cache-size i n - 512
state.block-interval n n - -
state.tries-in-memory u n - 4 ..klaytn/v1.6.0
state.tries-in-memory u n - 128 klaytn/v1.6.1..
state.live-pruning b n - - klaytn/v1.11.0..
state.live-pruning-retention u n - - klaytn/v1.11.0..
state.experimental-flat-trie b n - - STATE_FLAT_TRIE kaia/v2.1.0..
cache.type i n - -
cache.scale i n - -
cache.level s n - -
cache.memory i n - -
cache.writethrough b n - - ..klaytn/v1.5.2
statedb.cache.type s n - - klaytn/v1.5.3..
statedb.cache.num-fetcher-prefetch-worker i n - 32 klaytn/v1.6.1..
statedb.cache.use-snapshot-for-prefetch b n - - klaytn/v1.8.3..
statedb.cache.noprefetch b n - - klaytn/v1.6.0..klaytn/v1.6.0
statedb.use-cache b n - - ..klaytn/v1.5.3
statedb.use-txpool-cache b n - - ..klaytn/v1.5.3
statedb.cache.redis.endpoints S n - - klaytn/v1.5.3..
statedb.cache.redis.cluster b n - - klaytn/v1.5.3..
statedb.cache.redis.publish b n - - klaytn/v1.5.3..
statedb.cache.redis.subscribe b n - - klaytn/v1.5.3..
state.trie-cache-limit i n - -1
state.trie-cache-save-period d n - 0 klaytn/v1.6.0..
crypto.kzg s - - gokzg -
scsigner s eCPE common.scsigner -
rewardbase s c:..klaytn/v1.5.3,cC:klaytn/v1.6.0.. common.rewardbase -
txresend.interval u pePE - -
txresend.max-count i pePE - -
txresend.use-legacy b pePE - -
vmdebug b n vm.debug -
vmlog i n vm.log 0
vm.internaltx b n - - klaytn/v1.5.2..
vm.opdebug b n - - klaytn/v1.12.0..
nodetype s - - en
authorized-nodes s b common.authorized-nodes -
bnaddr s b p2p.bn-addr :32323
genkey s b common.gen-key-path -
writeaddress b b common.write-address -
scconsensus s - servicechain.consensus istanbul
chaindatafetcher b e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.enable -
chaindatafetcher.mode s e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.mode kas
chaindatafetcher.no.default b e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.no-default -
chaindatafetcher.num.handlers i e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.num-handlers -
chaindatafetcher.job.channel.size i e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.job-channel-size -
chaindatafetcher.block.channel.size i e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.block-channel-size -
chaindatafetcher.max.processing.data.size i eE:klaytn/v1.9.1..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.max-processing-data-size -
chaindatafetcher.kas.db.host s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.db.host -
chaindatafetcher.kas.db.port s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.db.port -
chaindatafetcher.kas.db.name s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.db.name -
chaindatafetcher.kas.db.user s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.db.user -
chaindatafetcher.kas.db.password s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.db.password -
chaindatafetcher.kas.cache.use b e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.cache.use -
chaindatafetcher.kas.cache.url s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.cache.url -
chaindatafetcher.kas.xchainid s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.xchainid -
chaindatafetcher.kas.basic.auth.param s e:klaytn/v1.5.2..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kas.basic.auth.param -
chaindatafetcher.kafka.brokers S e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.brokers -
chaindatafetcher.kafka.topic.environment s e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.topic.environment -
chaindatafetcher.kafka.topic.resource s e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.topic.resource -
chaindatafetcher.kafka.replicas l e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.replicas -
chaindatafetcher.kafka.partitions i e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.partitions -
chaindatafetcher.kafka.max.message.bytes i e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.max-message-bytes -
chaindatafetcher.kafka.segment.size i e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.segment-size -
chaindatafetcher.kafka.required.acks i e:klaytn/v1.5.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.required-acks -
chaindatafetcher.kafka.msg.version s e:klaytn/v1.6.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.msg-version -
chaindatafetcher.kafka.producer.id s e:klaytn/v1.6.3..klaytn/v1.8.3,eE:klaytn/v1.8.4..klaytn/v1.9.1,pePE:klaytn/v1.10.0.. chain-data-fetcher.kafka.producer-id -
dbsyncer b eE db-syncer.enable -
dbsyncer.db.host s eE db-syncer.db.host -
dbsyncer.db.port s eE db-syncer.db.port 3306
dbsyncer.db.name s eE db-syncer.db.name -
dbsyncer.db.user s eE db-syncer.db.user -
dbsyncer.db.password s eE db-syncer.db.password -
dbsyncer.logmode b eE db-syncer.log-mode -
dbsyncer.db.max.idle i eE db-syncer.db.max-idle 50
dbsyncer.db.max.open i eE db-syncer.db.max-open 30
dbsyncer.db.max.lifetime d eE db-syncer.db.max-lifetime -
dbsyncer.block.channel.size i eE db-syncer.block-channel-size 5
dbsyncer.mode s eE db-syncer.mode multi
dbsyncer.genquery.th i eE db-syncer.genquery-th 50
dbsyncer.insert.th i eE db-syncer.insert-thread 30
dbsyncer.bulk.size i eE db-syncer.bulk-size 200
dbsyncer.event.mode s eE db-syncer.event-mode head
dbsyncer.max.block.diff u eE db-syncer.max-block-diff 0
autorestart.enable b n - -
autorestart.timeout d n - -
autorestart.daemon.path s n autorestart.daemon-path -
dst.dbtype s cpe migration.dst.dbtype LevelDB klaytn/v1.5.3..
dst.datadir p cpe migration.dst.datadir - klaytn/v1.5.3..
db.dst.single b cpe migration.dst.single - klaytn/v1.5.3..
db.dst.leveldb.cache-size i cpe migration.dst.db.leveldb.cache-size 768 klaytn/v1.11.0..
db.dst.leveldb.compression i cpe migration.dst.db.leveldb.compression 0 klaytn/v1.5.3..
db.dst.pebbledb.cache-size i cpe migration.dst.db.pebbledb.cache-size 768 kaia/v1.0.2..
db.dst.num-statetrie-shards n cpe migration.dst.db.leveldb.num-statetrie-shards 4 klaytn/v1.5.3..
db.dst.dynamo.tablename s cpe migration.dst.db.dynamo.table-name - klaytn/v1.5.3..
db.dst.dynamo.region s cpe migration.dst.db.dynamo.region - klaytn/v1.5.3..
db.dst.dynamo.is-provisioned b cpe migration.dst.db.dynamo.is-provisioned - klaytn/v1.5.3..
db.dst.dynamo.read-capacity l cpe migration.dst.db.dynamo.read-capacity - klaytn/v1.5.3..
db.dst.dynamo.write-capacity l cpe migration.dst.db.dynamo.write-capacity - klaytn/v1.5.3..
db.dst.rocksdb.secondary b cpe migration.dst.db.rocksdb.secondary - klaytn/v1.11.0..
db.dst.rocksdb.cache-size u cpe migration.dst.db.rocksdb.cache-size 768 klaytn/v1.11.0..
db.dst.rocksdb.dump-memory-stat b cpe migration.dst.db.rocksdb.dump-malloc-stat - DB_DST_ROCKSDB_DUMP_MALLOC_STAT klaytn/v1.11.0..
db.dst.rocksdb.compression-type s cpe migration.dst.db.rocksdb.compression-type - klaytn/v1.11.0..
db.dst.rocksdb.bottommost-compression-type s cpe migration.dst.db.rocksdb.bottommost-compression-type - klaytn/v1.11.0..
db.dst.rocksdb.filter-policy s cpe migration.dst.db.rocksdb.filter-policy - klaytn/v1.11.0..
db.dst.rocksdb.disable-metrics b cpe migration.dst.db.rocksdb.disable-metrics - klaytn/v1.11.0..
db.dst.rocksdb.max-open-files i cpe migration.dst.db.rocksdb.max-open-files - klaytn/v1.11.0..
db.dst.rocksdb.cache-index-and-filter b cpe migration.dst.db.rocksdb.cache-index-and-filter - klaytn/v1.11.0..
gpo.blocks i n - - - kaia/v0.9.0..
gpo.percentile i n - - - kaia/v0.9.0..
gpo.maxprice l n - - - kaia/v0.9.0..
vrank.log-frequency u c - 0 - kaia/v2.1.0..kaia/v2.1.0
vrank.log-frequency u c - 60 - kaia/v2.2.0..
`;
