/**
 * Every flag of the node's binaries, one a line, from cmd/utils/flags.go and api/debug/flags.go of kaiachain/kaia v2.2.1:
 *
 *     name type binaries aliases default environment
 *
 * type: b bool, s string, i int, l int64, n uint, u uint64, f float, d duration, p path, S list, t text.
 * binaries: c kcn, p kpn, e ken, C kscn, P kspn, E ksen, b kbn; n all but kbn, a all, - none.
 * environment: nothing when KLAYTN_ and KAIA_ stand before the name in capitals, - when there is none,
 * else what follows KLAYTN_ and KAIA_, or the whole names.
 * `-` in the other places: none, or a default that the sources compute.
 */
export const flagTable = `
rpc b a http-rpc.enable -
rpcaddr s a http-rpc.addr 127.0.0.1
rpcport i a http-rpc.port 8551
rpccorsdomain s a http-rpc.cors-domain -
rpcvhosts s a http-rpc.vhosts localhost
rpcapi s a http-rpc.api -
rpc.gascap u a http-rpc.gascap -
rpc.evmtimeout d a http-rpc.evmtimeout -
rpc.ethtxfeecap f a http-rpc.eth-tx-feecap -
rpc.concurrencylimit i a http-rpc.concurrency-limit 3000
rpc.eth.noncompatible b a http-rpc.eth-noncompatible -
rpcreadtimeout i a http-rpc.read-timeout 30
rpcwritetimeout i a http-rpc.write-timeout 30
rpcidletimeout i a http-rpc.idle-timeout 120
rpcexecutiontimeout i a http-rpc.execution-timeout 30
upstream-en s a rpc.upstream-en - RPC_UPSTREAM_EN
ws b a ws-rpc.enable -
wsaddr s a ws-rpc.addr 127.0.0.1
wsport i a ws-rpc.port 8552
wsapi s a ws-rpc.api -
wsorigins s a ws-rpc.origins -
wsmaxsubscriptionperconn i a ws-rpc.max-subscription-per-conn 3000
wsreaddeadline l a ws-rpc.read-deadline 0
wswritedeadline l a ws-rpc.write-deadline 0
wsmaxconnections i a ws-rpc.max-connections 3000
grpc b a g-rpc.enable -
grpcaddr s a g-rpc.addr 127.0.0.1
grpcport i a g-rpc.port 8553
ipcdisable b a ipc.disable -
ipcpath p a ipc.path -
jspath s n console.js-path .
exec s n console.exec -
preload s n console.preload -
api.filter.getLogs.deadline d n - 10s
api.filter.getLogs.maxitems i n - 10000
rpc.unsafe-debug.disable b a http-rpc.unsafe-debug.disable -
rpc.unsafe-debug.heavy-debug.request-limit i a - 500
rpc.unsafe-debug.state-regeneration.time-limit d a - 60s
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
log.format s a - terminal LOGFORMAT
log.file s a - - LOGFILE
log.rotate b a - - LOGROTATE
log.maxsize i a - 100 LOGMAXSIZE
log.maxbackups i a - 10 LOGMAXBACKUPS
log.maxage i a - 30 LOGMAXAGE
log.compress b a - - LOGCOMPRESS
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
bls-nodekey s n p2p.bls-node-key -
bls-nodekeyhex s n p2p.bls-node-key-hex -
bls-nodekeystore s - p2p.bls-node-keystore -
nat s a p2p.nat any
nodiscover b n p2p.no-discover -
discover-types s n p2p.discover-types auto
netrestrict s a p2p.net-restrict -
rwtimerinterval u n p2p.rw-timer-interval 1000
rwtimerwaittime d n p2p.rw-timer-wait-time 15s
mainnet b cpe p2p.cypress,p2p.mainnet,cypress - KLAYTN_CYPRESS,KAIA_CYPRESS,KAIA_MAINNET
kairos b cpe p2p.baobab,p2p.kairos,baobab - KLAYTN_BAOBAB,KAIA_BAOBAB,KAIA_KAIROS
childchainindexing b eCPE common.child-chain-indexing -
chaintxperiod u CPE servicechain.chain-tx-period 1
chaintxlimit u CPE servicechain.chain-tx-limit 100
mainbridge b eCPE servicechain.mainbridge -
subbridge b CPE servicechain.subbridge -
mainbridgeport i eCPE servicechain.mainbridge-port 50505
subbridgeport i CPE servicechain.subbridge-port 50506
parentchainid i CPE servicechain.parent-chainid 8217
vtrecovery b CPE servicechain.vt-recovery -
vtrecoveryinterval u CPE servicechain.vt-recovery-interval 5
sc.parentoperator.gaslimit u CPE servicechain.parent-operator-gaslimit 10000000
sc.childoperator.gaslimit u CPE servicechain.child-operator-gaslimit 10000000
scnewaccount b CP servicechain.new-account -
anchoring b CPE servicechain.anchoring -
kas.sc.anchor b CPE - -
kas.sc.anchor.period u CPE - 1
kas.sc.anchor.url s CPE - -
kas.sc.anchor.operator s CPE - -
kas.sc.anchor.request.timeout d CPE - 500ms
kas.x-chain-id s CPE - -
kas.accesskey s CPE - -
kas.secretkey s CPE - -
ntp.disable b n common.ntp.disable -
ntp.server s n common.ntp.server,ns pool.ntp.org:123
dbtype s n db.type,migration.src.dbtype LevelDB
srvtype s a common.srvtype fasthttp
datadir p a common.datadir,migration.src.datadir -
chaindatadir p n common.chaindatadir -
identity s n common.identity -
docroot p n common.docroot -
syncmode t n common.syncmode -
gcmode s n common.garbage-collection-mode full
override.osaka u n - - -
start-block-num u n common.start-block-num -
extradata s n common.block-extra-data -
config s n - -
block-generation-interval l cC experimental.block-generation-interval -
block-generation-time-limit d cC experimental.block-generation-time-limit -
opcode-computation-cost-limit u n experimental.opcode-computation-cost-limit -
use-console-log b n - -
auction.disable b n kaiax.module.auction.disable - -
auction.max-bid-pool-size l n kaiax.module.auction.max-bid-pool-size - -
auction.ed-offset d n kaiax.module.auction.ed-offset - -
gasless.allowed-tokens S n kaiax.module.gasless.allowed-tokens - -
gasless.disable b c kaiax.module.gasless.disable - -
gasless.max-bundle-txs-in-pending i n kaiax.module.gasless.max-bundle-txs-in-pending 100 -
gasless.max-bundle-txs-in-queue i n kaiax.module.gasless.max-bundle-txs-in-queue 200 -
gasless.balance-check-level i n kaiax.module.gasless.balance-check-level - -
conf s n - - -
networktype s - - mn
txpool.nolocals b n - -
txpool.allow-local-anchortx b n - -
txpool.deny.remotetx b n txpool.deny-remote-tx -
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
txpool.spamthrottler.disable b pP - -
kes.nodetype.service b eE common.kes-nodetype-service -
db.single b n migration.src.single -
db.num-statetrie-shards n n migration.src.db.leveldb.num-statetrie-shards 4
db.leveldb.cache-size i n migration.src.db.leveldb.cache-size 768
db.leveldb.compression i n migration.src.db.leveldb.compression 2
db.leveldb.no-buffer-pool b n - -
db.pebbledb.cache-size i n migration.src.db.pebbledb.cache-size 768 DB_PEBBLE_CACHE_SIZE
db.rocksdb.secondary b n migration.src.db.rocksdb.secondary -
db.rocksdb.cache-size u n migration.src.db.rocksdb.cache-size 768
db.rocksdb.dump-malloc-stat b n migration.src.db.rocksdb.dump-malloc-stat -
db.rocksdb.compression-type s n migration.src.db.rocksdb.compression-type -
db.rocksdb.bottommost-compression-type s n migration.src.db.rocksdb.bottommost-compression-type -
db.rocksdb.filter-policy s n migration.src.db.rocksdb.filter-policy -
db.rocksdb.disable-metrics b n migration.src.db.rocksdb.disable-metrics -
db.rocksdb.max-open-files i n migration.src.db.rocksdb.max-open-files -
db.rocksdb.cache-index-and-filter b n migration.src.db.rocksdb.cache-index-and-filter -
db.dynamo.tablename s n migration.src.db.dynamo.table-name,db.dynamo.table-name -
db.dynamo.region s n migration.src.db.dynamo.region -
db.dynamo.is-provisioned b n migration.src.db.dynamo.is-provisioned -
db.dynamo.read-capacity l n migration.src.db.dynamo.read-capacity -
db.dynamo.write-capacity l n migration.src.db.dynamo.write-capacity -
db.dynamo.read-only b n - -
db.no-parallel-write b n - -
db.no-perf-metrics b n migration.no-perf-metrics -
sendertxhashindexing b n common.sender-tx-hash-indexing -
snapshot b n snapshot-database.enable -
snapshot.cache-size i n snapshot-database.cache-size 512
snapshot.async-gen b n snapshot-database.async-gen - SNAPSHOT_BACKGROUND_GENERATION
state.cache-size i n - 512
state.block-interval n n - -
state.tries-in-memory u n - -
state.live-pruning b n - -
state.live-pruning-retention u n - -
state.experimental-flat-trie b n - - STATE_FLAT_TRIE
cache.type i n - -
cache.scale i n - -
cache.level s n - -
cache.memory i n - -
statedb.cache.type s n - -
statedb.cache.num-fetcher-prefetch-worker i n - 32
statedb.cache.use-snapshot-for-prefetch b n - -
statedb.cache.redis.endpoints S n - -
statedb.cache.redis.cluster b n - -
statedb.cache.redis.publish b n - -
statedb.cache.redis.subscribe b n - -
state.trie-cache-limit i n - -1
state.trie-cache-save-period d n - 0
crypto.kzg s - - gokzg -
scsigner s eCPE common.scsigner -
rewardbase s cC common.rewardbase -
txresend.interval u pePE - -
txresend.max-count i pePE - -
txresend.use-legacy b pePE - -
vmdebug b n vm.debug -
vmlog i n vm.log 0
vm.internaltx b n - -
vm.opdebug b n - -
nodetype s - - en
authorized-nodes s b common.authorized-nodes -
bnaddr s b p2p.bn-addr :32323
genkey s b common.gen-key-path -
writeaddress b b common.write-address -
scconsensus s - servicechain.consensus istanbul
chaindatafetcher b pePE chain-data-fetcher.enable -
chaindatafetcher.mode s pePE chain-data-fetcher.mode kas
chaindatafetcher.no.default b pePE chain-data-fetcher.no-default -
chaindatafetcher.num.handlers i pePE chain-data-fetcher.num-handlers -
chaindatafetcher.job.channel.size i pePE chain-data-fetcher.job-channel-size -
chaindatafetcher.block.channel.size i pePE chain-data-fetcher.block-channel-size -
chaindatafetcher.max.processing.data.size i pePE chain-data-fetcher.max-processing-data-size -
chaindatafetcher.kas.db.host s pePE chain-data-fetcher.kas.db.host -
chaindatafetcher.kas.db.port s pePE chain-data-fetcher.kas.db.port -
chaindatafetcher.kas.db.name s pePE chain-data-fetcher.kas.db.name -
chaindatafetcher.kas.db.user s pePE chain-data-fetcher.kas.db.user -
chaindatafetcher.kas.db.password s pePE chain-data-fetcher.kas.db.password -
chaindatafetcher.kas.cache.use b pePE chain-data-fetcher.kas.cache.use -
chaindatafetcher.kas.cache.url s pePE chain-data-fetcher.kas.cache.url -
chaindatafetcher.kas.xchainid s pePE chain-data-fetcher.kas.xchainid -
chaindatafetcher.kas.basic.auth.param s pePE chain-data-fetcher.kas.basic.auth.param -
chaindatafetcher.kafka.brokers S pePE chain-data-fetcher.kafka.brokers -
chaindatafetcher.kafka.topic.environment s pePE chain-data-fetcher.kafka.topic.environment -
chaindatafetcher.kafka.topic.resource s pePE chain-data-fetcher.kafka.topic.resource -
chaindatafetcher.kafka.replicas l pePE chain-data-fetcher.kafka.replicas -
chaindatafetcher.kafka.partitions i pePE chain-data-fetcher.kafka.partitions -
chaindatafetcher.kafka.max.message.bytes i pePE chain-data-fetcher.kafka.max-message-bytes -
chaindatafetcher.kafka.segment.size i pePE chain-data-fetcher.kafka.segment-size -
chaindatafetcher.kafka.required.acks i pePE chain-data-fetcher.kafka.required-acks -
chaindatafetcher.kafka.msg.version s pePE chain-data-fetcher.kafka.msg-version -
chaindatafetcher.kafka.producer.id s pePE chain-data-fetcher.kafka.producer-id -
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
dst.dbtype s cpe migration.dst.dbtype LevelDB
dst.datadir p cpe migration.dst.datadir -
db.dst.single b cpe migration.dst.single -
db.dst.leveldb.cache-size i cpe migration.dst.db.leveldb.cache-size 768
db.dst.leveldb.compression i cpe migration.dst.db.leveldb.compression 0
db.dst.pebbledb.cache-size i cpe migration.dst.db.pebbledb.cache-size 768
db.dst.num-statetrie-shards n cpe migration.dst.db.leveldb.num-statetrie-shards 4
db.dst.dynamo.tablename s cpe migration.dst.db.dynamo.table-name -
db.dst.dynamo.region s cpe migration.dst.db.dynamo.region -
db.dst.dynamo.is-provisioned b cpe migration.dst.db.dynamo.is-provisioned -
db.dst.dynamo.read-capacity l cpe migration.dst.db.dynamo.read-capacity -
db.dst.dynamo.write-capacity l cpe migration.dst.db.dynamo.write-capacity -
db.dst.rocksdb.secondary b cpe migration.dst.db.rocksdb.secondary -
db.dst.rocksdb.cache-size u cpe migration.dst.db.rocksdb.cache-size 768
db.dst.rocksdb.dump-memory-stat b cpe migration.dst.db.rocksdb.dump-malloc-stat - DB_DST_ROCKSDB_DUMP_MALLOC_STAT
db.dst.rocksdb.compression-type s cpe migration.dst.db.rocksdb.compression-type -
db.dst.rocksdb.bottommost-compression-type s cpe migration.dst.db.rocksdb.bottommost-compression-type -
db.dst.rocksdb.filter-policy s cpe migration.dst.db.rocksdb.filter-policy -
db.dst.rocksdb.disable-metrics b cpe migration.dst.db.rocksdb.disable-metrics -
db.dst.rocksdb.max-open-files i cpe migration.dst.db.rocksdb.max-open-files -
db.dst.rocksdb.cache-index-and-filter b cpe migration.dst.db.rocksdb.cache-index-and-filter -
gpo.blocks i n - - -
gpo.percentile i n - - -
gpo.maxprice l n - - -
vrank.log-frequency u c - - -
`;
