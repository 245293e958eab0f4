/**
 * The keys of the TOML file by section: names of Go fields, whose case counts (eth/gen_config.go, eth/ethconfig, node/config.go,
 * p2p, miner, core/txpool, metrics/config.go and cmd/geth/config.go of the releases). `key flag period`; `- period keys` for
 * keys that no flag sets; a period without an end has a blank there. Retired keys that a release only warns of are among them.
 * `node tools/geth-releases.js <checkout> keys` prints the keys and their periods.
 */
export const configKeys = `
- .. Eth Node Ethstats
- v1.6.7..v1.9.20 Shh
- v1.9.22..v1.9.25 Shh
- v1.7.3..v1.9.7 Dashboard
- v1.10.0.. Metrics
Eth
  NetworkId networkid
  SyncMode syncmode
  RPCGasCap rpc.gascap v1.9.0..
  RPCTxFeeCap rpc.txfeecap v1.9.16..
  RPCEVMTimeout rpc.evmtimeout v1.10.10..
  LogQueryLimit rpc.logquerylimit v1.16.4..
  TxSyncDefaultTimeout rpc.txsync.defaulttimeout v1.16.6..
  TxSyncMaxTimeout rpc.txsync.maxtimeout v1.16.6..
  RangeLimit rpc.rangelimit v1.17.0..
  - .. Genesis LightServ LightPeers DatabaseCache GPO EnablePreimageRecording
  - ..v1.8.27 Etherbase
  - ..v1.8.14 MinerThreads
  - ..v1.8.13 ExtraData GasPrice
  - ..v1.7.3 EthashCacheDir EthashCachesInMem EthashCachesOnDisk
  - ..v1.7.3 EthashDatasetDir EthashDatasetsInMem EthashDatasetsOnDisk
  - v1.6.2.. TxPool
  - v1.8.0..v1.11.6 Ethash
  - v1.8.14.. NoPruning TrieTimeout
  - v1.8.14..v1.8.18 TrieCache
  - v1.8.14..v1.8.27 MinerNotify MinerExtraData MinerGasPrice MinerRecommit
  - v1.8.15..v1.8.27 MinerGasFloor MinerGasCeil MinerNoverify
  - v1.8.19.. TrieCleanCache TrieDirtyCache EWASMInterpreter EVMInterpreter
  - v1.9.0.. NoPrefetch LightIngress LightEgress DatabaseFreezer Miner
  - v1.9.0..v1.12.0 UltraLightServers UltraLightFraction UltraLightOnlyAnnounce
  - v1.9.0..v1.11.6 Checkpoint CheckpointOracle
  - v1.9.11..v1.9.25 DiscoveryURLs
  - v1.9.11..v1.9.15 OverrideIstanbul OverrideMuirGlacier
  - v1.9.14.. TxLookupLimit
  - v1.9.16.. SnapshotCache
  - v1.9.17.. LightNoPrune
  - v1.9.19.. TrieCleanCacheJournal TrieCleanCacheRejournal
  - v1.9.25.. Preimages
  - v1.10.0.. EthDiscoveryURLs SnapDiscoveryURLs LightNoSyncServe
  - v1.10.0..v1.11.6 SyncFromCheckpoint
  - v1.10.5..v1.10.11 OverrideLondon
  - v1.10.12..v1.10.18 OverrideArrowGlacier
  - v1.10.14..v1.10.26 OverrideTerminalTotalDifficulty
  - v1.10.19..v1.10.21 OverrideGrayGlacier
  - v1.10.22.. FilterLogCacheSize
  - v1.10.22..v1.10.26 OverrideTerminalTotalDifficultyPassed
  - v1.11.0..v1.11.6 OverrideShanghai
  - v1.12.0..v1.15.5 OverrideCancun
  - v1.12.1.. BlobPool
  - v1.12.1..v1.17.2 OverrideVerkle
  - v1.13.0.. TransactionHistory StateHistory StateScheme
  - v1.14.0.. VMTrace VMTraceJsonConfig
  - v1.15.6.. HistoryMode
  - v1.15.6..v1.16.0 OverridePrague
  - v1.15.9.. LogHistory LogNoHistory LogExportCheckpoints
  - v1.16.0.. DatabaseEra
  - v1.16.1.. OverrideOsaka
  - v1.16.4.. EnableWitnessStats StatelessSelfValidation EnableStateSizeTracking OverrideBPO1 OverrideBPO2
  - v1.17.0.. TrienodeHistory NodeFullValueCheckpoint SlowBlockThreshold
  - v1.17.3.. BinTrieGroupDepth OverrideUBT
  - v1.17.4.. SnapV2
  - v1.17.5.. EngineMaxReorgDepth OverrideAmsterdam
  - v1.17.6.. NoPrecompileCache
Eth.GPO
  - .. Blocks Percentile
  - ..v1.14.7 Default
  - v1.9.22.. MaxPrice
  - v1.10.4.. IgnorePrice
  - v1.10.5.. MaxHeaderHistory MaxBlockHistory
Eth.TxPool
  - .. PriceLimit PriceBump AccountSlots GlobalSlots AccountQueue GlobalQueue Lifetime
  - v1.6.7.. NoLocals
  - v1.7.0.. Journal Rejournal
  - v1.8.14.. Locals
Eth.Ethash
  - .. CacheDir CachesInMem CachesOnDisk DatasetDir DatasetsInMem DatasetsOnDisk PowMode
  - v1.9.13.. CachesLockMmap DatasetsLockMmap
  - v1.10.2.. NotifyFull
Eth.Miner
  - v1.9.0..v1.13.15 Etherbase GasFloor
  - v1.9.0..v1.11.6 Notify Noverify
  - v1.9.0.. ExtraData GasCeil GasPrice Recommit
  - v1.10.2..v1.11.6 NotifyFull
  - v1.11.0..v1.13.15 NewPayloadTimeout
  - v1.17.0.. MaxBlobsPerBlock
Eth.BlobPool
  - .. Datadir Datacap PriceBump
  - v1.17.5.. FetchProbability
Node
  UserIdent identity
  DataDir datadir
  KeyStoreDir keystore
  ExternalSigner signer v1.9.15..
  UseLightweightKDF lightkdf
  InsecureUnlockAllowed allow-insecure-unlock v1.9.0..
  USB usb v1.10.0..
  SmartCardDaemonPath pcscdpath v1.9.0..
  IPCPath ipcpath
  HTTPHost http.addr
  HTTPPort http.port
  HTTPCors http.corsdomain
  HTTPVirtualHosts http.vhosts v1.8.2..
  HTTPModules http.api
  HTTPPathPrefix http.rpcprefix v1.10.0..
  AuthAddr authrpc.addr v1.10.17..
  AuthPort authrpc.port v1.10.17..
  AuthVirtualHosts authrpc.vhosts v1.10.17..
  WSHost ws.addr
  WSPort ws.port
  WSPathPrefix ws.rpcprefix v1.10.0..
  WSOrigins ws.origins
  WSModules ws.api
  WSExposeAll Node.WSExposeAll v1.7.1..v1.9.18
  GraphQLHost graphql.addr v1.9.0..v1.9.18
  GraphQLCors graphql.corsdomain v1.9.0..
  GraphQLVirtualHosts graphql.vhosts v1.9.0..
  AllowUnprotectedTxs rpc.allow-unprotected-txs v1.10.0..
  BatchRequestLimit rpc.batch-request-limit v1.12.1..
  BatchResponseMaxSize rpc.batch-response-max-size v1.12.1..
  HTTPBodyLimit rpc.http-body-limit v1.17.5..
  JWTSecret authrpc.jwtsecret v1.10.17..
  DBEngine db.engine v1.11.0..
  NoUSB nousb v1.6.1..v1.17.3
  - .. P2P
  - v1.8.0..v1.8.1 HTTPVirtualHosts
  - v1.8.0..v1.16.9 Logger
  - v1.8.13.. HTTPTimeouts
  - v1.9.0..v1.9.18 GraphQLPort
  - v1.9.19.. WSExposeAll
  - v1.17.0.. OpenTelemetry
Node.HTTPTimeouts
  - .. ReadTimeout WriteTimeout IdleTimeout
  - v1.10.22.. ReadHeaderTimeout
Node.P2P
  MaxPeers maxpeers
  MaxPendingPeers maxpendpeers
  NoDiscovery nodiscover
  DiscoveryV4 discovery.v4 v1.12.1..
  DiscoveryV5 discovery.v5
  ListenAddr port
  DiscAddr discovery.port v1.10.20..
  NAT nat
  - .. BootstrapNodes BootstrapNodesV5 StaticNodes TrustedNodes NetRestrict NodeDatabase NoDial
  - ..v1.7.3 DiscoveryV5Addr
  - v1.7.1.. EnableMsgEvents
  - v1.8.0.. DialRatio
  - v1.8.0..v1.14.13 Logger
Metrics
  Enabled metrics
  HTTP metrics.addr
  Port metrics.port
  EnableInfluxDB metrics.influxdb
  InfluxDBEndpoint metrics.influxdb.endpoint
  InfluxDBDatabase metrics.influxdb.database
  InfluxDBUsername metrics.influxdb.username
  InfluxDBPassword metrics.influxdb.password
  InfluxDBTags metrics.influxdb.tags
  InfluxDBInterval metrics.influxdb.interval v1.17.1..
  EnableInfluxDBV2 metrics.influxdbv2 v1.10.8..
  InfluxDBToken metrics.influxdb.token v1.10.8..
  InfluxDBBucket metrics.influxdb.bucket v1.10.8..
  InfluxDBOrganization metrics.influxdb.organization v1.10.8..
  - ..v1.13.15 EnabledExpensive
Ethstats
  URL ethstats
`;

/** What forks have beside the keys of geth, in some release or in all. Of their sections below [Eth], none is listed. */
export const forkKeys: Readonly<Record<string, string>> = {
  bsc: `
Node
  EnableDoubleSignMonitor monitor.doublesign
  EnableMaliciousVoteMonitor monitor.maliciousvote
  BLSPasswordFile blspassword
  BLSWalletDir blswallet
  VoteJournalDir vote-journal-path
  - .. DirectBroadcast DisableSnapProtocol EnableBAL EnableEVNFeatures EnableQuickBlockFetching Instance LogConfig RangeLimit
  - .. WSMessageSizeLimit
Node.P2P
  MaxPeersPerIP maxpeersperip
  - .. EVNNodeIdsWhitelist EnableENRFilter PeerFilterPatterns ProxyedNodeIds ProxyedValidatorAddresses VerifyNodes
`,
  quorum: `
Node
  - .. EnableMultitenancy EnableNodePermission Plugins
Node.P2P
  - .. DataDir DiscoveryV5Addr EnableNodePermission
`,
  'celo-blockchain': `
Node
  - .. Proxy ProxyP2P UsePlaintextKeystore
`,
};
