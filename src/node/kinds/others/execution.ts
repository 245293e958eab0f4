/** Execution clients of other code bases. */
import { client, type OtherClient, port, prefixed } from './row.js';

/** JsonRpc.Host is NETHERMIND_JSONRPCCONFIG_HOST. */
function nethermindVariable(flag: string): string {
  const [section = '', key] = flag.toUpperCase().split('.');
  return key === undefined ? `NETHERMIND_${section}` : `NETHERMIND_${section}CONFIG_${key}`;
}

const besuPort = (name: string, flags: string, number: number, modules?: string) =>
  port(name, {
    enable: `--${flags}-enabled`,
    bind: `--${flags}-host`,
    port: `--${flags}-port`,
    ...(modules === undefined ? {} : { modules: `--${flags}-api` }),
    usual: modules === undefined ? ['127.0.0.1', number] : ['127.0.0.1', number, modules],
  });

export const execution: readonly OtherClient[] = [
  client('nethermind', 'execution', {
    programs: [/^nethermind(?:\.runner)?(?:\.dll)?$/i],
    images: /(?:^|\/)nethermind\/nethermind$|(?:^|\/)nethermindeth\/|(?:^|\/)nethermind$/,
    own: 'JsonRpc.* HealthChecks.* jsonrpc-host jsonrpc-enabledmodules jsonrpc-enginehost',
    clientName: /^nethermind\//i,
    configFiles: '--config -c',
    takesSeparateBooleans: true,
    variable: nethermindVariable,
    interfaces: [
      port('http', {
        isOn: true,
        enable: '--JsonRpc.Enabled --jsonrpc-enabled',
        bind: '--JsonRpc.Host --jsonrpc-host',
        port: '--JsonRpc.Port --jsonrpc-port',
        modules: '--JsonRpc.EnabledModules --jsonrpc-enabledmodules',
        usual: ['127.0.0.1', 8545, 'Eth,Subscribe,Trace,TxPool,Web3,Proof,Net,Parity,Health,Rpc'],
      }),
      port('engine', {
        bind: '--JsonRpc.EngineHost --jsonrpc-enginehost',
        port: '--JsonRpc.EnginePort --jsonrpc-engineport',
        switches: { '--JsonRpc.UnsecureDevNoRpcAuthentication': 'no login' },
        usual: ['127.0.0.1', 8551],
      }),
      port('additional', {
        enable: '--JsonRpc.AdditionalRpcUrls --jsonrpc-additionalrpcurls',
        bind: '--JsonRpc.AdditionalRpcUrls --jsonrpc-additionalrpcurls',
      }),
      port('metrics', {
        enable: '--Metrics.Enabled --Metrics.ExposePort',
        bind: '--Metrics.ExposeHost',
        port: '--Metrics.ExposePort',
      }),
    ],
  }),
  client('parity', 'execution', {
    sharedPrograms: ['parity', 'openethereum'],
    idle: 'account export import signer snapshot restore tools db',
    images: /(?:^|\/)(?:parity\/parity|(?:openethereum\/)?openethereum)$/,
    own: 'jsonrpc-interface jsonrpc-apis jsonrpc-hosts jsonrpc-cors ws-interface ws-apis ws-hosts unsafe-expose',
    clientName: /^(?:Parity-Ethereum|OpenEthereum)\//i,
    configFiles: '--config -c',
    interfaces: [
      port('http', {
        isOn: true,
        disable: '--no-jsonrpc',
        bind: '--jsonrpc-interface',
        port: '--jsonrpc-port',
        modules: '--jsonrpc-apis',
        switches: { '--unsafe-expose': 'every interface' },
        usual: ['127.0.0.1', 8545],
      }),
      port('ws', {
        isOn: true,
        disable: '--no-ws',
        bind: '--ws-interface',
        port: '--ws-port',
        modules: '--ws-apis',
        usual: ['127.0.0.1', 8546],
      }),
    ],
  }),
  client('besu', 'execution', {
    idle: 'operator blocks public-key rlp password storage validate-config',
    images: /(?:^|\/)(?:hyperledger|besu)\/besu$|(?:^|\/)(?:linea-)?besu(?:-package)?$/,
    own: 'rpc-http-* rpc-ws-* engine-rpc-* engine-jwt-disabled engine-jwt-secret engine-host-allowlist graphql-http-*',
    clientName: /^(?:linea-)?besu\//i,
    configFiles: '--config-file --profile',
    takesSeparateBooleans: true,
    variable: prefixed('BESU_'),
    interfaces: [
      besuPort('http', 'rpc-http', 8545, 'ETH,NET,WEB3'),
      besuPort('ws', 'rpc-ws', 8546, 'ETH,NET,WEB3'),
      besuPort('graphql', 'graphql-http', 8547),
      port('engine', {
        isOn: true,
        enable: '--engine-rpc-enabled',
        bind: '--rpc-http-host',
        port: '--engine-rpc-port',
        switches: { '--engine-jwt-disabled': 'no login' },
        usual: ['127.0.0.1', 8551],
      }),
      besuPort('metrics', 'metrics', 9545),
    ],
  }),
  client('bor', 'execution', {
    serving: 'server',
    idle: 'account attach bootnode chain debug dumpconfig fingerprint peers removedb snapshot status version',
    images: /(?:^|\/)(?:0xpolygon|maticnetwork)\/bor$|(?:^|\/)bor$/,
    own: 'bor.*',
    clientName: /^bor\//i,
    configFiles: '--config',
    interfaces: [
      port('http', {
        enable: '--http --dev',
        bind: '--http.addr jsonrpc.http.host',
        port: '--http.port jsonrpc.http.port',
        modules: '--http.api jsonrpc.http.api',
        usual: ['127.0.0.1', 8545, 'eth,net,web3,txpool,bor'],
        switches: { '--unlock': 'accounts unlocked', '--allow-insecure-unlock': 'insecure unlock allowed' },
      }),
      port('ws', {
        enable: '--ws',
        bind: '--ws.addr jsonrpc.ws.host',
        port: '--ws.port jsonrpc.ws.port',
        modules: '--ws.api jsonrpc.ws.api',
        usual: [null, 8546, 'net,web3'],
      }),
      port('grpc', { bind: '--grpc.addr grpc.addr', usual: ['0.0.0.0', 3131] }),
      port('pprof', { enable: '--pprof', bind: '--pprof.addr', port: '--pprof.port', usual: [null, 6060] }),
    ],
  }),
  client('nitro', 'execution', {
    images: /(?:^|\/)offchainlabs\/nitro-node(?:-dev)?$|(?:^|\/)nitro(?:-node)?$/,
    own: 'parent-chain.* node.feed.* node.staker.* node.sequencer node.batch-poster.* ws.expose-all',
    clientName: /^nitro\//i,
    configFiles: '--conf.file --conf.string --conf.env-prefix',
    interfaces: [
      port('http', {
        enable: '--http.addr',
        off: /^$/,
        bind: '--http.addr',
        port: '--http.port',
        modules: '--http.api',
        usual: [null, 8547, 'eth,net,web3,arb'],
      }),
      port('ws', {
        enable: '--ws.addr',
        off: /^$/,
        bind: '--ws.addr',
        port: '--ws.port',
        modules: '--ws.api',
        switches: { '--ws.expose-all': 'all private APIs' },
        usual: [null, 8548],
      }),
      port('engine', { bind: '--auth.addr', port: '--auth.port', usual: ['127.0.0.1', 8549] }),
      port('metrics', {
        enable: '--metrics',
        bind: '--metrics-server.addr',
        port: '--metrics-server.port',
        usual: [null, 6070],
      }),
      port('pprof', {
        enable: '--pprof',
        bind: '--pprof-cfg.addr',
        port: '--pprof-cfg.port',
        usual: [null, 6071],
      }),
      port('feed', {
        enable: '--node.feed.output.enable',
        bind: '--node.feed.output.addr',
        port: '--node.feed.output.port',
        usual: [null, 9642],
      }),
    ],
  }),
  client('avalanchego', 'execution', {
    images: /(?:^|\/)avalanchego(?:_subnet-evm)?$/,
    own: 'api-admin-enabled http-allowed-hosts http-allowed-origins chain-config-content chain-config-dir track-subnets staking-tls-cert-file config-file-content',
    configFiles: '--config-file --config-file-content',
    variable: prefixed('AVAGO_'),
    interfaces: [
      port('http', {
        bind: '--http-host',
        port: '--http-port',
        switches: {
          '--api-admin-enabled': 'admin API enabled',
          '--api-keystore-enabled': 'keystore API enabled',
        },
        usual: ['127.0.0.1', 9650],
      }),
    ],
  }),
  client('cosmos-evm', 'execution', {
    programs:
      'cronosd evmosd ethermintd evmd injectived kavad kava cantod haqqd zgchaind 0gchaind beacond seid mantrachaind humansd'.split(
        ' ',
      ),
    sharedPrograms: [/^[a-z0-9][\w-]*d$/],
    serving: 'start',
    images:
      /(?:^|\/)(?:cronos|evmos|ethermint|injective(?:-core)?|kava|canto|haqq|0g-?chain|beacon-kit|beacond|sei-chain)$/,
    own: 'json-rpc.*',
    clientName: /^(?:Version |cronos|evmos)/i,
    isConfigured: true,
    interfaces: [
      port('json-rpc', {
        isOn: null,
        enable: '--json-rpc.enable json-rpc.enable',
        bind: '--json-rpc.address json-rpc.address',
        modules: '--json-rpc.api json-rpc.api',
        switches: { '--json-rpc.allow-insecure-unlock': 'insecure unlock allowed' },
        usual: [null, 8545],
      }),
      port('json-rpc ws', {
        isOn: null,
        enable: '--json-rpc.enable',
        bind: '--json-rpc.ws-address json-rpc.ws-address',
        usual: [null, 8546],
      }),
      port('grpc', { isOn: null, enable: '--grpc.enable grpc.enable', bind: '--grpc.address grpc.address' }),
      port('cometbft', {
        bind: '--rpc.laddr rpc.laddr',
        switches: { '--rpc.unsafe': 'unsafe methods' },
        usual: [null, 26657],
      }),
      port('rest', {
        isOn: null,
        enable: '--api.enable api.enable',
        bind: '--api.address api.address',
        usual: [null, 1317],
      }),
    ],
  }),
  client('ethrex', 'execution', {
    idle: 'removedb import export compute-state-root help',
    images: /(?:^|\/)ethrex(?:-l2)?$/,
    clientName: /^ethrex\//i,
    variable: prefixed('ETHREX_'),
    interfaces: [
      port('http', {
        bind: '--http.addr',
        port: '--http.port',
        modules: '--http.api',
        usual: ['localhost', 8545],
      }),
      port('engine', { bind: '--authrpc.addr', port: '--authrpc.port', usual: ['localhost', 8551] }),
      port('metrics', {
        enable: '--metrics',
        bind: '--metrics.addr',
        port: '--metrics.port',
        usual: ['0.0.0.0', 9090],
      }),
    ],
  }),
  client('nimbus-eth1', 'execution', {
    programs: ['nimbus_execution_client', 'nimbus-eth1'],
    sharedPrograms: ['nimbus'],
    idle: 'import trusted-sync',
    images: /(?:^|\/)nimbus-eth1$/,
    own: 'engine-api engine-api-* rpc-api',
    clientName: /^nimbus-eth1\//i,
    interfaces: [
      port('http', {
        enable: '--rpc --ws --engine-api',
        bind: '--http-address',
        port: '--http-port',
        modules: '--rpc-api --ws-api',
        usual: [null, 8545],
      }),
    ],
  }),
  client('ethereumjs', 'execution', {
    images: /(?:^|\/)ethereumjs$/,
    own: 'rpcEngine rpcEngineAuth rpcEngineAddr rpcEnginePort rpcAddr rpcPort',
    clientName: /^EthereumJS\/(?!TestRPC)/i,
    takesSeparateBooleans: true,
    interfaces: [
      port('http', { enable: '--rpc', bind: '--rpcAddr', port: '--rpcPort', usual: [null, 8545] }),
      port('ws', { enable: '--ws', bind: '--wsAddr', port: '--wsPort', usual: [null, 8545] }),
      port('engine', {
        enable: '--rpcEngine',
        bind: '--rpcEngineAddr',
        port: '--rpcEnginePort',
        switches: { '--rpcEngineAuth=false': 'no login' },
        usual: [null, 8551],
      }),
    ],
  }),
  client('zksync external node', 'execution', {
    programs: ['zksync_external_node', 'external-node'],
    images: /(?:^|\/)external-node(?:-.*)?$/,
    clientName: /^zkSync\//i,
    interfaces: [
      port('http', { port: '$EN_HTTP_PORT', modules: '$EN_API_NAMESPACES', usual: [null, 3060] }),
      port('ws', { port: '$EN_WS_PORT', modules: '$EN_API_NAMESPACES', usual: [null, 3061] }),
      port('health', { port: '$EN_HEALTHCHECK_PORT', usual: [null, 3081] }),
      port('metrics', { enable: '$EN_PROMETHEUS_PORT', port: '$EN_PROMETHEUS_PORT', usual: [null, 3322] }),
    ],
  }),
];
