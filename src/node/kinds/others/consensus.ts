/** Consensus clients and validators. */
import { type ClientInterface, client, type OtherClient, port, prefixed } from './row.js';

const local = '127.0.0.1';

const lighthouse = (number: number): ClientInterface =>
  port('http', {
    enable: '--http --staking',
    bind: '--http-address',
    port: '--http-port',
    usual: [local, number],
  });
const lighthouseMetrics = (number: number): ClientInterface =>
  port('metrics', {
    enable: '--metrics',
    bind: '--metrics-address',
    port: '--metrics-port',
    usual: [local, number],
  });
const lighthouseIdle =
  'account a am account_manager bootnode boot_node database_manager db validator_manager vm help';
const lighthouseImages = /(?:^|\/)sigp\/lighthouse$|(?:^|\/)lighthouse$/;

const prysmHttp = (number: number): ClientInterface =>
  port('http', {
    bind: '--http-host --grpc-gateway-host',
    port: '--http-port --grpc-gateway-port',
    modules: '--http-modules',
    usual: [local, number],
  });
const prysmMonitoring = (number: number): ClientInterface =>
  port('monitoring', {
    disable: '--disable-monitoring',
    bind: '--monitoring-host',
    port: '--monitoring-port',
    usual: [local, number],
  });

const keymanager = port('keymanager', {
  enable: '--keymanager',
  bind: '--keymanager-address',
  port: '--keymanager-port',
  usual: [local, 5052],
});
const nimbusMetrics = port('metrics', {
  enable: '--metrics',
  bind: '--metrics-address',
  port: '--metrics-port',
  usual: [null, 8008],
});
const lodestarMetrics = port('metrics', {
  enable: '--metrics',
  bind: '--metrics.address',
  port: '--metrics.port',
  usual: [null, 8008],
});
const lodestarImages = /(?:^|\/)chainsafe\/lodestar$|(?:^|\/)lodestar$/;

/** Duties and signatures for validators; their files say what they open. */
const configured: readonly (readonly [name: string, programs: readonly RegExp[], images: RegExp])[] = [
  [
    'commit-boost',
    [/^commit-boost(?:-(?:pbs|signer))?$/],
    /(?:^|\/)commit-boost\/(?:pbs|signer|commit-boost)$/,
  ],
  ['prysm slasher', [/^(?:prysm-)?slasher$/], /(?:^|\/)prysmaticlabs\/prysm[/-]slasher$/],
  ['vouch', [/^vouch$/], /(?:^|\/)(?:attestantio|wealdtech)\/vouch$/],
  ['dirk', [/^dirk$/], /(?:^|\/)(?:attestantio|wealdtech)\/dirk$/],
  ['ssvnode', [/^ssv-?node$/], /(?:^|\/)ssv-?node$/],
];

export const consensus: readonly OtherClient[] = [
  client('lighthouse', 'consensus', {
    serving: 'bn beacon beacon_node',
    idle: lighthouseIdle,
    images: lighthouseImages,
    own: 'execution-endpoint execution-endpoints execution-jwt unencrypted-http-transport http-allow-sync-stalled disable-deposit-contract-sync',
    interfaces: [lighthouse(5052), lighthouseMetrics(5054)],
  }),
  client('lighthouse vc', 'consensus', {
    programs: ['lighthouse'],
    serving: 'vc validator validator_client',
    idle: lighthouseIdle,
    images: lighthouseImages,
    own: 'beacon-nodes init-slashing-protection unencrypted-http-transport',
    interfaces: [lighthouse(5062), lighthouseMetrics(5064)],
  }),
  client('prysm beacon-chain', 'consensus', {
    programs: [/^(?:prysm-)?beacon-chain$/],
    images: /(?:^|\/)(?:prysmaticlabs|offchainlabs)\/prysm[/-]beacon-chain$|(?:^|\/)prysm-beacon-chain$/,
    own: 'grpc-gateway-host grpc-gateway-port grpc-gateway-corsdomain disable-debug-rpc-endpoints p2p-host-ip accept-terms-of-use http-mev-relay',
    configFiles: '--config-file',
    interfaces: [
      port('grpc', { bind: '--rpc-host', port: '--rpc-port', usual: [local, 4000] }),
      prysmHttp(3500),
      prysmMonitoring(8080),
      port('pprof', { enable: '--pprof', bind: '--pprofaddr', port: '--pprofport', usual: [null, 6060] }),
    ],
  }),
  client('prysm validator', 'consensus', {
    programs: ['prysm-validator'],
    sharedPrograms: ['validator'],
    idle: 'accounts wallet slashing-protection-history web',
    images: /(?:^|\/)(?:prysmaticlabs|offchainlabs)\/prysm[/-]validator$|(?:^|\/)prysm-validator$/,
    own: 'beacon-rpc-provider beacon-rest-api-provider wallet-dir wallet-password-file',
    configFiles: '--config-file',
    interfaces: [
      port('grpc', { enable: '--rpc --web', bind: '--rpc-host', port: '--rpc-port', usual: [local, 7000] }),
      port('http', {
        enable: '--rpc --web',
        bind: '--http-host --grpc-gateway-host',
        port: '--http-port --grpc-gateway-port',
        usual: [local, 7500],
      }),
      prysmMonitoring(8081),
    ],
  }),
  client('teku', 'consensus', {
    idle: 'transition genesis slashing-protection migrate-data migrate-database debug-tools admin voluntary-exit unstable peer validate-config',
    images: /(?:^|\/)(?:consensys\/)?teku$/,
    own: 'rest-api-* validator-api-* ee-endpoint ee-jwt-secret-file beacon-node-api-endpoint beacon-node-api-endpoints',
    configFiles: '--config-file -c',
    takesSeparateBooleans: true,
    variable: prefixed('TEKU_'),
    interfaces: [
      port('rest', {
        enable: '--rest-api-enabled',
        bind: '--rest-api-interface',
        port: '--rest-api-port',
        usual: [null, 5051],
      }),
      port('validator', {
        enable: '--validator-api-enabled',
        bind: '--validator-api-interface',
        port: '--validator-api-port',
        usual: [null, 5052],
      }),
      port('metrics', {
        enable: '--metrics-enabled',
        bind: '--metrics-interface',
        port: '--metrics-port',
        usual: [null, 8008],
      }),
    ],
  }),
  client('nimbus', 'consensus', {
    programs: [/^nimbus_beacon_node(?:_.*)?$/],
    idle: 'deposits wallets slashingdb trustedNodeSync record web3 exit',
    images: /(?:^|\/)nimbus(?:-eth2|_beacon_node)?$/,
    own: 'rest-address rest-port keymanager-address keymanager-port keymanager-token-file web3-url',
    configFiles: '--config-file',
    interfaces: [
      port('rest', { enable: '--rest', bind: '--rest-address', port: '--rest-port', usual: [local, 5052] }),
      keymanager,
      nimbusMetrics,
    ],
  }),
  client('nimbus validator client', 'consensus', {
    programs: [/^nimbus_validator_client(?:_.*)?$/],
    images: /(?:^|\/)nimbus-validator-client$/,
    configFiles: '--config-file',
    interfaces: [keymanager, nimbusMetrics],
  }),
  client('lodestar', 'consensus', {
    programs: ['lodestar', 'lodestar.js'],
    serving: 'beacon dev',
    idle: 'validator bootnode lightclient account',
    images: lodestarImages,
    own: 'rest.address rest.port rest.cors rest.namespace execution.urls checkpointSyncUrl',
    configFiles: '--rcConfig',
    takesSeparateBooleans: true,
    interfaces: [
      port('rest', {
        isOn: true,
        enable: '--rest',
        bind: '--rest.address',
        port: '--rest.port',
        modules: '--rest.namespace',
        usual: [local, 9596],
      }),
      lodestarMetrics,
    ],
  }),
  client('lodestar validator', 'consensus', {
    programs: ['lodestar', 'lodestar.js'],
    serving: 'validator',
    idle: 'bootnode lightclient account exit import list',
    images: lodestarImages,
    own: 'keymanager keymanager.address keymanager.port keymanager.auth beaconNodes',
    configFiles: '--rcConfig',
    takesSeparateBooleans: true,
    interfaces: [
      port('keymanager', {
        enable: '--keymanager',
        bind: '--keymanager.address',
        port: '--keymanager.port',
        switches: { '--keymanager.auth=false': 'no login' },
        usual: [null, 5062],
      }),
      lodestarMetrics,
    ],
  }),
  client('grandine', 'consensus', {
    idle: 'export import replay help',
    images: /(?:^|\/)grandine$/,
    own: 'disable-http-api eth1-rpc-urls enable-validator-api http-allowed-origins',
    interfaces: [
      port('http', {
        disable: '--disable-http-api',
        bind: '--http-address',
        port: '--http-port',
        switches: { '--enable-validator-api': 'validator API enabled' },
        usual: [local, null],
      }),
      port('metrics', {
        enable: '--metrics',
        bind: '--metrics-address',
        port: '--metrics-port',
        usual: [null, 5054],
      }),
    ],
  }),
  client('mev-boost', 'consensus', {
    images: /(?:^|\/)mev-boost$/,
    own: 'relay-check request-timeout-getheader',
    interfaces: [port('http', { bind: '--addr $BOOST_LISTEN_ADDR', usual: ['localhost', 18550] })],
  }),
  client('charon', 'consensus', {
    serving: 'run',
    idle: 'create dkg enr combine version exit',
    images: /(?:^|\/)obolnetwork\/charon$|(?:^|\/)charon$/,
    own: 'beacon-node-endpoints validator-api-address',
    variable: prefixed('CHARON_'),
    interfaces: [port('validator', { bind: '--validator-api-address', usual: [null, 3600] })],
  }),
  ...configured.map(([name, programs, images]) =>
    client(name, 'consensus', {
      programs,
      images,
      isConfigured: true,
      interfaces: [port('api', {})],
    }),
  ),
];
