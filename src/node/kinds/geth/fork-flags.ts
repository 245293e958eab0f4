/**
 * The flags in which the forks differ from the release of geth that they are based on, in the form of flag-table.ts, with
 * periods in their own tags: `name …` a flag of their own, `- name period` one of geth's that they lack. Read from the
 * releases that flavours.ts has without a guess; those of quorum and celo-blockchain, v2.0.0 to v21.4.2 and v1.1.0 to v1.8.9, are
 * without periods: forks.ts has their bases. --opBNBMainnet and --opBNBTestnet are those of bnb-chain’s fork of op-geth.
 */
export const forkFlags: Readonly<Record<string, string>> = {
  bsc: `
blob.extra-reserve u - 192000 v1.4.18..
block-amount-reserved u ..v1.4.18
bloomfilter.size u - 2048 v1.5.19..v1.5.19
blspassword s
blswallet p
cache.enablesharedpool b v1.5.19..v1.5.19
chapel b v1.3.13..
check-snapshot-with-mpt b
db.engine s v1.3.13..v1.3.13
diffblock u ..v1.4.18
diffsync b ..v1.2.15
directbroadcast b
disablediffprotocol b ..v1.2.15
disablesnapprotocol b
disablevoteattestation b
enable-bal b v1.7.8..
enablebal b v1.6.8..v1.6.8
enabletrustprotocol b ..v1.4.18
fake-beacon b v1.4.18..v1.6.8
fake-beacon.addr s v1.4.18..v1.6.8
fake-beacon.port i v1.4.18..v1.6.8
history.blocks u - 0 v1.5.19..
incr.block-interval u - 100000 v1.6.8..
incr.datadir p v1.6.8..
incr.enable b v1.6.8..
incr.kept-blocks u - 1024 v1.6.8..
incr.remote-url s v1.6.8..
incr.state-buffer u - 6442450944 v1.6.8..
incr.use-remote b v1.6.8..
instance i - 1 v1.4.18..
journalfile b v1.4.18..
maxpeersperip i - 0
miner.delayleftover d - 15ms
miner.txgaslimit u v1.6.8..
monitor.doublesign b
monitor.maliciousvote b
multidatabase b v1.4.18..v1.5.19
nocompaction b v1.5.19..v1.5.19
override.breatheblockinterval u - 86400 v1.4.18..
override.defaultextrareserve u - 192000 v1.4.18..
override.fermi u - 0 v1.5.19..
override.feynman u v1.3.13..v1.3.13
override.feynmanfix u v1.3.13..v1.3.13
override.fixedturnlength u - 0 v1.4.18..
override.immutabilitythreshold u - 600000 v1.4.18..
override.kepler u v1.3.13..v1.3.13
override.lorentz u - 0 v1.5.19..
override.maxwell u - 0 v1.5.19..
override.mendel u - 0 v1.6.8..
override.minforblobrequest u - 3494400 v1.4.18..
override.pascal u v1.4.18..v1.4.18
override.passedforktime u - 0 v1.4.18..
override.pasteur u - 0 v1.6.8..
override.prague u v1.4.18..v1.4.18
override.shanghai u v1.3.13..v1.3.13
pathdb.sync b v1.3.13..
peerfilter S v1.4.18..
persistdiff b ..v1.4.18
pipecommit b ..v1.3.13
pruneancient b
rangelimit b
rialtohash s v1.3.13..
tries-verify-mode s - local v1.5.19..
tries-verify-mode t ..v1.4.18
triesInMemory u - 128
txpool.overflowpoolslots u - 0 v1.4.18..
txpool.reannouncetime d - 87600h0m0s
vm.opcode.optimize b v1.6.8..
vote b
vote-journal-path p
- authrpc.addr v1.3.13..
- authrpc.jwtsecret v1.3.13..
- authrpc.port v1.3.13..
- authrpc.vhosts v1.3.13..
- beacon.api v1.5.19..
- beacon.api.header v1.5.19..
- beacon.checkpoint v1.5.19..
- beacon.checkpoint.file v1.5.19..
- beacon.config v1.5.19..
- beacon.genesis.gvroot v1.5.19..
- beacon.genesis.time v1.5.19..
- beacon.nofilter v1.5.19..
- beacon.threshold v1.5.19..
- cache.noprefetch
- catalyst ..v1.2.15
- dev v1.5.19..
- dev.gaslimit v1.5.19..
- dev.period v1.5.19..
- goerli ..v1.4.18
- history.chain v1.5.19..
- history.logs v1.5.19..v1.5.19
- history.logs.disable v1.5.19..v1.5.19
- history.logs.export v1.5.19..v1.5.19
- holesky v1.3.13..
- hoodi v1.5.19..
- miner.newpayload-timeout v1.3.13..v1.4.18
- miner.pending.feeRecipient v1.5.19..
- override.cancun v1.4.18..v1.4.18
- override.prague v1.5.19..v1.5.19
- rinkeby ..v1.2.15
- ropsten ..v1.2.15
- sepolia
- synctarget v1.4.18..
`,
  'op-geth': `
opBNBMainnet b
opBNBTestnet b
gpo.minsuggestedpriorityfee l - 1000000
miner.effectivegaslimit u - 0
op-network s beta.op-network
override.canyon u - 0
override.ecotone u - 0
override.fjord u - 0
override.granite u - 0
override.holocene u - 0
override.interop u - 0
override.isthmus u - 0
override.jovian u - 0
override.karst u - 0 v1.101609.2..
rollup.computependingblock b
rollup.halt s
rollup.historicalrpc s
rollup.historicalrpctimeout s - 5s
rollup.interopmempoolfiltering b
rollup.interoprpc s
rollup.sequencerhttp s
rollup.sequencertxconditionalcostratelimit i - 5000
rollup.sequencertxconditionalenabled b
rollup.superchain-upgrades b beta.rollup.superchain-upgrades
rollup.txpool.disable-gossip b rollup.disabletxpoolgossip
rollup.txpool.enable-admission b rollup.enabletxpooladmission
rollup.txpool.netrestrict s
rollup.txpool.trusted-peers-only b
txpool.journalremotes b
txpool.maxtxgas u - 0
`,
  quorum: `
allowedfutureblocktime u - 0
emitcheckpoints b
immutabilitythreshold i - 3162240
istanbul.blockpausetime u
istanbul.blockperiod u
istanbul.requesttimeout u
multitenancy b
ottoman b
permissioned b
plugins s
plugins.localverify b
plugins.publickey s
plugins.skipverify b
ptm.dialtimeout n
ptm.http.idletimeout n
ptm.http.readbuffersize i - 0
ptm.http.writebuffersize i - 0
ptm.socket p
ptm.timeout n
ptm.tls.clientcert p
ptm.tls.clientkey p
ptm.tls.insecureskipverify b
ptm.tls.mode s
ptm.tls.rootca p
ptm.url s
raft b
raftblocktime i - 50
raftdnsenable b
raftjoinexisting i - 0
raftport i - 50400
vm.calltimeout i - 5
`,
  'celo-blockchain': `
alfajores b
announce.aggressivequeryenodegossiponenablement b
announce.queryenodegossipperiod u
baklava b
blsbase s - 0
celo.feecurrency.default f - 0.5
celo.feecurrency.limits s
celostats s
consoleformat s
consoleoutput s
disable-version-check b
disablerpcethcompatibility b
http.timeout.idle i
http.timeout.read i
http.timeout.write i
istanbul.blockperiod u
istanbul.lookbackwindow u
istanbul.proposerpolicy u
istanbul.replica b
istanbul.requesttimeout u
l2migrationblock u
light.gatewayfee t
metrics.loadtestcsvfile s
miner.validator s - 0
override.churrito u
override.donut u
override.eHardfork u
override.espresso u
override.gingerbread u
override.gingerbreadp2 u
override.hfork u
override.v2istanbul u
ping-ip-from-packet b
proxy.allowprivateip b
proxy.internalendpoint s - :30503
proxy.proxied b
proxy.proxiedvalidatoraddress s
proxy.proxy b
proxy.proxyenodeurlpair s
proxy.proxyenodeurlpairs s
rpc.gasinflationrate f - 1.3
rpc.gaspricemultiplier f
tx-fee-recipient s - 0
use-in-memory-discovery-table b
wsaddr s - 127.0.0.1
wsapi s
wsorigins s
wsport i - 8546
`,
};
