/** How reth answers. Loaded by the simulator only. Source: crates/rpc/rpc-api and jsonrpsee-server. */
import type { Settings } from '../../facts/settings.js';
import { type Answers, commonResults, servicesIn } from '../answers.js';
import type { Kind } from '../kind.js';

const services = servicesIn(`
admin
  addPeer(1) addTrustedPeer(1) clearTxpool nodeInfo peers removePeer(1) removeTrustedPeer(1)
debug
  executionWitness(1) getBadBlocks getRawBlock(1) getRawHeader(1) getRawReceipts(1) getRawTransaction(1)
  traceBlockByHash(1,2) traceBlockByNumber(1,2) traceCall(1,3) traceTransaction(1,2)
eth
  accounts blockNumber call(1,4) chainId estimateGas(1,4) feeHistory(3) gasPrice getBalance(1,2)
  getBlockByHash(2) getBlockByNumber(2) getBlockReceipts(1) getCode(1,2) getLogs(1) getProof(2,3)
  getStorageAt(2,3) getTransactionByHash(1) getTransactionCount(1,2) getTransactionReceipt(1)
  maxPriorityFeePerGas sendRawTransaction(1) sendTransaction(1) sign(2) syncing
  subscribe logs(1) newHeads newPendingTransactions(0,1) syncing
flashbots
  validateBuilderSubmissionV3(1)
mev
  simBundle(1,2)
miner
  setExtra(1) setGasLimit(1) setGasPrice(1)
net
  listening peerCount version
ots
  getBlockDetails(1) getTransactionError(1) hasCode(1,2) searchTransactionsBefore(3)
reth
  getBalanceChangesInBlock(1)
rpc
  modules
testing
  buildBlockV1(2,4)
trace
  block(1) call(2,3) filter(1) replayBlockTransactions(2) transaction(1)
txpool
  content contentFrom(1) inspect status
web3
  clientVersion sha3(1)
`);

/** The first account of the published mnemonic of development chains. */
const developer = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const chains: Readonly<Record<string, number>> = {
  mainnet: 1,
  sepolia: 11_155_111,
  holesky: 17_000,
  hoodi: 560_048,
  dev: 1337,
};

export function answersOf({ id, release }: Kind, { values }: Settings): Answers {
  const isDev = values.dev?.value === true;
  const chain = String(values.chain?.value ?? (isDev ? 'dev' : 'mainnet'));
  return {
    client: `${id}/${release.tag}-01234567/x86_64-unknown-linux-gnu`,
    chainId: chains[chain] ?? 1,
    accounts: isDev ? [developer] : [],
    services: (_transport, modules) => services.filter(({ namespace }) => modules.includes(namespace)),
    aliases: { methods: {}, subscriptions: {} },
    results: commonResults,
    limits: {
      httpBytes: 15 << 20,
      wsBytes: 15 << 20,
      executionMs: 30_000,
      connections: 500,
      subscriptions: 1024,
    },
    wire: {
      takesObjects: true,
      ignoresParams: true,
      isCompact: true,
      needsVersion: true,
      noNotifications: -32601,
      prefix: { http: null, ws: null },
      preflight: 200,
      wrongPath: 200,
      lowersHost: false,
      sharesPort: true,
      plainOnWs: 400,
      allowsOrigin: () => true,
      graphql: null,
      metrics: { metrics: { path: '/metrics', type: 'text/plain', gauge: 'reth_info' }, profiler: false },
      pprof: { metrics: null, profiler: false },
    },
  };
}
