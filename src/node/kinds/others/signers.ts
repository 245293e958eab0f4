/** Signers, and proxies that know JSON-RPC. */
import type { ClientRow } from '../client.js';

// biome-ignore format: an entry in few lines
export const signers = (): readonly ClientRow[] => [
  { name: 'web3signer', role: 'signer', serving: ['eth2', 'eth1'], idle: ['export', 'import', 'watermark-repair'],
    own: ['http-listen-host', 'http-listen-port', 'key-store-path', 'slashing-protection-*', 'http-host-allowlist',
    'key-manager-api-enabled'], configFiles: ['--config-file'], takesSeparateBooleans: true,
    variables: { prefix: 'WEB3SIGNER_' },
    interfaces: {
      http: { addr: '--http-listen-host', port: '--http-listen-port', usual: ['127.0.0.1', 9000],
        switches: { '--key-manager-api-enabled': 'key manager enabled', '--eth2-key-manager-api-enabled': 'key manager enabled' }
        },
      metrics: { enable: '--metrics-enabled', addr: '--metrics-host', port: '--metrics-port', usual: [null, 9001] },
    } },
  { name: 'ethsigner', role: 'signer', images: /(?:^|\/)ethsigner$/, own: ['downstream-http-*'], configFiles: ['--config-file'],
    takesSeparateBooleans: true, variables: { prefix: 'ETHSIGNER_' },
    interfaces: { http: { addr: '--http-listen-host', port: '--http-listen-port', usual: ['127.0.0.1', 8545] } } },
  { name: 'clef', role: 'signer', idle: ['init', 'attest', 'setpw', 'delpw', 'newaccount', 'gendoc', 'importraw',
    'list-accounts', 'list-wallets', 'help'], own: ['stdio-ui', 'stdio-ui-test', '4bytedb', '4bytedb-custom'],
    interfaces: {
      http: { enable: '--http', addr: '--http.addr', port: '--http.port', usual: [null, 8550],
        switches: { '--rules': 'rules sign without asking' } },
    } },
  { name: 'erpc', role: 'proxy', programs: ['erpc', 'erpc-server'], idle: ['validate', 'help', 'version'],
    isConfigured: true,
    interfaces: {
      http: { addr: 'server.httpHostV4', port: 'server.httpPortV4', usual: ['0.0.0.0', 4000] },
      metrics: { addr: 'metrics.hostV4', port: 'metrics.port', usual: ['0.0.0.0', 4001] },
    } },
  { name: 'dshackle', role: 'proxy', programs: ['dshackle', 'dshackle.jar'], isConfigured: true,
    interfaces: {
      grpc: { addr: 'host', port: 'port', usual: [null, 2449] },
      http: { addr: 'proxy.host', port: 'proxy.port' },
    } },
  { name: 'proxyd', role: 'proxy', isConfigured: true,
    interfaces: {
      rpc: { addr: 'server.rpc_host', port: 'server.rpc_port' },
      ws: { addr: 'server.ws_host', port: 'server.ws_port' },
    } },
];
