/** Consensus clients and validators. */
import type { ClientRow } from '../client.js';

// biome-ignore format: an entry in few lines
const lighthouses = { idle: ['account', 'a', 'am', 'account_manager', 'bootnode', 'boot_node', 'database_manager', 'db',
  'validator_manager', 'vm', 'help'], images: /(?:^|\/)sigp\/lighthouse$|(?:^|\/)lighthouse$/ } as const satisfies Partial<ClientRow>;

// biome-ignore format: an entry in few lines
const lodestars = { programs: ['lodestar', 'lodestar.js'], images: /(?:^|\/)chainsafe\/lodestar$|(?:^|\/)lodestar$/,
  configFiles: ['--rcConfig'], takesSeparateBooleans: true } as const satisfies Partial<ClientRow>;

/** Duties and signatures for validators; their files say what they open. */
// biome-ignore format: an entry in few lines
const configured = { isConfigured: true, interfaces: { api: {} } } as const satisfies Partial<ClientRow>;

// biome-ignore format: an entry in few lines
export const consensus = (): readonly ClientRow[] => [
  { ...lighthouses, name: 'lighthouse', role: 'consensus', serving: ['bn', 'beacon', 'beacon_node'],
    own: ['execution-endpoint', 'execution-endpoints', 'execution-jwt', 'unencrypted-http-transport',
    'http-allow-sync-stalled', 'disable-deposit-contract-sync'],
    interfaces: {
      http: { enable: ['--http', '--staking'], addr: '--http-address', port: '--http-port', usual: ['127.0.0.1', 5052]
        },
      metrics: { enable: '--metrics', addr: '--metrics-address', port: '--metrics-port', usual: ['127.0.0.1', 5054] },
    } },
  { ...lighthouses, name: 'lighthouse vc', role: 'consensus', programs: ['lighthouse'], serving: ['vc', 'validator',
    'validator_client'], own: ['beacon-nodes', 'init-slashing-protection', 'unencrypted-http-transport'],
    interfaces: {
      http: { enable: ['--http', '--staking'], addr: '--http-address', port: '--http-port', usual: ['127.0.0.1', 5062]
        },
      metrics: { enable: '--metrics', addr: '--metrics-address', port: '--metrics-port', usual: ['127.0.0.1', 5064] },
    } },
  { name: 'prysm beacon-chain', role: 'consensus', programs: [/^(?:prysm-)?beacon-chain$/],
    images: /(?:^|\/)(?:prysmaticlabs|offchainlabs)\/prysm[/-]beacon-chain$|(?:^|\/)prysm-beacon-chain$/,
    own: ['grpc-gateway-host', 'grpc-gateway-port', 'grpc-gateway-corsdomain', 'disable-debug-rpc-endpoints',
    'p2p-host-ip', 'accept-terms-of-use', 'http-mev-relay'], configFiles: ['--config-file'],
    interfaces: {
      grpc: { addr: '--rpc-host', port: '--rpc-port', usual: ['127.0.0.1', 4000] },
      http: { addr: ['--http-host', '--grpc-gateway-host'], port: ['--http-port', '--grpc-gateway-port'],
        api: '--http-modules', usual: ['127.0.0.1', 3500] },
      monitoring: { disable: '--disable-monitoring', addr: '--monitoring-host', port: '--monitoring-port',
        usual: ['127.0.0.1', 8080] },
      pprof: { enable: '--pprof', addr: '--pprofaddr', port: '--pprofport', usual: [null, 6060] },
    } },
  { name: 'prysm validator', role: 'consensus', programs: ['prysm-validator'], sharedPrograms: ['validator'],
    idle: ['accounts', 'wallet', 'slashing-protection-history', 'web'],
    images: /(?:^|\/)(?:prysmaticlabs|offchainlabs)\/prysm[/-]validator$|(?:^|\/)prysm-validator$/,
    own: ['beacon-rpc-provider', 'beacon-rest-api-provider', 'wallet-dir', 'wallet-password-file'],
    configFiles: ['--config-file'],
    interfaces: {
      grpc: { enable: ['--rpc', '--web'], addr: '--rpc-host', port: '--rpc-port', usual: ['127.0.0.1', 7000] },
      http: { enable: ['--rpc', '--web'], addr: ['--http-host', '--grpc-gateway-host'],
        port: ['--http-port', '--grpc-gateway-port'], usual: ['127.0.0.1', 7500] },
      monitoring: { disable: '--disable-monitoring', addr: '--monitoring-host', port: '--monitoring-port',
        usual: ['127.0.0.1', 8081] },
    } },
  { name: 'teku', role: 'consensus', idle: ['transition', 'genesis', 'slashing-protection', 'migrate-data',
    'migrate-database', 'debug-tools', 'admin', 'voluntary-exit', 'unstable', 'peer', 'validate-config'],
    images: /(?:^|\/)(?:consensys\/)?teku$/, own: ['rest-api-*', 'validator-api-*', 'ee-endpoint',
    'ee-jwt-secret-file', 'beacon-node-api-endpoint', 'beacon-node-api-endpoints'], configFiles: ['--config-file',
    '-c'], takesSeparateBooleans: true, variables: { prefix: 'TEKU_' },
    interfaces: {
      rest: { enable: '--rest-api-enabled', addr: '--rest-api-interface', port: '--rest-api-port', usual: [null, 5051]
        },
      validator: { enable: '--validator-api-enabled', addr: '--validator-api-interface', port: '--validator-api-port',
        usual: [null, 5052] },
      metrics: { enable: '--metrics-enabled', addr: '--metrics-interface', port: '--metrics-port', usual: [null, 8008]
        },
    } },
  { name: 'nimbus', role: 'consensus', programs: [/^nimbus_beacon_node(?:_.*)?$/], idle: ['deposits', 'wallets',
    'slashingdb', 'trustedNodeSync', 'record', 'web3', 'exit'], images: /(?:^|\/)nimbus(?:-eth2|_beacon_node)?$/,
    own: ['rest-address', 'rest-port', 'keymanager-address', 'keymanager-port', 'keymanager-token-file', 'web3-url'],
    configFiles: ['--config-file'],
    interfaces: {
      rest: { enable: '--rest', addr: '--rest-address', port: '--rest-port', usual: ['127.0.0.1', 5052] },
      keymanager: { enable: '--keymanager', addr: '--keymanager-address', port: '--keymanager-port',
        usual: ['127.0.0.1', 5052] },
      metrics: { enable: '--metrics', addr: '--metrics-address', port: '--metrics-port', usual: [null, 8008] },
    } },
  { name: 'nimbus validator client', role: 'consensus', programs: [/^nimbus_validator_client(?:_.*)?$/],
    images: /(?:^|\/)nimbus-validator-client$/, configFiles: ['--config-file'],
    interfaces: {
      keymanager: { enable: '--keymanager', addr: '--keymanager-address', port: '--keymanager-port',
        usual: ['127.0.0.1', 5052] },
      metrics: { enable: '--metrics', addr: '--metrics-address', port: '--metrics-port', usual: [null, 8008] },
    } },
  { ...lodestars, name: 'lodestar', role: 'consensus', serving: ['beacon', 'dev'], idle: ['validator', 'bootnode',
    'lightclient', 'account'], own: ['rest.address', 'rest.port', 'rest.cors', 'rest.namespace', 'execution.urls',
    'checkpointSyncUrl'],
    interfaces: {
      rest: { isOn: true, enable: '--rest', addr: '--rest.address', port: '--rest.port', api: '--rest.namespace',
        usual: ['127.0.0.1', 9596] },
      metrics: { enable: '--metrics', addr: '--metrics.address', port: '--metrics.port', usual: [null, 8008] },
    } },
  { ...lodestars, name: 'lodestar validator', role: 'consensus', serving: ['validator'], idle: ['bootnode',
    'lightclient', 'account', 'exit', 'import', 'list'], own: ['keymanager', 'keymanager.address', 'keymanager.port',
    'keymanager.auth', 'beaconNodes'],
    interfaces: {
      keymanager: { enable: '--keymanager', addr: '--keymanager.address', port: '--keymanager.port',
        usual: [null, 5062], switches: { '--keymanager.auth=false': 'no login' } },
      metrics: { enable: '--metrics', addr: '--metrics.address', port: '--metrics.port', usual: [null, 8008] },
    } },
  { name: 'grandine', role: 'consensus', idle: ['export', 'import', 'replay', 'help'], own: ['disable-http-api',
    'eth1-rpc-urls', 'enable-validator-api', 'http-allowed-origins'],
    interfaces: {
      http: { disable: '--disable-http-api', addr: '--http-address', port: '--http-port', usual: ['127.0.0.1', null],
        switches: { '--enable-validator-api': 'validator API enabled' } },
      metrics: { enable: '--metrics', addr: '--metrics-address', port: '--metrics-port', usual: [null, 5054] },
    } },
  { name: 'mev-boost', role: 'consensus', own: ['relay-check', 'request-timeout-getheader'],
    interfaces: { http: { addr: ['--addr', '$BOOST_LISTEN_ADDR'], usual: ['localhost', 18550] } } },
  { name: 'charon', role: 'consensus', serving: ['run'], idle: ['create', 'dkg', 'enr', 'combine', 'version', 'exit'],
    images: /(?:^|\/)obolnetwork\/charon$|(?:^|\/)charon$/, own: ['beacon-node-endpoints', 'validator-api-address'],
    variables: { prefix: 'CHARON_' },
    interfaces: { validator: { addr: '--validator-api-address', usual: [null, 3600] } } },
  { ...configured, name: 'commit-boost', role: 'consensus', programs: [/^commit-boost(?:-(?:pbs|signer))?$/],
    images: /(?:^|\/)commit-boost\/(?:pbs|signer|commit-boost)$/ },
  { ...configured, name: 'prysm slasher', role: 'consensus', programs: [/^(?:prysm-)?slasher$/],
    images: /(?:^|\/)prysmaticlabs\/prysm[/-]slasher$/ },
  { ...configured, name: 'vouch', role: 'consensus', images: /(?:^|\/)(?:attestantio|wealdtech)\/vouch$/ },
  { ...configured, name: 'dirk', role: 'consensus', images: /(?:^|\/)(?:attestantio|wealdtech)\/dirk$/ },
  { ...configured, name: 'ssvnode', role: 'consensus', programs: [/^ssv-?node$/], images: /(?:^|\/)ssv-?node$/ },
];
