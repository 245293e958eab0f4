/**
 * Every flag of the programs, from cmd/utils/flags.go, cmd/geth and internal/debug/flags.go of the releases:
 *
 *     name type flavours aliases default period
 *
 * type: b bool, s string, i int, l int64, n uint, u uint64, f float, d duration, p path, S list, t text.
 * flavours: g geth, b bsc, o op-geth; a all of them.
 * period: `first..last` release of geth with this row; nothing when every release has it, and no end where that is open.
 * A period says nothing of the flavours, of which one release is known.
 * `-` in the other places: none, or a default that the sources compute. Both are omitted at the end of a row.
 */
export const flagTable = `
keystore p a
lightkdf b a
password t a
pcscdpath s a
signer s a
usb b a
authrpc.addr s go - localhost v1.10.17..
authrpc.jwtsecret p go - - v1.10.17..
authrpc.port i go - 8551 v1.10.17..
authrpc.vhosts s go - localhost v1.10.17..
engine.maxreorgdepth u g - 32 v1.17.5..
exec s a
graphql b a
graphql.corsdomain s a
graphql.vhosts s a - localhost
header S a H - v1.11.0..
http b a
http.addr s a - 127.0.0.1
http.api s a
http.corsdomain s a
http.port i a - 8545
http.rpcprefix s a
http.vhosts s a - localhost
ipcdisable b a
ipcpath p a
jspath p a - .
preload s a
rpc.allow-unprotected-txs b a
rpc.batch-request-limit i a - 1000 v1.12.1..
rpc.batch-response-max-size i a - 25000000 v1.12.1..
rpc.evmtimeout d a - 5s v1.10.10..
rpc.gascap u a - 50000000
rpc.http-body-limit i g - 5 v1.17.5..
rpc.logquerylimit i a - 1000 v1.16.4..
rpc.rangelimit u go - 0 v1.17.0..
rpc.telemetry b go - - v1.17.0..
rpc.telemetry.endpoint s go - - v1.17.0..
rpc.telemetry.instance-id s go - - v1.17.0..
rpc.telemetry.password s go - - v1.17.0..
rpc.telemetry.sample-ratio f go - 1 v1.17.0..
rpc.telemetry.tags s go - - v1.17.0..
rpc.telemetry.username s go - - v1.17.0..
rpc.txfeecap f a - 1
rpc.txsync.defaulttimeout d a - 20s v1.16.6..
rpc.txsync.maxtimeout d a - 1m0s v1.16.6..
ws b a
ws.addr s a - 127.0.0.1
ws.api s a
ws.origins s a
ws.port i a - 8546
ws.rpcprefix s a
beacon.api S go - - v1.14.0..
beacon.api.header S go - - v1.14.0..
beacon.checkpoint s go - - v1.14.0..
beacon.checkpoint.file s go - - v1.15.8..
beacon.config s go - - v1.14.0..
beacon.genesis.gvroot s go - - v1.14.0..
beacon.genesis.time u go - 0 v1.14.0..
beacon.nofilter b go - - v1.14.0..
beacon.threshold i go - 342 v1.14.0..
dev b go
dev.gaslimit u go - 11500000 v1.10.13..
dev.period u go - 0
config s a
datadir p a
datadir.ancient p a
datadir.era p a - - v1.16.0..
datadir.minfreedisk i a - 0
db.engine s a - - v1.11.0..
eth.requiredblocks s a - - v1.10.17..
exitwhensynced b a
hoodi b go - - v1.15.6..
mainnet b a
networkid u a - 0
override.amsterdam u g - 0 v1.17.5..
override.bpo1 u a - 0 v1.16.4..
override.bpo2 u a - 0 v1.16.4..
override.genesis s a - - v1.16.6..
override.osaka u a - 0 v1.16.1..
override.ubt u g - 0 v1.17.3..
sepolia b go - - v1.10.12..
snapshot b a
gpo.blocks i a - 20
gpo.ignoreprice l a - 2 v1.10.4..
gpo.maxprice l a - 500000000000
gpo.percentile i a - 60
debug.logslowblock d go - -1ns v1.17.0..
go-execution-trace s a - - v1.15.0..
log.compress b a - - v1.11.6..
log.file s a - - v1.11.0..
log.format s a - - v1.11.6..
log.maxage i a - 30 v1.11.6..
log.maxbackups i a - 10 v1.11.6..
log.maxsize i a - 100 v1.11.6..
log.rotate b a - - v1.11.6..
log.vmodule s a - - v1.11.6..
pprof b a
pprof.addr s a - 127.0.0.1
pprof.blockprofilerate i a - 0
pprof.cpuprofile s a
pprof.memprofilerate i a - 524288
pprof.port i a - 6060
pyroscope b go
pyroscope.password s go
pyroscope.server s go - http://localhost:4040
pyroscope.tags s go
pyroscope.username s go
remotedb s a - - v1.10.18..
verbosity i a - 3
ethstats s a
metrics b a
metrics.addr s a - 127.0.0.1
metrics.influxdb b a
metrics.influxdb.bucket s a - geth v1.10.8..
metrics.influxdb.database s a - geth
metrics.influxdb.endpoint s a - http://localhost:8086
metrics.influxdb.interval d go - 10s v1.17.1..
metrics.influxdb.organization s a - geth v1.10.8..
metrics.influxdb.password s a - test
metrics.influxdb.tags s a - host=localhost
metrics.influxdb.token s a - test v1.10.8..
metrics.influxdb.username s a - test
metrics.influxdbv2 b a - - v1.10.8..
metrics.port i a - 6060
miner.extradata s a
miner.gaslimit u a - 60000000
miner.gasprice t a - 1000000
miner.maxblobs i go - 0 v1.17.0..
miner.pending.feeRecipient s go - - v1.14.0..
miner.recommit d a - 2s
help b a h -
synctarget s go - - v1.11.0..
version b a v -
bootnodes s a
discovery.dns s a
discovery.port i a - 30303 v1.10.20..
discovery.v4 b a discv4 - v1.12.1..
discovery.v5 b a discv5 - v1.12.1..
identity s a
maxpeers i a - 50
maxpendpeers i a - 0
nat s a - any
netrestrict s a
nodekey s a
nodekeyhex s a
nodiscover b a
port i a - 30303
cache i a - 4096
cache.blocklogs i a - 32 v1.10.22..
cache.database i a - 50
cache.gc i a - 25
cache.noprecompile b g
cache.noprefetch b go
cache.preimages b a
cache.snapshot i a - 10
cache.trie i a - 15
crypto.kzg s a - gokzg v1.12.0..
fdlimit i a - 0 v1.10.17..
gogc i g - 50 v1.17.5..
memorylimit i g - 0 v1.17.5..
bintrie.groupdepth i g - 5 v1.17.3..
gcmode s a - full
history.chain s go - all v1.15.6..
history.logs u a - 2350000 v1.15.6..
history.logs.disable b a - - v1.15.6..
history.logs.export s a - - v1.15.6..
history.state u a - 90000 v1.13.0..
history.transactions u a - 2350000 v1.13.0..
history.trienode l go - -1 v1.17.0..
history.trienode.full-value-checkpoint n go - 8 v1.17.0..
snap.v2 b g - - v1.17.4..
state.scheme s a - - v1.13.0..
syncmode s a - snap
blobpool.datacap u a - 2684354560 v1.12.1..
blobpool.datadir s a - blobpool v1.12.1..
blobpool.fetchprobability u g - 15 v1.17.5..
blobpool.pricebump u a - 100 v1.12.1..
txpool.accountqueue u a - 64
txpool.accountslots u a - 16
txpool.globalqueue u a - 1024
txpool.globalslots u a - 5120
txpool.journal s a - transactions.rlp
txpool.lifetime d a - 3h0m0s
txpool.locals s a
txpool.nolocals b a
txpool.pricebump u a - 10
txpool.pricelimit u a - 1
txpool.rejournal d a - 1h0m0s
stateless-self-validation b a - - v1.16.4..
vmdebug b a
vmtrace s a - - v1.14.0..
vmtrace.jsonconfig s a - {} v1.14.0..
vmwitnessstats b a - - v1.16.4..
allow-insecure-unlock b b
allow-insecure-unlock b g - - ..v1.17.3
blspassword s b
blswallet s b
unlock s b
unlock s g - - ..v1.17.3
rangelimit b b
history.blocks i b - 0
chapel b b
directbroadcast b b
disablesnapprotocol b b
instance i b - 1
override.breatheblockinterval i b - 86400
override.defaultextrareserve i b - 192000
override.fermi i b - 0
override.fixedturnlength i b - 0
override.immutabilitythreshold i b - 600000
override.lorentz i b - 0
override.maxwell i b - 0
override.mendel i b - 0
override.minforblobrequest i b - 3494400
override.passedforktime i b - 0
override.pasteur i b - 0
override.verkle i bo - 0
override.verkle i g - 0 v1.12.1..v1.17.2
rialtohash s b
disablevoteattestation b b
monitor.maliciousvote b b
vote b b
vote-journal-path s b
check-snapshot-with-mpt b b
tries-verify-mode s b - local
mine b b
mine b g - - ..v1.17.3
miner.delayleftover d b - 15ms
miner.etherbase s b
miner.etherbase s g - - ..v1.17.3
monitor.doublesign b b
blob.extra-reserve i b - 192000
maxpeersperip i b - 0
peerfilter s b
triesInMemory i b - 128
incr.block-interval i b - 100000
incr.datadir s b
incr.enable b b
incr.kept-blocks i b - 1024
incr.remote-url s b
incr.state-buffer i b - 6442450944
incr.use-remote b b
pathdb.sync b b
state.size-tracking b bo
txpool.reannouncetime d b - 87600h0m0s
vm.opcode.optimize b b
holesky b o
op-network s o beta.op-network -
override.canyon i o - 0
override.ecotone i o - 0
override.fjord i o - 0
override.granite i o - 0
override.holocene i o - 0
override.interop i o - 0
override.isthmus i o - 0
override.jovian i o - 0
override.karst i o - 0
gpo.minsuggestedpriorityfee i o - 1000000
miner.effectivegaslimit i o - 0
rollup.computependingblock b o
rollup.halt s o
rollup.historicalrpc s o
rollup.historicalrpctimeout s o - 5s
rollup.interopmempoolfiltering b o
rollup.interoprpc s o
rollup.sequencerhttp s o
rollup.sequencertxconditionalcostratelimit i o - 5000
rollup.sequencertxconditionalenabled b o
rollup.superchain-upgrades b o beta.rollup.superchain-upgrades -
rollup.txpool.disable-gossip b o rollup.disabletxpoolgossip -
rollup.txpool.enable-admission b o rollup.enabletxpooladmission -
rollup.txpool.netrestrict s o
rollup.txpool.trusted-peers-only b o
txpool.journalremotes b o
txpool.maxtxgas i o - 0
check.url s g - - ..v1.16.9
check.version s g - - ..v1.16.9
nousb b g - - ..v1.17.3
goerli b g - - ..v1.14.8
rinkeby b g - - ..v1.12.0
ropsten b g - - ..v1.10.26
docroot p g - - ..v1.14.11
txlookuplimit u g - - ..v1.17.3
whitelist s g - - ..v1.17.3
light.serve i g - - ..v1.15.11
light.ingress i g - - ..v1.15.11
light.egress i g - - ..v1.15.11
light.maxpeers i g - - ..v1.15.11
ulc.servers s g - - ..v1.12.0
ulc.fraction i g - - ..v1.12.0
ulc.onlyannounce b g - - ..v1.12.0
light.nopruning b g - - ..v1.15.11
light.nosyncserve b g - - ..v1.15.11
ethash.cachedir p g - - ..v1.11.6
ethash.cachesinmem i g - - ..v1.11.6
ethash.cachesondisk i g - - ..v1.11.6
ethash.cacheslockmmap b g - - ..v1.11.6
ethash.dagdir p g - - ..v1.11.6
ethash.dagsinmem i g - - ..v1.11.6
ethash.dagsondisk i g - - ..v1.11.6
ethash.dagslockmmap b g - - ..v1.11.6
cache.trie.journal s g - - ..v1.17.3
cache.trie.rejournal d g - - ..v1.17.3
miner.threads i g - - ..v1.11.6
miner.notify s g - - ..v1.11.6
miner.gastarget u g - - ..v1.10.26
miner.noverify b g - - ..v1.11.6
fakepow b g - - ..v1.11.6
v5disc b g - - ..v1.17.3
metrics.expensive b g - - ..v1.17.3
rpc b g - - ..v1.10.8
rpcaddr s g - - ..v1.10.8
rpcport i g - - ..v1.10.8
rpccorsdomain s g - - ..v1.10.8
rpcvhosts s g - - ..v1.10.8
rpcapi s g - - ..v1.10.8
trace s g - - ..v1.14.13
miner.notify.full b g - - v1.10.2..v1.11.6
log.backtrace s g - - v1.10.2..v1.17.3
log.debug b g - - v1.10.2..v1.17.3
catalyst b g - - v1.10.3..v1.10.15
override.london u g - - v1.10.4..v1.10.11
override.arrowglacier u g - - v1.10.12..v1.10.18
override.terminaltotaldifficulty t g - - v1.10.14..v1.10.26
kiln b g - - v1.10.17..v1.10.26
override.grayglacier u g - - v1.10.19..v1.10.21
ignore-legacy-receipts b g - - v1.10.19..v1.10.26
override.terminaltotaldifficultypassed b g - - v1.10.22..v1.10.26
override.shanghai u g - - v1.11.0..v1.11.6
miner.newpayload-timeout d g - - v1.11.0..v1.17.3
rpc.enabledeprecatedpersonal b g - - v1.11.0..v1.17.3
override.cancun u g - - v1.12.0..v1.15.5
collectwitness b g - - v1.14.6..v1.14.9
override.prague u g - - v1.15.6..v1.16.0
allow-insecure-unlock b o
unlock s o
mine b o
miner.etherbase s o
nousb b bo
txlookuplimit u bo
whitelist s bo
cache.trie.journal s bo
cache.trie.rejournal d bo
v5disc b bo
metrics.expensive b bo
log.backtrace s bo
log.debug b bo
miner.newpayload-timeout d bo
rpc.enabledeprecatedpersonal b bo
vmodule s a
log.json b a
holesky b g - - v1.12.1..
`;
