/** Signers, and proxies that know JSON-RPC. */
import { client, type OtherClient, port, prefixed } from './row.js';

export const signers: readonly OtherClient[] = [
  client('web3signer', 'signer', {
    serving: 'eth2 eth1',
    idle: 'export import watermark-repair',
    images: /(?:^|\/)web3signer$/,
    own: 'http-listen-host http-listen-port key-store-path slashing-protection-* http-host-allowlist key-manager-api-enabled',
    configFiles: '--config-file',
    takesSeparateBooleans: true,
    variable: prefixed('WEB3SIGNER_'),
    interfaces: [
      port('http', {
        bind: '--http-listen-host',
        port: '--http-listen-port',
        switches: {
          '--key-manager-api-enabled': 'key manager enabled',
          '--eth2-key-manager-api-enabled': 'key manager enabled',
        },
        usual: ['127.0.0.1', 9000],
      }),
      port('metrics', {
        enable: '--metrics-enabled',
        bind: '--metrics-host',
        port: '--metrics-port',
        usual: [null, 9001],
      }),
    ],
  }),
  client('clef', 'signer', {
    idle: 'init attest setpw delpw newaccount gendoc importraw list-accounts list-wallets help',
    images: /(?:^|\/)clef$/,
    own: 'stdio-ui stdio-ui-test 4bytedb 4bytedb-custom',
    interfaces: [
      port('http', {
        enable: '--http',
        bind: '--http.addr',
        port: '--http.port',
        switches: { '--rules': 'rules sign without asking' },
        usual: [null, 8550],
      }),
    ],
  }),
  client('erpc', 'proxy', {
    programs: ['erpc', 'erpc-server'],
    idle: 'validate help version',
    images: /(?:^|\/)erpc$/,
    isConfigured: true,
    interfaces: [
      port('http', { bind: 'server.httpHostV4', port: 'server.httpPortV4', usual: ['0.0.0.0', 4000] }),
      port('metrics', { bind: 'metrics.hostV4', port: 'metrics.port', usual: ['0.0.0.0', 4001] }),
    ],
  }),
  client('dshackle', 'proxy', {
    programs: ['dshackle', 'dshackle.jar'],
    images: /(?:^|\/)dshackle$/,
    isConfigured: true,
    interfaces: [
      port('grpc', { bind: 'host', port: 'port', usual: [null, 2449] }),
      port('http', { bind: 'proxy.host', port: 'proxy.port', usual: [null, null] }),
    ],
  }),
  client('proxyd', 'proxy', {
    images: /(?:^|\/)proxyd$/,
    isConfigured: true,
    interfaces: [
      port('rpc', { bind: 'server.rpc_host', port: 'server.rpc_port', usual: [null, null] }),
      port('ws', { bind: 'server.ws_host', port: 'server.ws_port', usual: [null, null] }),
    ],
  }),
];
