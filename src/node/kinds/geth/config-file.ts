/**
 * The TOML file of --config: names of Go fields, whose case counts (node/config.go by release; p2p/config.go,
 * metrics/config.go, eth/ethconfig/config.go and cmd/geth/config.go of geth v1.17.8; node/config.go of bsc v1.7.8).
 */
import { once } from '../../../util/once.js';
import type { FlagSet, Period, TomlFile } from '../kind.js';
import type { Flavour } from './flavours.js';
import { nameIn } from './names.js';
import { isWithin, releaseNamed } from './releases.js';

/** A section, and below it its fields with their flags and periods; `-`: a field that no flag sets. */
const table = `
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
  HTTPVirtualHosts - v1.8.0..v1.8.1
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
  WSExposeAll - v1.9.19..
  GraphQLHost graphql.addr v1.9.0..v1.9.18
  GraphQLPort - v1.9.0..v1.9.18
  GraphQLCors graphql.corsdomain v1.9.0..
  GraphQLVirtualHosts graphql.vhosts v1.9.0..
  AllowUnprotectedTxs rpc.allow-unprotected-txs v1.10.0..
  BatchRequestLimit rpc.batch-request-limit v1.12.1..
  BatchResponseMaxSize rpc.batch-response-max-size v1.12.1..
  HTTPBodyLimit rpc.http-body-limit v1.17.5..
  JWTSecret authrpc.jwtsecret v1.10.17..
  DBEngine db.engine v1.11.0..
  NoUSB nousb v1.6.1..v1.17.3
  Logger - v1.8.0..v1.16.9
  DirectBroadcast -
  DisableSnapProtocol -
  RangeLimit -
  EnableDoubleSignMonitor monitor.doublesign
  EnableMaliciousVoteMonitor monitor.maliciousvote
  BLSPasswordFile blspassword
  BLSWalletDir blswallet
  VoteJournalDir vote-journal-path
  Instance -
Node.HTTPTimeouts
  ReadTimeout - v1.8.13..
  ReadHeaderTimeout - v1.8.13..
  WriteTimeout - v1.8.13..
  IdleTimeout - v1.8.13..
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

interface Row extends Period {
  readonly key: string;
  readonly flag: string;
}

const rows = table
  .trim()
  .split('\n')
  .reduce<{ section: string; found: Row[] }>(
    ({ section, found }, line) => {
      const [name = '', flag, period = '..'] = line.trim().split(' ');
      if (flag === undefined) return { section: name, found };
      const [since = '', until = ''] = period.split('..');
      const row = { key: `${section}.${name}`, flag, ...(since === '' ? {} : { since }) };
      return { section, found: [...found, until === '' ? row : { ...row, until }] };
    },
    { section: '', found: [] },
  ).found;

/** Sections that not every release has (cmd/geth/config.go); v1.9.22 to v1.9.25 warn of [Shh]. */
const sections: Readonly<Record<string, readonly Period[]>> = {
  Metrics: [{ since: 'v1.10.0' }],
  Shh: [
    { since: 'v1.6.7', until: 'v1.9.20' },
    { since: 'v1.9.22', until: 'v1.9.25' },
  ],
  Dashboard: [{ since: 'v1.7.3', until: 'v1.9.7' }],
  'Eth.Ethash': [{ until: 'v1.11.6' }],
};

/** Sections whose fields are all listed here, without those of the forks’ own sections in them. */
const listed = /^(?:Node|Node\.P2P|Node\.HTTPTimeouts|Metrics|Ethstats)\.[^.]+$/;

/** From this release on, an address on the command line counts over that of the file (cmd/utils/flags.go, setHTTP). */
const flagOverFileSince = 'v1.13.6';

/** The file as a release reads it, by its flags. */
export function configFileAt(flavour: Flavour, release: string, flags: FlagSet): TomlFile {
  const { base } = releaseNamed(flavour, release);
  const holds = (period: Period) => isWithin(base, period);
  const lacks = (key: string) =>
    Object.entries(sections).some(
      ([section, periods]) => (key === section || key.startsWith(`${section}.`)) && !periods.some(holds),
    );
  const known = once(() => rows.filter((row) => holds(row) && !lacks(row.key)));
  const names = once(() => new Set(known().map(({ key }) => key)));
  const keys = once(() => {
    const pairs = [...known().map(({ key, flag }) => [key, flag] as const), ...ethKeys];
    return new Map(
      pairs.flatMap(([key, flag]) => {
        const name = named(flag);
        return name === null ? [] : [[key, name] as const];
      }),
    );
  });
  const named = (name: string) => nameIn(flags, name);
  return {
    flag: 'config',
    format: 'toml',
    get keys() {
      return keys();
    },
    isRefused: (key) => (listed.test(key) && !names().has(key)) || lacks(key),
    lacks,
    switches: new Map(
      (['http', 'ws'] as const).flatMap((kind) => {
        const [address, enable] = [named(`${kind}.addr`), named(kind)];
        return address === null || enable === null ? [] : [[address, enable] as const];
      }),
    ),
    keepsAddress: !holds({ since: flagOverFileSince }),
    reads: () => 'all',
  };
}
