/** Nodes for development: their accounts are public and unlocked. */
import { client, type OtherClient, port } from './row.js';

export const development: readonly OtherClient[] = [
  client('anvil', 'development', {
    images: /(?:^|\/)foundry-rs\/foundry$|(?:^|\/)foundry$|(?:^|\/)anvil$/,
    isToolbox: true,
    own: 'auto-impersonate',
    clientName: /^anvil\//i,
    interfaces: [
      port('http', { bind: '--host $ANVIL_IP_ADDR', port: '--port -p', usual: ['127.0.0.1', 8545] }),
    ],
  }),
  client('hardhat', 'development', {
    serving: 'node',
    idle: 'test compile run clean console flatten verify accounts help ignition check coverage deploy init',
    images: /(?:^|\/)hardhat(?:-node)?$/,
    clientName: /^HardhatNetwork\//i,
    takesSeparateBooleans: true,
    interfaces: [
      port('http', {
        bind: '--hostname',
        port: '--port',
        usual: ['localhost', 8545],
        isOtherInContainer: true,
      }),
    ],
  }),
  client('ganache', 'development', {
    programs: ['ganache', 'ganache-cli'],
    idle: 'instances',
    images: /(?:^|\/)trufflesuite\/ganache(?:-cli)?$|(?:^|\/)ganache(?:-cli)?$/,
    own: 'wallet.mnemonic wallet.deterministic wallet.totalAccounts server.host',
    clientName: /^(?:Ganache\/|EthereumJS TestRPC\/)/i,
    takesSeparateBooleans: true,
    interfaces: [
      port('http', {
        bind: '--server.host --host --hostname -h',
        port: '--server.port --port -p',
        usual: ['localhost', 8545],
        isOtherInContainer: true,
      }),
    ],
  }),
];
