/**
 * The TOML file of --config: names of Go fields, whose case counts (node/config.go, p2p/config.go, metrics/config.go,
 * eth/ethconfig/config.go and cmd/geth/config.go of geth v1.17.8; node/config.go of bsc v1.7.8).
 */
import type { TomlFile } from '../kind.js';

/** A section, and below it its fields with their flags; `-`: a field that no flag sets. */
const table = `
Node
  UserIdent identity
  DataDir datadir
  KeyStoreDir keystore
  ExternalSigner signer
  UseLightweightKDF lightkdf
  InsecureUnlockAllowed allow-insecure-unlock
  USB usb
  SmartCardDaemonPath pcscdpath
  IPCPath ipcpath
  HTTPHost http.addr
  HTTPPort http.port
  HTTPCors http.corsdomain
  HTTPVirtualHosts http.vhosts
  HTTPModules http.api
  HTTPPathPrefix http.rpcprefix
  AuthAddr authrpc.addr
  AuthPort authrpc.port
  AuthVirtualHosts authrpc.vhosts
  WSHost ws.addr
  WSPort ws.port
  WSPathPrefix ws.rpcprefix
  WSOrigins ws.origins
  WSModules ws.api
  WSExposeAll -
  GraphQLCors graphql.corsdomain
  GraphQLVirtualHosts graphql.vhosts
  AllowUnprotectedTxs rpc.allow-unprotected-txs
  BatchRequestLimit rpc.batch-request-limit
  BatchResponseMaxSize rpc.batch-response-max-size
  HTTPBodyLimit rpc.http-body-limit
  JWTSecret authrpc.jwtsecret
  DBEngine db.engine
  NoUSB -
  DirectBroadcast -
  DisableSnapProtocol -
  RangeLimit -
  EnableDoubleSignMonitor monitor.doublesign
  EnableMaliciousVoteMonitor monitor.maliciousvote
  BLSPasswordFile blspassword
  BLSWalletDir blswallet
  VoteJournalDir vote-journal-path
  Instance -
Node.P2P
  MaxPeers maxpeers
  MaxPeersPerIP maxpeersperip
  MaxPendingPeers maxpendpeers
  DialRatio -
  NoDiscovery nodiscover
  DiscoveryV4 discovery.v4
  DiscoveryV5 discovery.v5
  BootstrapNodes -
  BootstrapNodesV4 -
  BootstrapNodesV5 -
  StaticNodes -
  VerifyNodes -
  TrustedNodes -
  NetRestrict -
  NodeDatabase -
  ListenAddr port
  DiscAddr discovery.port
  NAT nat
  NoDial -
  EnableMsgEvents -
  PeerFilterPatterns -
Metrics
  Enabled metrics
  EnabledExpensive -
  HTTP metrics.addr
  Port metrics.port
  EnableInfluxDB metrics.influxdb
  InfluxDBEndpoint metrics.influxdb.endpoint
  InfluxDBDatabase metrics.influxdb.database
  InfluxDBUsername metrics.influxdb.username
  InfluxDBPassword metrics.influxdb.password
  InfluxDBTags metrics.influxdb.tags
  InfluxDBInterval metrics.influxdb.interval
  EnableInfluxDBV2 metrics.influxdbv2
  InfluxDBToken metrics.influxdb.token
  InfluxDBBucket metrics.influxdb.bucket
  InfluxDBOrganization metrics.influxdb.organization
Ethstats
  URL ethstats
`;

/** Fields of [Eth] that decide what the interfaces answer; the others are not listed, and each is accepted. */
const ethKeys = [
  ['Eth.NetworkId', 'networkid'],
  ['Eth.SyncMode', 'syncmode'],
  ['Eth.RPCGasCap', 'rpc.gascap'],
  ['Eth.RPCEVMTimeout', 'rpc.evmtimeout'],
  ['Eth.RPCTxFeeCap', 'rpc.txfeecap'],
  ['Eth.LogQueryLimit', 'rpc.logquerylimit'],
  ['Eth.RangeLimit', 'rpc.rangelimit'],
  ['Eth.TxSyncDefaultTimeout', 'rpc.txsync.defaulttimeout'],
  ['Eth.TxSyncMaxTimeout', 'rpc.txsync.maxtimeout'],
] as const;

const rows = table
  .trim()
  .split('\n')
  .reduce<{ section: string; found: (readonly [string, string])[] }>(
    ({ section, found }, line) => {
      const [name = '', flag] = line.trim().split(' ');
      return flag === undefined
        ? { section: name, found }
        : { section, found: [...found, [`${section}.${name}`, flag]] };
    },
    { section: '', found: [] },
  ).found;

const known = new Set([
  ...rows.map(([key]) => key),
  ...['ReadTimeout', 'ReadHeaderTimeout', 'WriteTimeout', 'IdleTimeout'].map(
    (key) => `Node.HTTPTimeouts.${key}`,
  ),
]);
/** Sections whose fields are all listed here, without those of the forks’ own sections in them. */
const listed = /^(?:Node|Node\.P2P|Node\.HTTPTimeouts|Metrics|Ethstats)\.[^.]+$/;

export const configFile: TomlFile = {
  flag: 'config',
  format: 'toml',
  keys: new Map([...rows.filter(([, flag]) => flag !== '-'), ...ethKeys]),
  isRefused: (key) => listed.test(key) && !known.has(key),
  switches: new Map([
    ['http.addr', 'http'],
    ['ws.addr', 'ws'],
  ]),
  reads: () => 'all',
};
