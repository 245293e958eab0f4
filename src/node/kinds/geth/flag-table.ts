/**
 * Every flag of geth, from cmd/geth, cmd/utils and internal/debug of the releases. A flag whose type or default changed has a
 * row for each:
 *
 *     name type aliases default period
 *
 * type: b bool, s string, i int, l int64, n uint, u uint64, f float, d duration, p path, S list, t text.
 * period: `first..last` release with this row; nothing when every release has it, and no end where that is open.
 * `-` in the other places: none, or a default that the sources compute. Both are omitted at the end of a row. An address is
 * the one that the program binds, where its help says localhost.
 * tools/geth-releases.js prints the rows from checkouts.
 */
export const flagTable = `
allow-insecure-unlock b v1.9.0..v1.17.3
authrpc.addr s - localhost v1.10.17..
authrpc.jwtsecret s v1.10.17..v1.10.26
authrpc.jwtsecret p v1.11.0..
authrpc.port i - 8551 v1.10.17..
authrpc.vhosts s - localhost v1.10.17..
autodag b ..v1.5.9
backtrace s ..v1.10.1
beacon.api S v1.14.0..
beacon.api.header S v1.14.0..
beacon.checkpoint s v1.14.0..
beacon.checkpoint.file s v1.15.8..
beacon.config s v1.14.0..
beacon.genesis.gvroot s v1.14.0..
beacon.genesis.time u - 0 v1.14.0..
beacon.nofilter b v1.14.0..
beacon.threshold i - 342 v1.14.0..
bintrie.groupdepth i - 5 v1.17.3..
blobpool.datacap u - 10737418240 v1.12.1..v1.13.13
blobpool.datacap u - 2684354560 v1.13.14..
blobpool.datadir s - blobpool v1.12.1..
blobpool.fetchprobability u - 15 v1.17.5..
blobpool.pricebump u - 10 v1.12.1..
blockprofilerate i ..v1.9.25
bloomfilter.size u - 2048 v1.10.0..v1.15.8
bootnodes s ..v1.5.5
bootnodes S v1.5.6..v1.5.6
bootnodes s v1.5.7..
bootnodesv4 s v1.6.2..v1.9.25
bootnodesv5 s v1.6.2..v1.9.25
cache i - 128 ..v1.7.3
cache i - 1024 v1.8.0..v1.17.1
cache i - 4096 v1.17.2..
cache.blocklogs i - 32 v1.10.22..
cache.database i - 75 v1.8.0..v1.8.18
cache.database i - 50 v1.8.19..
cache.gc i - 25 v1.8.0..
cache.noprecompile b v1.17.6..
cache.noprefetch b v1.9.0..
cache.preimages b v1.9.25..
cache.snapshot i - 10 v1.9.13..
cache.trie i - 25 v1.8.19..v1.9.12
cache.trie i - 15 v1.9.13..
cache.trie.journal s - triecache v1.9.19..v1.12.0
cache.trie.journal s v1.12.1..v1.17.3
cache.trie.rejournal d - 60m0s v1.9.19..v1.12.0
cache.trie.rejournal d v1.12.1..v1.17.3
calaveras b v1.10.4..v1.10.7
catalyst b v1.10.3..v1.10.15
collectwitness b v1.14.6..v1.14.9
config s v1.6.0..
cpuprofile s ..v1.9.25
crypto.kzg s - gokzg v1.12.0..
dashboard b v1.7.3..v1.9.7
dashboard.addr s - localhost v1.7.3..v1.9.7
dashboard.assets s v1.7.3..v1.8.2
dashboard.host i - 8080 v1.7.3..v1.9.7
dashboard.refresh d - 3s v1.7.3..v1.7.3
dashboard.refresh d - 5s v1.8.0..v1.9.7
datadir p
datadir.ancient p v1.9.0..
datadir.era p v1.16.0..
datadir.minfreedisk p v1.10.0..v1.16.9
datadir.minfreedisk i - 0 v1.17.0..
db.engine s v1.13.4..
debug b v1.6.0..v1.10.1
debug.logslowblock d - -1ns v1.17.0..
dev b
dev.gaslimit u - 11500000 v1.10.13..
dev.period i v1.7.3..v1.12.0
dev.period u - 0 v1.12.1..
discovery.dns s v1.9.11..
discovery.port i - 30303 v1.10.20..
discovery.v4 b discv4 v1.12.1..
discovery.v5 b discv5 v1.12.1..
engine.maxreorgdepth u - 32 v1.17.5..
eth.requiredblocks s v1.10.17..
ethash.cachedir p v1.6.0..v1.11.6
ethash.cachesinmem i - 2 v1.6.0..v1.11.6
ethash.cacheslockmmap b v1.9.13..v1.11.6
ethash.cachesondisk i - 3 v1.6.0..v1.11.6
ethash.dagdir p v1.6.0..v1.11.6
ethash.dagsinmem i - 1 v1.6.0..v1.11.6
ethash.dagslockmmap b v1.9.13..v1.11.6
ethash.dagsondisk i - 2 v1.6.0..v1.11.6
etherbase s - 0 ..v1.9.25
ethstats s v1.5.4..
exec s
exitwhensynced b v1.9.0..
extradata s ..v1.9.25
fakepow b ..v1.11.6
fast b ..v1.8.13
fdlimit i - 0 v1.10.17..
forcejit b ..v1.5.9
gasprice s ..v1.5.9
gasprice t v1.6.0..v1.9.25
gcmode s - full v1.8.0..
go-execution-trace s v1.15.0..
goerli b v1.8.23..v1.14.8
gogc i - 50 v1.17.5..
gpo.blocks i - 20 v1.9.14..
gpo.ignoreprice l - 2 v1.10.4..
gpo.maxprice l - 500000000000 v1.9.22..
gpo.percentile i - 60 v1.9.14..
gpobasecf i - 110 ..v1.5.9
gpobasedown i - 10 ..v1.5.9
gpobaseup i - 100 ..v1.5.9
gpoblocks i - 10 v1.6.0..v1.7.3
gpoblocks i - 20 v1.8.0..v1.9.25
gpofull i - 80 ..v1.5.9
gpomax s ..v1.5.9
gpomin s ..v1.5.9
gpopercentile i - 50 v1.6.0..v1.7.3
gpopercentile i - 60 v1.8.0..v1.9.25
graphql b v1.9.0..
graphql.addr s - 127.0.0.1 v1.9.0..v1.9.18
graphql.corsdomain s v1.9.0..
graphql.port i - 8547 v1.9.0..v1.9.18
graphql.vhosts s - localhost v1.9.0..
header S H v1.11.0..
history.chain s - all v1.15.6..
history.logs u - 2350000 v1.15.6..
history.logs.disable b v1.15.6..
history.logs.export s v1.15.6..
history.state u - 90000 v1.13.0..
history.transactions u - 2350000 v1.13.0..
history.trienode l - -1 v1.17.0..
history.trienode.full-value-checkpoint n - 8 v1.17.0..
holesky b v1.13.0..v1.17.5
hoodi b v1.15.6..
http b v1.9.14..
http.addr s - 127.0.0.1 v1.9.14..
http.api s v1.9.14..
http.corsdomain s v1.9.14..
http.port i - 8545 v1.9.14..
http.rpcprefix s v1.10.0..
http.vhosts s - localhost v1.9.14..
identity s
ignore-legacy-receipts b v1.10.19..v1.10.26
ipcapi s ..v1.5.9
ipcdisable b
ipcpath p
jitcache i - 64 ..v1.5.9
jitvm b ..v1.5.9
jspath s - . ..v1.10.3
jspath p - . v1.10.4..
keystore p
kiln b v1.10.17..v1.10.26
light b ..v1.8.13
light.egress i v1.9.0..v1.15.11
light.ingress i v1.9.0..v1.15.11
light.maxpeers i - 100 v1.9.0..v1.14.8
light.maxpeers i v1.14.9..v1.15.11
light.nopruning b v1.9.17..v1.15.11
light.nosyncserve b v1.10.0..v1.15.11
light.serve i v1.9.0..v1.15.11
lightkdf b
lightpeers i - 20 ..v1.7.3
lightpeers i - 100 v1.8.0..v1.9.25
lightserv i - 0 ..v1.8.27
lightserv i v1.9.0..v1.9.25
log.backtrace s v1.10.2..v1.17.3
log.compress b v1.11.6..
log.debug b v1.10.2..v1.17.3
log.file s v1.11.0..
log.format s v1.11.6..
log.json b v1.10.0..
log.maxage i - 30 v1.11.6..
log.maxbackups i - 10 v1.11.6..
log.maxsize i - 100 v1.11.6..
log.rotate b v1.11.6..
log.vmodule s v1.11.6..
mainnet b v1.10.0..
maxpeers i - 25 ..v1.8.27
maxpeers i - 50 v1.9.0..
maxpendpeers i - 0
memorylimit i - 0 v1.17.5..
memprofilerate i ..v1.9.25
metrics b
metrics.addr s - 127.0.0.1 v1.9.16..
metrics.expensive b v1.9.0..v1.17.3
metrics.influxdb b v1.8.12..
metrics.influxdb.bucket s - geth v1.10.8..
metrics.influxdb.database s - geth v1.8.12..
metrics.influxdb.endpoint s - http://localhost:8086 v1.8.12..
metrics.influxdb.host.tag s - localhost v1.8.12..v1.8.22
metrics.influxdb.interval d - 10s v1.17.1..
metrics.influxdb.organization s - geth v1.10.8..
metrics.influxdb.password s - test v1.8.12..
metrics.influxdb.tags s - host=localhost v1.8.23..
metrics.influxdb.token s - test v1.10.8..
metrics.influxdb.username s - test v1.8.12..
metrics.influxdbv2 b v1.10.8..
metrics.port i - 6060 v1.9.16..
mine b ..v1.17.3
miner.etherbase s - 0 v1.8.14..v1.10.26
miner.etherbase s v1.11.0..v1.17.3
miner.extradata s v1.8.14..
miner.gaslimit u - 8000000 v1.8.15..v1.10.17
miner.gaslimit u - 30000000 v1.10.18..v1.15.9
miner.gaslimit u - 36000000 v1.15.10..v1.15.11
miner.gaslimit u - 45000000 v1.16.0..v1.16.3
miner.gaslimit u - 60000000 v1.16.4..
miner.gasprice t - 1000000 v1.8.14..
miner.gastarget u v1.8.14..v1.8.14
miner.gastarget u - 8000000 v1.8.15..v1.10.6
miner.gastarget u v1.10.7..v1.10.26
miner.maxblobs i - 0 v1.17.0..
miner.newpayload-timeout d - 2s v1.11.0..v1.17.3
miner.notify s v1.8.14..v1.11.6
miner.notify.full b v1.10.2..v1.11.6
miner.noverify b v1.8.15..v1.11.6
miner.pending.feeRecipient s v1.14.0..
miner.recommit d - 3s v1.8.14..v1.10.26
miner.recommit d - 2s v1.11.0..
miner.threads i - 0 v1.8.14..v1.11.6
minerthreads i ..v1.8.13
minerthreads i - 0 v1.8.14..v1.9.25
nat s - any
natspec b ..v1.5.7
netrestrict s v1.5.4..
networkid i ..v1.5.9
networkid i - 1 v1.6.0..v1.6.0
networkid u - 1 v1.6.1..v1.13.4
networkid u - 0 v1.13.5..
nocompaction b v1.6.0..v1.15.6
nodekey s
nodekeyhex s
nodiscover b
nousb b v1.6.1..v1.17.3
olympic b ..v1.5.6
oppose-dao-fork b ..v1.5.4
override.amsterdam u - 0 v1.17.5..
override.arrowglacier u v1.10.12..v1.10.18
override.berlin u v1.10.0..v1.10.3
override.bpo1 u - 0 v1.16.4..
override.bpo2 u - 0 v1.16.4..
override.cancun u v1.12.0..v1.15.5
override.constantinople u v1.8.20..v1.8.27
override.genesis s v1.16.6..
override.grayglacier u v1.10.19..v1.10.21
override.istanbul u v1.9.3..v1.9.13
override.london u v1.10.4..v1.10.11
override.muirglacier u v1.9.9..v1.9.13
override.osaka u - 0 v1.16.1..
override.prague u v1.15.6..v1.16.0
override.shanghai u v1.11.0..v1.11.6
override.terminaltotaldifficulty u v1.10.14..v1.10.17
override.terminaltotaldifficulty t v1.10.18..v1.10.26
override.terminaltotaldifficultypassed b v1.10.22..v1.10.26
override.ubt u - 0 v1.17.3..
override.verkle u v1.12.1..v1.17.2
password s ..v1.10.19
password p v1.10.20..
pcscdpath s v1.9.0..
port i - 30303
pprof b
pprof.addr s - 127.0.0.1 v1.9.14..
pprof.blockprofilerate i - 0 v1.9.14..
pprof.cpuprofile s v1.9.14..
pprof.memprofilerate i - 524288 v1.9.14..
pprof.port i - 6060 v1.9.14..
pprofaddr s - 127.0.0.1 ..v1.9.25
pprofport i - 6060 ..v1.9.25
preload s
pyroscope b v1.17.0..
pyroscope.password s v1.17.0..
pyroscope.server s - http://localhost:4040 v1.17.0..
pyroscope.tags s v1.17.0..
pyroscope.username s v1.17.0..
remotedb s v1.10.18..
rinkeby b v1.6.1..v1.12.0
ropsten b v1.9.13..v1.10.26
rpc b ..v1.10.8
rpc.allow-unprotected-txs b v1.10.0..
rpc.batch-request-limit i - 1000 v1.12.1..
rpc.batch-response-max-size i - 25000000 v1.12.1..
rpc.enabledeprecatedpersonal b v1.11.0..v1.17.3
rpc.evmtimeout d - 5s v1.10.10..
rpc.gascap u v1.8.24..v1.9.15
rpc.gascap u - 25000000 v1.9.16..v1.10.3
rpc.gascap u - 50000000 v1.10.4..
rpc.http-body-limit i - 5 v1.17.5..
rpc.logquerylimit i - 1000 v1.16.4..
rpc.rangelimit u - 0 v1.17.0..
rpc.telemetry b v1.17.0..
rpc.telemetry.endpoint s v1.17.0..
rpc.telemetry.instance-id s v1.17.0..
rpc.telemetry.password s v1.17.0..
rpc.telemetry.sample-ratio f - 1.0 v1.17.0..
rpc.telemetry.tags s v1.17.0..
rpc.telemetry.username s v1.17.0..
rpc.txfeecap f - 1 v1.9.16..
rpc.txsync.defaulttimeout d - 20s v1.16.6..
rpc.txsync.maxtimeout d - 1m0s v1.16.6..
rpcaddr s - 127.0.0.1 ..v1.10.8
rpcapi s ..v1.10.8
rpccorsdomain s ..v1.8.23
rpccorsdomain s v1.8.25..v1.10.8
rpcport i - 8545 ..v1.10.8
rpcvhosts s - localhost v1.8.0..v1.8.23
rpcvhosts s - localhost v1.8.25..v1.10.8
sepolia b v1.10.12..
shh b ..v1.9.25
shh.maxmessagesize i v1.6.7..v1.9.20
shh.maxmessagesize i - 1048576 v1.9.21..v1.9.25
shh.pow f v1.6.7..v1.9.20
shh.pow f - 0.2 v1.9.21..v1.9.25
shh.restrict-light b v1.8.16..v1.9.25
signer s v1.9.0..
snap.v2 b v1.17.4..
snapshot b v1.9.13..
solc s - solc ..v1.5.9
state.scheme s v1.13.0..
state.size-tracking b v1.16.4..
stateless-self-validation b v1.16.4..
support-dao-fork b ..v1.5.4
syncmode t v1.6.0..v1.14.11
syncmode s - snap v1.14.12..
synctarget p v1.11.0..v1.13.2
synctarget s v1.13.3..
targetgaslimit s ..v1.5.9
targetgaslimit u v1.6.0..v1.8.14
targetgaslimit u - 8000000 v1.8.15..v1.9.25
testnet b ..v1.9.25
trace s ..v1.14.13
trie-cache-gens i ..v1.8.27
txlookuplimit l - 0 v1.9.14..v1.9.25
txlookuplimit u - 2350000 v1.10.0..v1.17.3
txpool.accountqueue u - 64 v1.6.2..
txpool.accountslots u - 16 v1.6.2..
txpool.globalqueue u - 1024 v1.6.2..
txpool.globalslots u - 4096 v1.6.2..v1.10.3
txpool.globalslots u - 5120 v1.10.4..
txpool.journal s - transactions.rlp v1.7.0..
txpool.lifetime d - 3h0m0s v1.6.2..
txpool.locals s v1.8.14..
txpool.nolocals b v1.6.7..
txpool.pricebump u - 10 v1.6.2..
txpool.pricelimit u - 1 v1.6.2..
txpool.rejournal d - 1h0m0s v1.7.0..
ulc.fraction i - 75 v1.9.0..v1.12.0
ulc.onlyannounce b v1.9.0..v1.12.0
ulc.servers s v1.9.0..v1.12.0
unlock s ..v1.17.3
usb b v1.10.0..
v5disc b ..v1.17.3
verbosity s ..v1.5.9
verbosity i - 3 v1.6.0..
vm.evm s v1.8.16..v1.10.4
vm.ewasm s v1.8.16..v1.10.4
vmdebug b v1.5.8..
vmodule s
vmtrace s v1.14.0..
vmtrace.jsonconfig s v1.14.0..v1.14.11
vmtrace.jsonconfig s - {} v1.14.12..
vmwitnessstats b v1.16.4..
whitelist s v1.8.20..v1.17.3
ws b
ws.addr s - 127.0.0.1 v1.9.14..
ws.api s v1.9.14..
ws.origins s v1.9.14..
ws.port i - 8546 v1.9.14..
ws.rpcprefix s v1.10.0..
wsaddr s - 127.0.0.1 ..v1.9.25
wsapi s ..v1.9.25
wsorigins s ..v1.9.25
wsport i - 8546 ..v1.9.25
yolov1 b v1.9.15..v1.9.23
yolov2 b v1.9.24..v1.9.25
yolov3 b v1.10.0..v1.10.3
help b h
version b v
`;
