/**
 * The flags of erigon and of rpcdaemon: `--help` of v2.48.1 and v3.2.1, the documentation of v3.3.7, v3.4 and v3.7, and
 * node/cli, cmd/utils/flags.go, node/debug and cmd/rpcdaemon/cli of the sources.
 *
 *     name type aliases default period
 *
 * type: b bool, s string, i int, n uint, u uint64, l int64, f float, d duration, p path, S list, t text.
 * period: the first and the last series of releases known to have the row; nothing when it is in every one, or when that is not
 * known. `-` in the other places: none, or a default that the sources compute.
 */

/** http.api has no default here: without the flag, the list is `eth,erigon,engine`, of which engine is dropped. */
export const erigonFlags = `
aa b - false
allow-insecure-unlock b
authrpc.addr s - localhost
authrpc.jwtsecret p
authrpc.port n - 8551
authrpc.timeouts.idle d - 2m0s
authrpc.timeouts.read d - 30s
authrpc.timeouts.write d - 30m0s
authrpc.vhosts s - localhost
bad.block s
batchSize s - 512M
beacon.api S
beacon.api.addr s - localhost
beacon.api.cors.allow-credentials b
beacon.api.cors.allow-methods S
beacon.api.cors.allow-origins S
beacon.api.ide.timeout u - 25
beacon.api.port n - 5555
beacon.api.protocol s - tcp
beacon.api.read.timeout u - 5
beacon.api.write.timeout u
bodies.cache s - 268435456
bootnodes s
bor.heimdall s - http://localhost:1317
bor.heimdallgRPC s
bor.milestone b - true
bor.minblocksize b
bor.period b
bor.waypoints b
bor.withoutheimdall b
builder.maxblobs u
caplin.adaptable-maximum-traffic-requirements b - true
caplin.archive b
caplin.backfilling b
caplin.backfilling.blob b
caplin.backfilling.blob.no-pruning b
caplin.blobs-archive b
caplin.blobs-immediate-backfill b
caplin.blobs-no-pruning b
caplin.blocks-archive b
caplin.checkpoint-sync-url S
caplin.checkpoint-sync.disable b
caplin.custom-config s
caplin.custom-genesis s
caplin.discovery.addr s - 0.0.0.0
caplin.discovery.port u - 4000
caplin.discovery.tcpport u - 4001
caplin.enable-upnp b
caplin.max-inbound-traffic-per-peer s - 1MB
caplin.max-outbound-traffic-per-peer s - 1MB
caplin.max-peer-count u - 128
caplin.mev-relay-url s
caplin.snapgen b
caplin.states-archive b
caplin.subscribe-all-topics b
caplin.use-engine-api b
caplin.validator-monitor b
chain s - mainnet
chaos.monkey b
clique.checkpoint n - 10
clique.datadir p
clique.signatures i - 16384
clique.snapshots i - 1024
config s
database.verbosity i - 2
datadir p
db.pagesize s
db.read.concurrency i
db.size.limit s
db.writemap b - true
dev.period i
diagnostics.addr s
diagnostics.disabled b - true
diagnostics.endpoint.addr s - 127.0.0.1
diagnostics.endpoint.port n - 6062
diagnostics.ids S
diagnostics.insecure b
diagnostics.speedtest b
discovery.dns s
discovery.v4 b discv4
discovery.v5 b discv5,v5disc true v3.3..
downloader.api.addr s
downloader.disable.ipv4 b
downloader.disable.ipv6 b
downloader.verify b
el.block.downloader.v2 b - true
erigondb.override.stepsinfrozenfile u - 64
erigondb.override.stepsize u - 1562500
ethash.dagdir p
ethstats s
etl.bufferSize s - 256MB
experimental.always-generate-changesets b
experimental.bal b
experimental.concurrent-commitment b
experimental.history.v3 b
externalcl b
fakepow b
fcu.background.commit b
fcu.background.prune b - true
fcu.timeout d - 1s
force.partial.commit b
gdbme b
gpo.blocks i - 20
gpo.maxprice l
gpo.percentile i - 60
graphql b
healthcheck b
http b - true
http.addr s - localhost
http.api s
http.compression b - true
http.corsdomain s
http.dbg.single b rpc.dbg.single
http.enabled b - true v2.60..
http.port i - 8545
http.timeouts.idle d - 2m0s
http.timeouts.read d - 30s
http.timeouts.write d - 30m0s
http.trace b
http.url s - - v3.7..
http.vhosts s - localhost
https.addr s - localhost v3.7..
https.cert s - - v3.7..
https.enabled b - - v3.7..
https.key s - - v3.7..
https.port i - 0 v3.7..
https.url s - - v3.7..
identity s
internalcl b
keep.stored.chain.config b
lightclient.discovery.addr s - 127.0.0.1
lightclient.discovery.port u - 4000
lightclient.discovery.tcpport u - 4001
log.console.json b
log.console.verbosity s - info
log.delays b
log.dir.disable b
log.dir.json b
log.dir.path s
log.dir.prefix s
log.dir.verbosity s
log.json b
maxpeers i
maxpendpeers i
mcp.addr s - 127.0.0.1 v3.4..
mcp.disable b - - v3.4..
mcp.port n - 8553 v3.4..
metrics b
metrics.addr s - 127.0.0.1
metrics.port i - 6060 ..v2.48
metrics.port i - 6061 v2.60..
mine b
miner.etherbase s - 0
miner.extradata s
miner.gaslimit u
miner.gasprice t
miner.noverify b
miner.notify s
miner.recommit d - 3s
miner.sigfile p
nat s
netrestrict s
networkid u - 1
no-downloader b
nodekey p
nodekeyhex s
nodiscover b
ots.search.max.pagesize u - 25
override.amsterdam t
override.osaka t
override.prague t
override.shanghaiTime t
p2p.allowed-ports S - 30303,30304,30305,30306,30307
p2p.protocol S
persist.receipts b experiment.persist.receipts.v2
persist.receipts.distance u
polygon.pos.ssf b
polygon.pos.ssf.block l
polygon.sync b
polygon.wit-protocol b
port i - 30303
pprof b
pprof.addr s - 127.0.0.1
pprof.cpuprofile s
pprof.port i - 6060
private.api.addr s - 127.0.0.1:9090
private.api.ratelimit i
proposer.disable b
prune s - - ..v2.60
prune.c.before u - - ..v2.60
prune.c.older u - - ..v2.60
prune.distance s - - v3.0..
prune.distance.blocks s - - v3.0..
prune.h.before u - - ..v2.60
prune.h.older u - - ..v2.60
prune.include-commitment-history b prune.experimental.include-commitment-history,experimental.commitment-history
prune.mode s - full v3.0..
prune.r.before u - - ..v2.60
prune.r.older u - - ..v2.60
prune.t.before u - - ..v2.60
prune.t.older u - - ..v2.60
pyroscope b
pyroscope.password s
pyroscope.server s - http://localhost:4040
pyroscope.tags S
pyroscope.username s
rpc.accessList p
rpc.allow-unprotected-txs b
rpc.batch.concurrency n - 2
rpc.batch.limit i - 100
rpc.blockrange.limit i - 0
rpc.evmtimeout d - 5m0s
rpc.gascap u - 50000000
rpc.gethcompat b
rpc.logs.maxresults i
rpc.max.concurrency i
rpc.maxgetproofrewindblockcount.limit i - 100000
rpc.overlay.getlogstimeout d - 5m0s
rpc.overlay.replayblocktimeout d - 10s
rpc.returndata.limit i - 100000
rpc.slow d - 0s
rpc.streaming.disable b
rpc.subscription.filters.maxaddresses i - 0
rpc.subscription.filters.maxheaders i - 0
rpc.subscription.filters.maxlogs i - 0
rpc.subscription.filters.maxtopics i - 0
rpc.subscription.filters.maxtxs i - 0
rpc.subscription.filters.timeout d - 5m0s
rpc.testing b
rpc.txfeecap f - 1
rpc.txsync.defaulttimeout d - 25s
rpc.txsync.maxtimeout d - 1m0s
sentinel.addr s - localhost
sentinel.bootnodes S
sentinel.port u - 7777
sentinel.staticpeers S
sentry.api.addr s
sentry.drop-useless-peers b
sentry.log-peer-info b
shutter b
shutter.p2p.bootstrap.nodes S
shutter.p2p.listen.port n
silkworm.contexts n
silkworm.exec b
silkworm.path s
silkworm.rpc b
silkworm.rpc.compatibility b - true
silkworm.rpc.log b
silkworm.rpc.log.maxfiles n
silkworm.rpc.log.maxsize n
silkworm.rpc.log.response b
silkworm.rpc.workers n
silkworm.sentry b
silkworm.verbosity s - info
snap.download.to.block u shadow.fork.block
snap.keepblocks b
snap.skip-state-snapshot-download b
snap.state.stop b
snap.stop b
snapshots b - true ..v2.60
socket.enabled b - - v3.7..
socket.url s - unix:///var/run/erigon.sock v3.7..
state.cache s - 0MB
state.stream.disable b
staticpeers s
sync.loop.block.limit n - 5000
sync.loop.break.after s
sync.loop.prune.limit n
sync.loop.throttle s
sync.parallel-state-flushing b - true
tls b
tls.cacert s
tls.cert s
tls.key p
torrent.conns.perfile i - 10
torrent.download.rate s
torrent.download.slots i
torrent.maxpeers i - 100
torrent.port i - 42069
torrent.staticpeers s
torrent.trackers.disable b
torrent.upload.rate s
torrent.verbosity i
torrent.webseed.download.rate s
trace s
trace.compat b
trace.maxtraces n - 200
trusted-setup-file s
trustedpeers s
txpool.accountqueue u - 64
txpool.accountslots u - 16
txpool.api.addr s
txpool.blobpricebump u - 100
txpool.blobslots u
txpool.commit.every d - 15s
txpool.disable b
txpool.globalbasefeeslots u - 30000
txpool.globalqueue u - 30000
txpool.globalslots u - 10000
txpool.gossip.disable b
txpool.lifetime d - 3h0m0s
txpool.locals s
txpool.nolocals b
txpool.pricebump u - 10
txpool.pricelimit u - 1
txpool.totalblobpoollimit u
txpool.trace.senders s
v5disc b - - ..v3.0
verbosity s - info
vmdebug b
vmodule s
vmtrace s
vmtrace.jsonconfig s
webseed s
ws b
ws.api.subscribelogs.channelsize i - 8192
ws.compression b - true
ws.max.connections i - 0
ws.port i - 8546 v2.60..
help b h
version b v
`;

/** rpcdaemon reads its words with pflag: of a list, each use adds its items. */
export const daemonFlags = `
datadir p
db.read.concurrency i
graphql b
grpc b
grpc.addr s - localhost
grpc.healthcheck b
grpc.port i - 8547
http.addr s - localhost
http.api S
http.compression b - true
http.corsdomain S
http.dbg.single b
http.enabled b - true
http.port i - 8545
http.timeouts.idle d - 2m0s
http.timeouts.read d - 30s
http.timeouts.write d - 30m0s
http.trace b
http.url s
http.vhosts S - localhost
https.addr s - localhost
https.cert s
https.enabled b
https.key s
https.port i - 0
https.url s
log.console.json b
log.console.verbosity s - info
log.delays b
log.dir.disable b
log.dir.json b
log.dir.path s
log.dir.prefix s
log.dir.verbosity s
log.json b
metrics b
metrics.addr s - 127.0.0.1
metrics.port i - 6061
ots.search.max.pagesize u - 25
polygon.sync b - true
pprof b
pprof.addr s - 127.0.0.1
pprof.cpuprofile s
pprof.port i - 6060
private.api.addr s - 127.0.0.1:9090
rpc.accessList p
rpc.allow-unprotected-txs b
rpc.batch.concurrency n - 2
rpc.batch.limit i - 100
rpc.blockrange.limit i - 0
rpc.evmtimeout d - 5m0s
rpc.gascap u - 50000000
rpc.max.concurrency i
rpc.maxgetproofrewindblockcount.limit i - 100000
rpc.overlay.getlogstimeout d - 5m0s
rpc.overlay.replayblocktimeout d - 10s
rpc.returndata.limit i - 100000
rpc.slow d - 0s
rpc.streaming.disable b
rpc.subscription.filters.maxaddresses i - 0
rpc.subscription.filters.maxheaders i - 0
rpc.subscription.filters.maxlogs i - 0
rpc.subscription.filters.maxtopics i - 0
rpc.subscription.filters.maxtxs i - 0
rpc.txfeecap f - 1
socket.enabled b
socket.url s - unix:///var/run/erigon.sock
state.cache s - 0MB
tls.cacert s
tls.cert s
tls.key p
trace s
trace.compat b
trace.maxtraces n - 200
txpool.api.addr s
verbosity s - info
vmtrace s
vmtrace.jsonconfig s
ws b
ws.api.subscribelogs.channelsize i - 8192
ws.compression b
help b h
`;
