/** Clients that are no judged kind: how they are recognised, and the interfaces that their words open. */
import { expect, test } from 'vitest';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/all.js';
import {
  describe as describeClient,
  isForPeers,
  type OpenInterface,
  type OtherClient,
  otherAnswering,
  otherOfAnswer,
  otherOfFlags,
  otherOfImage,
  otherOfName,
  otherOfProcess,
  otherOfProgram,
  others,
  summary,
} from '../../../../src/node/kinds/others.js';

type Words = readonly (string | null)[];

/** The words of a line; `?` is a word that cannot be known, '' an empty one. */
function split(line: string): Words {
  const words = line.split(' ').filter((word) => word !== '');
  return words.map((word) => (word === '?' ? null : word === "''" ? '' : word));
}

function started(line: string): OtherClient | null {
  const [program, ...words] = split(line);
  return otherOfProgram(program as string, words);
}

function summaryOf(line: string, variables: Readonly<Record<string, string | null>> = {}): string | null {
  const [, ...words] = split(line);
  const client = started(line);
  return client && summary(client, describeClient(client, words, new Map(Object.entries(variables))));
}

/** A command line, and its summary without "· not judged". */
const commandLines: readonly (readonly [line: string, summary: string])[] = [
  [
    'bor server --http --http.addr 0.0.0.0 --http.api all',
    'bor · http on 0.0.0.0:8545, modules all; grpc on 0.0.0.0:3131',
  ],
  ['rbuilder run config.toml', 'rbuilder · http on an unknown address'],
  ['sentry --sentry.api.addr=0.0.0.0:9091', 'erigon sentry · grpc on 0.0.0.0:9091'],
  ['downloader --downloader.api.addr=0.0.0.0:9093', 'erigon downloader · grpc on 0.0.0.0:9093'],
  ['txpool --txpool.api.addr=0.0.0.0:9094', 'erigon txpool · grpc on 0.0.0.0:9094'],
  ['sentinel --sentinel.addr 0.0.0.0', 'erigon sentinel · grpc on 0.0.0.0:7777'],
  ['diag --diagnostics.addr 0.0.0.0', 'erigon diag · grpc on 0.0.0.0'],
  ['mcp --sse.addr 0.0.0.0:8553', 'erigon mcp · mcp on 0.0.0.0:8553'],
  ['caplin --beacon.api=beacon --beacon.api.addr 0.0.0.0', 'caplin · beacon on 0.0.0.0:5555, modules beacon'],
  [
    'dotnet nethermind.dll --JsonRpc.Host 0.0.0.0 --JsonRpc.EnabledModules Eth,Admin',
    'nethermind · http on 0.0.0.0:8545, modules Eth,Admin, any origin',
  ],
  [
    'nethermind --jsonrpc-host=0.0.0.0 --jsonrpc-enabledmodules [Eth,Debug] --jsonrpc-corsorigins=https://a.example,*',
    'nethermind · http on 0.0.0.0:8545, modules [Eth,Debug], any origin',
  ],
  [
    'nethermind -c mainnet --JsonRpc.Host :: --JsonRpc.CorsOrigins https://*.a.example',
    `nethermind · http on [::]:8545, modules ${nethermindModules()}`,
  ],
  [
    'nethermind --config /etc/x.json --JsonRpc.Host 0.0.0.0',
    'nethermind · http on 0.0.0.0:8545; additional on an unknown address, port 8551',
  ],
  ['nethermind --JsonRpc.Enabled false --JsonRpc.Host 0.0.0.0', 'nethermind · no interface'],
  ['nethermind --jsonrpc-enabled=false --JsonRpc.EnginePort 8551', 'nethermind · no interface'],
  [
    './Nethermind.Runner --config mainnet --JsonRpc.EngineHost 0.0.0.0 --JsonRpc.EnginePort=8552 --JsonRpc.UnsecureDevNoRpcAuthentication=true',
    'nethermind · engine on 0.0.0.0:8552, no login',
  ],
  // Without its port, the host of the engine opens nothing.
  [
    'nethermind --JsonRpc.EngineHost 0.0.0.0',
    `nethermind · http on 127.0.0.1:8545, modules ${nethermindModules()}, any origin; additional on localhost:8551, modules net,eth,subscribe,engine,web3,client, any origin`,
  ],
  [
    'nethermind --JsonRpc.AdditionalRpcUrls http://localhost:8551|http|engine,http://0.0.0.0:8560|http|admin;net',
    'nethermind · additional on 0.0.0.0:8560, modules admin,net, any origin',
  ],
  [
    `nethermind --jsonrpc-additionalrpcurls ["http://0.0.0.0:8551|http;ws|net;engine|no-auth"] --JsonRpc.CorsOrigins=x`,
    'nethermind · additional on 0.0.0.0:8551, modules net,engine, no login',
  ],
  [
    'nethermind --JsonRpc.AdditionalRpcUrls ? --JsonRpc.CorsOrigins=x',
    `nethermind · additional on an unknown address, port 8551, modules net,eth,subscribe,engine,web3,client`,
  ],
  [
    'nethermind --JsonRpc.AdditionalRpcUrls [] --JsonRpc.CorsOrigins=x',
    `nethermind · http on 127.0.0.1:8545, modules ${nethermindModules()}`,
  ],
  ['besu --rpc-http-enabled --rpc-http-host=0.0.0.0 --rpc-http-api=ETH,ADMIN', besuOpen()],
  [
    'besu --rpc-http-enabled --rpc-http-host=0.0.0.0 --rpc-http-apis=ETH,DEBUG --rpc-http-cors-origins=all --host-allowlist * --engine-jwt-disabled --engine-host-allowlist=all',
    'besu · http on 0.0.0.0:8545, modules ETH,DEBUG, any origin, any Host; engine on 0.0.0.0:8551, any Host, no login',
  ],
  [
    'besu --rpc-http-enabled=true --rpc-http-host=0.0.0.0 --rpc-http-cors-origins=https://a.example --host-allowlist=a.example --rpc-http-authentication-enabled --rpc-http-api-methods-no-auth=admin_peers --engine-rpc-enabled=false',
    'besu · http on 0.0.0.0:8545, modules ETH,NET,WEB3, login required, some methods without login',
  ],
  [
    'besu --rpc-ws-enabled --rpc-ws-host 0.0.0.0 --host-whitelist=* --rpc-ws-authentication-enabled',
    'besu · ws on 0.0.0.0:8546, modules ETH,NET,WEB3, any Host, login required',
  ],
  [
    'besu --graphql-http-enabled --graphql-http-host=0.0.0.0 --graphql-http-cors-origins=*',
    'besu without --rpc-http-enabled · graphql on 0.0.0.0:8547, any origin',
  ],
  // Its genesis block decides on the engine.
  [
    'besu --genesis-file=/g.json --rpc-http-enabled --rpc-http-host=0.0.0.0',
    'besu · http on 0.0.0.0:8545, modules ETH,NET,WEB3',
  ],
  [
    'besu --genesis-file=/g.json --rpc-http-host=0.0.0.0 --engine-jwt-secret=/jwt',
    'besu without --rpc-http-enabled · engine on 0.0.0.0:8551',
  ],
  // A config file may set it.
  [
    'besu --config-file=/c.toml --graphql-http-enabled',
    'besu · graphql on an unknown address, port 8547; engine on an unknown address, port 8551',
  ],
  [
    'ethsigner --http-listen-host=0.0.0.0 --downstream-http-port=8545 file-based-signer -k /k',
    'ethsigner · http on 0.0.0.0:8545',
  ],
  [
    'parity --jsonrpc-interface 0.0.0.0 --jsonrpc-apis all --no-ws',
    'parity · http on 0.0.0.0:8545, modules all',
  ],
  ['besu --rpc-ws-enabled=true --rpc-ws-host 0.0.0.0', 'besu · ws on 0.0.0.0:8546, modules ETH,NET,WEB3'],
  [
    'bor server -http -http.addr 0.0.0.0 --grpc.addr 127.0.0.1:3131',
    'bor · http on 0.0.0.0:8545, modules eth,net,web3,txpool,bor',
  ],
  ['bor server', 'bor without --http · grpc on 0.0.0.0:3131'],
  ['nitro --http.addr=0.0.0.0 --http.api=eth,arbdebug', 'nitro · http on 0.0.0.0:8547, modules eth,arbdebug'],
  ['nitro --ws.addr 0.0.0.0 --ws.expose-all', 'nitro · ws on 0.0.0.0:8548, all private APIs'],
  [
    'avalanchego --http-host=0.0.0.0 --api-admin-enabled',
    'avalanchego · http on 0.0.0.0:9650, admin API enabled',
  ],
  ['sonicd --http --http.addr 0.0.0.0 --http.api dag', 'sonic · http on 0.0.0.0:18545, modules dag'],
  ['geth --proxy.proxied --rpc --rpcaddr 0.0.0.0', 'celo · http on 0.0.0.0:8545'],
  [
    'tomo --rpc --rpcaddr 0.0.0.0 --rpcapi personal --unlock 0',
    'viction · http on 0.0.0.0:8545, modules personal, accounts unlocked',
  ],
  ['XDC --ws --wsaddr 0.0.0.0 --wsapi eth', 'XDC · ws on 0.0.0.0:8546, modules eth'],
  ['l2geth --rpc', 'l2geth · http on an unknown address, port 8545'],
  ['ronin --http --http.addr 0.0.0.0', 'ronin · http on 0.0.0.0:8545'],
  ['taiko-geth --http --http.addr 0.0.0.0', 'taiko-geth · http on 0.0.0.0:8545'],
  ['linea-geth --http --http.addr 0.0.0.0', 'linea-geth · http on 0.0.0.0:8545'],
  [
    'evmosd start --json-rpc.enable --json-rpc.address 0.0.0.0:8545 --json-rpc.ws-address 127.0.0.1:8546 --grpc.enable=false --api.enable=false --rpc.laddr tcp://127.0.0.1:26657',
    'cosmos-evm · json-rpc on 0.0.0.0:8545',
  ],
  ['ethrex --http.addr 0.0.0.0', 'ethrex · http on 0.0.0.0:8545'],
  ['ethrex --metrics', 'ethrex · metrics on 0.0.0.0:9090'],
  ['nimbus_execution_client --rpc --http-address:0.0.0.0', 'nimbus-eth1 · http on 0.0.0.0:8545'],
  ['npx ethereumjs --rpc --rpcAddr 0.0.0.0', 'ethereumjs · http on 0.0.0.0:8545'],
  [
    'ethereumjs --rpcEngine --rpcEngineAddr 0.0.0.0 --rpcEngineAuth=false',
    'ethereumjs without --rpc · engine on 0.0.0.0:8551, no login',
  ],
  ['anvil --host 0.0.0.0', 'anvil · http on 0.0.0.0:8545'],
  ['anvil', 'anvil · http on 127.0.0.1:8545'],
  ['npx hardhat node --hostname 0.0.0.0', 'hardhat · http on 0.0.0.0:8545'],
  ['pnpm exec hardhat node', 'hardhat · http on an unknown address, port 8545'],
  ['ganache-cli -h 0.0.0.0 -p 7545', 'ganache · http on 0.0.0.0:7545'],
  ['op-node --rpc.addr=0.0.0.0 --rpc.enable-admin', 'op-node · rpc on 0.0.0.0:9545, admin API enabled'],
  ['op-node', 'op-node · rpc on an unknown address, port 9545'],
  ['op-batcher --rpc.enable-admin', 'op-batcher · rpc on 0.0.0.0:8545, admin API enabled'],
  ['op-proposer', 'op-proposer · rpc on 0.0.0.0:8545'],
  ['op-challenger', 'op-challenger · rpc on 0.0.0.0:8545'],
  ['op-dispute-mon', 'op-dispute-mon · rpc on 0.0.0.0:8545'],
  ['op-conductor --rpc.addr 127.0.0.1 --consensus.addr 0.0.0.0', 'op-conductor · consensus on 0.0.0.0:50050'],
  ['op-supervisor --rpc.addr 10.1.2.3', 'op-supervisor · rpc on 10.1.2.3:8545'],
  ['rollup-boost --debug-host 0.0.0.0', 'rollup-boost · debug on 0.0.0.0:5555'],
  [
    'heimdalld start --rpc.laddr tcp://127.0.0.1:26657 --grpc.address 127.0.0.1:3132',
    'heimdalld · rest on 0.0.0.0:1317',
  ],
  ['eigenda-proxy --addr 0.0.0.0', 'eigenda-proxy · http on 0.0.0.0:3100'],
  ['celestia light start --rpc.addr 0.0.0.0 --rpc.skip-auth', 'celestia · rpc on 0.0.0.0:26658, no login'],
  ['rollkit start --rollkit.rpc.address 0.0.0.0:7331', 'ev-node · rpc on 0.0.0.0:7331'],
  ['taiko-client driver', 'taiko-client · http on an unknown address'],
  ['maru', 'maru · http on an unknown address'],
  ['prover-server', 'prover · http on an unknown address'],
  ['daserver --addr 0.0.0.0', 'da-server · http on 0.0.0.0'],
  ['mev-boost-relay api', 'relay · http on an unknown address'],
  ['contender server', 'contender · http on an unknown address'],
  ['json_rpc_snoop -b 0.0.0.0 -p 3000', 'snooper · http on 0.0.0.0:3000'],
  ['lighthouse --network mainnet bn --http --http-address 0.0.0.0', 'lighthouse · http on 0.0.0.0:5052'],
  [
    'lighthouse vc --beacon-nodes ? --http --http-address 0.0.0.0 --unencrypted-http-transport',
    'lighthouse vc · http on 0.0.0.0:5062',
  ],
  ['beacon-chain --rpc-host=0.0.0.0', 'prysm beacon-chain · grpc on 0.0.0.0:4000'],
  ['./prysm.sh beacon-chain --grpc-gateway-host=0.0.0.0', 'prysm beacon-chain · http on 0.0.0.0:3500'],
  ['bash prysm.sh validator --web --http-host 0.0.0.0', 'prysm validator · http on 0.0.0.0:7500'],
  ['teku --rest-api-enabled=true --rest-api-interface=0.0.0.0', 'teku · rest on 0.0.0.0:5051'],
  ['teku validator-client --validator-api-enabled', 'teku · validator on an unknown address, port 5052'],
  ['nimbus_beacon_node --rest --rest-address=0.0.0.0', 'nimbus · rest on 0.0.0.0:5052'],
  [
    'nimbus_validator_client --keymanager --keymanager-address=0.0.0.0',
    'nimbus validator client · keymanager on 0.0.0.0:5052',
  ],
  [
    'node --max-old-space-size=8192 ./packages/cli/bin/lodestar beacon --rest.address 0.0.0.0 --rest.namespace *',
    'lodestar · rest on 0.0.0.0:9596, modules *',
  ],
  [
    'lodestar validator --keymanager --keymanager.address 0.0.0.0 --keymanager.auth=false',
    'lodestar validator · keymanager on 0.0.0.0:5062, no login',
  ],
  [
    'grandine --http-address 0.0.0.0 --http-port 5052 --enable-validator-api',
    'grandine · http on 0.0.0.0:5052, validator API enabled',
  ],
  ['mev-boost -addr 0.0.0.0:18550 -relay-check', 'mev-boost · http on 0.0.0.0:18550'],
  ['charon run --validator-api-address=0.0.0.0:3600', 'charon · validator on 0.0.0.0:3600'],
  ['commit-boost-pbs', 'commit-boost · api on an unknown address'],
  ['slasher', 'prysm slasher · api on an unknown address'],
  ['vouch', 'vouch · api on an unknown address'],
  ['dirk', 'dirk · api on an unknown address'],
  ['ssvnode start-node', 'ssvnode · api on an unknown address'],
  [
    'web3signer --http-listen-host=0.0.0.0 eth2 --key-manager-api-enabled=true',
    'web3signer · http on 0.0.0.0:9000, key manager enabled',
  ],
  [
    'clef --http --http.addr 0.0.0.0 --rules rules.js',
    'clef · http on 0.0.0.0:8550, rules sign without asking',
  ],
  [
    'erpc /root/erpc.yaml',
    'erpc · http on an unknown address, port 4000; metrics on an unknown address, port 4001',
  ],
  ['java -jar dshackle.jar', 'dshackle · grpc on an unknown address, port 2449; http on an unknown address'],
  ['proxyd config.toml', 'proxyd · rpc on an unknown address; ws on an unknown address'],
];

function nethermindModules(): string {
  return 'Eth,Subscribe,Trace,TxPool,Web3,Proof,Net,Parity,Health,Rpc';
}

function besuOpen(): string {
  return 'besu · http on 0.0.0.0:8545, modules ETH,ADMIN; engine on 0.0.0.0:8551';
}

test.each(commandLines)('%s opens %s', (line, words) => {
  expect(summaryOf(line)).toBe(`${words} · not judged`);
});

const environments: readonly (readonly [string, Readonly<Record<string, string | null>>, string])[] = [
  [
    'op-node',
    { OP_NODE_RPC_ADDR: '0.0.0.0', OP_NODE_RPC_ENABLE_ADMIN: 'true' },
    'op-node · rpc on 0.0.0.0:9545, admin API enabled',
  ],
  ['op-node', { OP_NODE_RPC_ADDR: null }, 'op-node · rpc on an unknown address, port 9545'],
  ['op-node --rpc.addr 127.0.0.1', { OP_NODE_RPC_ADDR: '0.0.0.0' }, 'op-node · rpc on 127.0.0.1:9545'],
  [
    'nethermind',
    { NETHERMIND_JSONRPCCONFIG_HOST: '0.0.0.0', NETHERMIND_JSONRPCCONFIG_ENABLEDMODULES: 'admin' },
    'nethermind · http on 0.0.0.0:8545, modules admin, any origin',
  ],
  [
    'nethermind --JsonRpc.Host 127.0.0.1',
    { NETHERMIND_JSONRPCCONFIG_HOST: '0.0.0.0', NETHERMIND_JSONRPCCONFIG_CORSORIGINS: 'https://a.example' },
    `nethermind · http on 127.0.0.1:8545, modules ${nethermindModules()}; additional on localhost:8551, modules net,eth,subscribe,engine,web3,client`,
  ],
  [
    'nethermind',
    {
      NETHERMIND_JSONRPCCONFIG_HOST: ' ',
      NETHERMIND_JSONRPCCONFIG_ADDITIONALRPCURLS: 'http://0.0.0.0:8550|http|engine|no-auth',
    },
    'nethermind · additional on 0.0.0.0:8550, modules engine, any origin, no login',
  ],
  // The variable counts over --config.
  [
    'nethermind --config mainnet',
    { NETHERMIND_CONFIG: '/etc/x.json' },
    'nethermind · http on an unknown address, port 8545; additional on an unknown address, port 8551',
  ],
  [
    'besu --rpc-http-enabled --rpc-http-host=0.0.0.0 --host-allowlist=a.example',
    { BESU_HOST_ALLOWLIST: '*', BESU_RPC_HTTP_CORS_ORIGINS: '*', BESU_ENGINE_JWT_DISABLED: 'true' },
    'besu · http on 0.0.0.0:8545, modules ETH,NET,WEB3, any origin; engine on 0.0.0.0:8551, no login',
  ],
  [
    'besu --rpc-http-enabled --rpc-http-host=0.0.0.0 --engine-rpc-enabled=false',
    { BESU_RPC_HTTP_CORS_ORIGINS: null, BESU_RPC_HTTP_AUTHENTICATION_ENABLED: 'false' },
    'besu · http on 0.0.0.0:8545, modules ETH,NET,WEB3',
  ],
  [
    'besu',
    { BESU_RPC_WS_ENABLED: 'true', BESU_RPC_WS_HOST: '0.0.0.0' },
    'besu · ws on 0.0.0.0:8546, modules ETH,NET,WEB3',
  ],
  ['mev-boost', { BOOST_LISTEN_ADDR: '0.0.0.0:18550' }, 'mev-boost · http on 0.0.0.0:18550'],
  ['anvil', { ANVIL_IP_ADDR: '0.0.0.0' }, 'anvil · http on 0.0.0.0:8545'],
  [
    'zksync_external_node',
    { EN_HTTP_PORT: '3060', EN_API_NAMESPACES: 'debug' },
    'zksync external node · http on an unknown address, port 3060, modules debug; ws on an unknown address, port 3061, modules debug; health on an unknown address, port 3081',
  ],
];

test.each(environments)('%s with %o opens %s', (line, variables, words) => {
  expect(summaryOf(line, variables)).toBe(`${words} · not judged`);
});

const withImages = others().filter(({ images }) => images !== null);
const images: readonly (readonly [image: string, command: string, client: string | null])[] = [
  ['registry.example:5000/0xpolygon/bor:v1.10.2', 'server --http', 'bor'],
  ['0xpolygon/bor@sha256:00', '', 'bor'],
  ['0xpolygon/bor:v1', 'snapshot --chain x', null],
  ['0xpolygon/bor:v1', 'sh -c ?', 'bor'],
  ['example/rbuilder', '', 'rbuilder'],
  ['nethermind/nethermind', '', 'nethermind'],
  ['openethereum/openethereum:v3.3.5', '', 'parity'],
  ['hyperledger/besu:latest', 'operator generate-blockchain-config', null],
  ['consensys/linea-besu-package', '', 'besu'],
  ['0xpolygon/bor:2', 'server', 'bor'],
  ['offchainlabs/nitro-node:v3.5', '--http.addr=0.0.0.0', 'nitro'],
  ['avaplatform/avalanchego', '', 'avalanchego'],
  ['fantom/opera', '', 'sonic'],
  ['example/evmos', 'evmosd start', 'cosmos-evm'],
  ['ghcr.io/lambdaclass/ethrex', '', 'ethrex'],
  ['statusim/nimbus-eth1', '', 'nimbus-eth1'],
  ['ethpandaops/ethereumjs', '', 'ethereumjs'],
  ['quorumengineering/quorum', '', null],
  ['us.gcr.io/celo-org/geth:1', '', 'celo'],
  ['us-west1-docker.pkg.dev/devopsre/celo-blockchain-public/op-geth', '', null],
  ['tomochain/node', '', 'viction'],
  ['xinfinorg/xinfinnetwork', '', 'XDC'],
  ['scrolltech/l2geth', '', 'l2geth'],
  ['axieinfinity/ronin', '', 'ronin'],
  ['coredao/core', '', 'core'],
  ['example/bitlayer', '', 'bitlayer'],
  ['example/ab-node', '', 'ab'],
  ['example/neox-geth', '', 'neox'],
  ['zircuit/l2-geth', '', 'zircuit'],
  ['example/taiko-geth', '', 'taiko-geth'],
  ['example/linea-geth', '', 'linea-geth'],
  ['worldland/node', '', 'worldland'],
  ['lightlink/node', '', 'lightlink'],
  ['matterlabs/external-node:v26', '', 'zksync external node'],
  ['ghcr.io/foundry-rs/foundry', 'anvil --host 0.0.0.0', 'anvil'],
  ['ghcr.io/foundry-rs/foundry', 'forge test', null],
  ['ghcr.io/foundry-rs/foundry', '', null],
  ['example/hardhat-node', '', 'hardhat'],
  ['trufflesuite/ganache-cli', '', 'ganache'],
  ['us-docker.pkg.dev/oplabs-tools-artifacts/images/op-node:v1', '', 'op-node'],
  ...['op-batcher', 'op-proposer', 'op-challenger', 'op-dispute-mon', 'op-conductor', 'op-supervisor'].map(
    (name) => [`oplabs/images/${name}:v1`, '', name] as const,
  ),
  ['flashbots/rollup-boost', '', 'rollup-boost'],
  ['0xpolygon/heimdall-v2', 'start', 'heimdalld'],
  ['ghcr.io/layr-labs/eigenda-proxy', '', 'eigenda-proxy'],
  ['ghcr.io/celestiaorg/celestia-node', '', 'celestia'],
  ['example/ev-node', '', 'ev-node'],
  ['example/taiko-client', '', 'taiko-client'],
  ['consensys/maru', '', 'maru'],
  ['example/prover-node', '', 'prover'],
  ['example/da-server', '', 'da-server'],
  ['flashbots/mev-boost-relay', '', 'relay'],
  ['flashbots/contender', '', 'contender'],
  ['ethpandaops/rpc-snooper', '', 'snooper'],
  ['sigp/lighthouse:v7', 'lighthouse bn --http', 'lighthouse'],
  ['sigp/lighthouse:v7', 'lighthouse vc', 'lighthouse vc'],
  ['gcr.io/prysmaticlabs/prysm/beacon-chain:stable', '', 'prysm beacon-chain'],
  ['gcr.io/prysmaticlabs/prysm/validator:stable', '--web', 'prysm validator'],
  ['consensys/teku', '', 'teku'],
  ['statusim/nimbus-eth2:multiarch-latest', '', 'nimbus'],
  ['statusim/nimbus-validator-client', '', 'nimbus validator client'],
  ['chainsafe/lodestar', 'beacon', 'lodestar'],
  ['chainsafe/lodestar', 'validator', 'lodestar validator'],
  ['sifrai/grandine', '', 'grandine'],
  ['flashbots/mev-boost', '', 'mev-boost'],
  ['obolnetwork/charon', 'run', 'charon'],
  ['ghcr.io/commit-boost/pbs', '', 'commit-boost'],
  ['gcr.io/prysmaticlabs/prysm/slasher', '', 'prysm slasher'],
  ['attestantio/vouch', '', 'vouch'],
  ['attestantio/dirk', '', 'dirk'],
  ['ssvlabs/ssv-node', '', 'ssvnode'],
  ['consensys/web3signer', 'eth2', 'web3signer'],
  ['consensys/ethsigner', '--http-listen-host=0.0.0.0 multikey-signer', 'ethsigner'],
  ['example/clef', '', 'clef'],
  ['ghcr.io/erpc/erpc', '', 'erpc'],
  ['emeraldpay/dshackle', '', 'dshackle'],
  ['us-docker.pkg.dev/oplabs-tools-artifacts/images/proxyd', '', 'proxyd'],
  ['nginx:1', '', null],
  ['ethereum/client-go', '', null],
  ['kaiachain/kaia', '', null],
  ['node:22', 'npm start', null],
];

test.each(images)('image %s with command "%s" is %s', (image, command, name) => {
  expect(otherOfImage(image, split(command))?.name ?? null).toBe(name);
});

test('every client has a row in the tables of command lines or images', () => {
  const named = new Set([
    ...commandLines.map(([line]) => started(line)?.name),
    ...images.map(([, , name]) => name),
  ]);
  expect(
    others()
      .filter(({ name }) => !named.has(name))
      .map(({ name }) => name),
  ).toEqual([]);
  const seen = new Set(images.map(([, , name]) => name));
  expect(withImages.filter(({ name }) => !seen.has(name)).map(({ name }) => name)).toEqual([]);
});

test.each([
  'bor snapshot --chain mainnet',
  'bor peers list',
  'bor --help',
  'besu --data-path /data operator generate-blockchain-config',
  'bor attach bor.ipc',
  'lighthouse account validator',
  'hardhat test',
  'npx hardhat compile',
  'npm start',
  'evmosd query bank',
  'containerd start',
  'kend start',
  'ken --http',
  'geth --http --http.api admin',
  'validator --config x',
  'sentry run',
  'docker compose up',
  'forge test --fork-url x',
  'web3signer export',
  'node server.js',
  'bor unknown-command',
])('%s is not recognised as a client', (line) => {
  expect(started(line)?.name ?? null).toBeNull();
});

test.each([
  ['--JsonRpc.Enabled true', 'nethermind'],
  ['--rpc-http-enabled', 'besu'],
  ['--parent-chain.connection.url=x', 'nitro'],
  ['--api-admin-enabled=true', 'avalanchego'],
  ['--json-rpc.enable', 'cosmos-evm'],
  ['--l2.jwt-secret /jwt', 'op-node'],
  ['--execution-endpoint x', 'lighthouse'],
  ['--grpc-gateway-host=0.0.0.0', 'prysm beacon-chain'],
  ['--ee-endpoint x', 'teku'],
  ['--rest-address=0.0.0.0', 'nimbus'],
  ['--rest.address 0.0.0.0', 'lodestar'],
  ['--http-listen-host=0.0.0.0', 'web3signer'],
])('the flags %s are those of %s', (line, name) => {
  expect(otherOfFlags(split(line))?.name).toBe(name);
});

test('no judged kind has an own flag of another client', () => {
  const wrong = others().flatMap(({ name, own }) =>
    own
      .filter((flag) => kinds.some((kind) => kind.flags.ofAnyRelease(flag) !== null))
      .map((flag) => `${name}: ${flag}`),
  );
  expect(wrong).toEqual([]);
  const known = kinds.flatMap((kind) => kind.programs.flatMap((one) => kind.flags.of(one).flags));
  expect(known.length).toBeGreaterThan(100);
  const caught = known.filter(({ name }) => otherOfFlags([`--${name}`]) !== null).map(({ name }) => name);
  expect(caught).toEqual([]);
});

/** Words, and whether each interface is known to be on loopback alone. */
const loopback: readonly (readonly [line: string, isLoopback: boolean])[] = [
  ['besu --rpc-http-enabled --rpc-ws-enabled', true],
  ['besu --rpc-http-enabled --rpc-http-host 127.0.0.1', true],
  ['besu --rpc-http-enabled --rpc-http-host 127.0.0.1 ?', false],
  ['besu --data-path ? --rpc-http-enabled', true],
  ['besu --rpc-http-host $ADDR --rpc-http-enabled', false],
  ['besu $OPTS --rpc-http-enabled', false],
  ['besu --rpc-http-enabled --rpc-http-host 0.0.0.0 --rpc-http-host 127.0.0.1', false],
  ['besu --rpc-http-enabled --rpc-http-host=${IP:-127.0.0.1}', false],
  ['besu --rpc-http-enabled', true],
  ['besu --config-file=/etc/besu.toml', false],
  [
    'besu --config-file=/etc/besu.toml --rpc-http-enabled --rpc-http-host 127.0.0.1 --engine-rpc-enabled=false',
    true,
  ],
  ['nethermind --config mainnet', true],
  ['nethermind --config /etc/mainnet.json', false],
  ['nethermind --JsonRpc.AdditionalRpcUrls http://127.0.0.1:8550|http|eth,http://[::1]:8551|http|eth', true],
  ['nethermind --JsonRpc.AdditionalRpcUrls http://127.0.0.1:8550|http|eth,http://*:8551|http|eth', false],
  ['bor server --grpc.addr localhost:3131', true],
  ['bor server --grpc.addr :3131', false],
  ['op-node --rpc.addr=localhost', true],
  ['op-node --rpc.addr=localhost --metrics.enabled', false],
  ['lighthouse bn --http --metrics', true],
  ['anvil --host 127.0.0.1,0.0.0.0', false],
];

test.each(loopback)('%s: loopback alone is %s', (line, expected) => {
  const [, ...words] = split(line);
  const client = started(line) as OtherClient;
  const open: readonly OpenInterface[] = describeClient(client, words);
  expect(open.length).toBeGreaterThan(0);
  expect(open.every(({ isLoopback }) => isLoopback)).toBe(expected);
});

test('an unknown word leaves an interface of unknown address where the others open none', () => {
  const client = started('nimbus_execution_client ?') as OtherClient;
  expect(describeClient(client, [null])).toEqual([
    {
      name: 'http',
      bind: null,
      port: 8545,
      modules: null,
      switches: [],
      isLoopback: false,
      mayOpenOthers: true,
    },
  ]);
});

test.each([
  ['Nethermind/v1.31.0+0a1b2c3d/linux-x64/dotnet9.0', 'nethermind'],
  ['besu/v25.3.0/linux-x86_64/openjdk-java-21', 'besu'],
  ['bor/v2.2.11/linux-amd64/go1.24', 'bor'],
  ['nitro/v3.5.0/linux-amd64/go1.23', 'nitro'],
  ['go-opera/v1.1.2/linux-amd64/go1.18', 'sonic'],
  ['Sonic/v2.0.0/linux-amd64/go1.22', 'sonic'],
  ['celo/v1.8.0-stable/linux-amd64/go1.19', 'celo'],
  ['XDC/v2.4.0/linux-amd64/go1.21', 'XDC'],
  ['ethrex/v9.0.0/x86_64-unknown-linux-gnu/rustc-v1.90.0', 'ethrex'],
  ['nimbus-eth1/v0.2.0-0a1b2c3d/linux-amd64/Nim-2.2.4', 'nimbus-eth1'],
  ['zkSync/v2.0', 'zksync external node'],
  ['anvil/v1.5.1', 'anvil'],
  ['HardhatNetwork/2.19.0/@nomicfoundation/edr/0.2.0-dev', 'hardhat'],
  ['Ganache/v7.9.2/EthereumJS TestRPC/v7.9.2/ethereum-js', 'ganache'],
  ['EthereumJS TestRPC/v2.13.2/ethereum-js', 'ganache'],
  ['Geth/v1.10.3-stable(quorum-v23.4.0)/linux-amd64/go1.19', null],
  ['Geth/v1.17.8-stable/linux-amd64/go1.25', null],
  ['Kaia/v2.2.1/linux-amd64/go1.24', null],
  ['Klaytn/v1.12.0/linux-amd64/go1.20', null],
])('the answer %s is that of %s', (answer, name) => {
  expect(otherOfAnswer(answer)?.name ?? null).toBe(name);
});

test.each([
  ['/usr/bin/bor server --http', null, 'bor by program'],
  ['/opt/beacon-chain-v5.0.3-linux-amd64 --rpc-host=0.0.0.0', null, 'prysm beacon-chain by program'],
  ['/opt/node --http', 'github.com/ethereum-optimism/optimism/op-node/cmd', 'op-node by program'],
  ['/opt/node --l2.jwt-secret=x --rollup.config=y', null, 'op-node by flags'],
  ['/opt/node --http', 'example.com/x', null],
  ['/usr/bin/bor peers list', null, null],
])('the process “%s” of the build %s runs %s', (line, path, expected) => {
  const build = path === null ? null : { path, module: null, version: null, tag: null };
  const found = otherOfProcess(line.split(' '), build);
  expect(found === null ? null : `${found.client.name} by ${found.by}`).toBe(expected);
});

test.each([
  ['node /app/node_modules/hardhat/internal/cli.js node', 'hardhat'],
  ['node /app/node_modules/@nomic/hardhat/cli.js node', 'hardhat'],
  ['node --inspect /app/node_modules/hardhat/cli.js node', 'hardhat'],
  ['node /app/node_modules/.pnpm/x/node_modules/hardhat/cli.js node', 'hardhat'],
  ['node /app/node_modules/x/lib/node_modules/hardhat/cli.js node', 'hardhat'],
  ['node /app/node_modules/hardhat/lib/node_modules/x/cli.js node', null],
  ['node /app/node_modules/hardhat/node_modules/x/cli.js node', null],
  ['node /app/node_modules/hardhat.js node', null],
  ['node /app/node_modules/.hardhat/cli.js node', null],
  ['node /app/hardhat/cli.js node', null],
  ['npx exec run hardhat node', 'hardhat'],
  ['npx', null],
  ['npx --yes', null],
  ['bash ? hardhat node', 'hardhat'],
  ['C:\\tools\\bor server', 'bor'],
  ['java -jar /opt/dshackle-0.15.1-all.jar', 'dshackle'],
  ['java -jar /x/dshackle.jar-bak', null],
  ['java -cp /x org.hyperledger.besu.Besu --rpc-http-enabled', 'besu'],
  ['java -cp /x hyperledger.besu', null],
  ['java -cp /x Besu.hyperledger', null],
  ['java ? -version', null],
  ['prysm.sh ? --web', null],
  ['prysm.sh', null],
  ['prysm.bat beacon-chain', 'prysm beacon-chain'],
  ['bor ?', 'bor'],
  ['bor --datadir ?', null],
  ['bor --datadir ? ?', 'bor'],
  ['bor --datadir=x ?', 'bor'],
  ['bor --datadir server', null],
  ['bor --http=true server', 'bor'],
  ['bor server snapshot', 'bor'],
  ['bor snapshot server', null],
  ['bor server --version', null],
])('“%s” is %s', (line, name) => {
  expect(started(line)?.name ?? null).toBe(name);
});

test.each<[image: string, words: Words, name: string | null]>([
  ['0xpolygon/bor', ['bor  server --http '], 'bor'],
  ['0xpolygon/bor', [' bor snapshot'], null],
  ['0xpolygon/bor', ['/usr/local/bin/ethrex', '--http.addr'], 'ethrex'],
  ['0xpolygon/bor', ['usr/ethrex', '--http.addr'], 'ethrex'],
  ['0xpolygon/bor', ['server --http', '--ws'], 'bor'],
  ['0xpolygon/bor', [null], 'bor'],
  ['0xpolygon/bor', ['status'], null],
  ['example/nothing', ['bor', 'server'], null],
  ['localhost:5000/x:1/bor', [], 'bor'],
])('a container of %s with the words %j runs %s', (image, words, name) => {
  expect(otherOfImage(image, words)?.name ?? null).toBe(name);
});

test.each([
  ['/opt/beacon-chain-v15.10.3-linux-amd64 --x', 'prysm beacon-chain'],
  ['/opt/beacon-chain_5.0 --x', 'prysm beacon-chain'],
  ['/opt/bor-v1.2/x server', null],
  ['/opt/beacon-chain-linux --x', null],
])('the process “%s” runs %s', (line, name) => {
  expect(otherOfProcess(line.split(' '), null)?.client.name ?? null).toBe(name);
});

test('an endpoint that was not asked for its client is none of these', () => {
  expect(otherAnswering({ client: seen('bor/v1') })?.name).toBe('bor');
  expect([otherAnswering({ client: notSeen('refused', '') }), otherAnswering({ client: seen('x') })]).toEqual(
    [null, null],
  );
});

test.each([
  ['--log.stdout', null],
  ['--bor.runheimdall', 'bor'],
  ['--private.api.addrx', null],
  ['--http', null],
  ['?', null],
])('the flag %s is of %s', (line, name) => {
  expect(otherOfFlags(split(line))?.name ?? null).toBe(name);
});

test('a client is found by the name of its program alone', () => {
  expect([otherOfName('bor')?.name, otherOfName('geth')]).toEqual(['bor', null]);
});

test.each([
  ['bor server', 30303, true],
  ['bor server --port 40303', 40303, true],
  ['bor server --http.port 40303', 40303, false],
  ['bor server --port 40303', 8545, false],
  ['op-node', 9222, true],
  ['op-node', 30303, false],
])('“%s” listens for peers on %d: %s', (line, port, expected) => {
  const client = started(line) as OtherClient;
  expect(isForPeers(client, split(line).slice(1), port)).toBe(expected);
});
