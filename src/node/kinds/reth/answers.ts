/** How reth answers. Loaded by the simulator only. Source: crates/rpc/rpc-api and jsonrpsee-server. */
import type { Settings } from '../../facts/settings.js';
import { type Answers, chainIds, plainAnswers, plainWire, type Service } from '../answers.js';
import type { KindReleases } from '../kind.js';

// biome-ignore format: a table, its lines filled by hand
export const services: readonly Service[] = [
  { namespace: 'admin', methods: {
    addPeer: 1, addTrustedPeer: 1, clearTxpool: 0, nodeInfo: 0, peers: 0, removePeer: 1, removeTrustedPeer: 1,
  } },
  { namespace: 'debug', methods: {
    executionWitness: 1, getBadBlocks: 0, getRawBlock: 1, getRawHeader: 1, getRawReceipts: 1, getRawTransaction: 1,
    traceBlockByHash: [1, 2], traceBlockByNumber: [1, 2], traceCall: [1, 3], traceTransaction: [1, 2],
  } },
  { namespace: 'eth', methods: {
    accounts: 0, blockNumber: 0, call: [1, 4], chainId: 0, estimateGas: [1, 4], feeHistory: 3, gasPrice: 0,
    getBalance: [1, 2], getBlockByHash: 2, getBlockByNumber: 2, getBlockReceipts: 1, getCode: [1, 2], getLogs: 1,
    getProof: [2, 3], getStorageAt: [2, 3], getTransactionByHash: 1, getTransactionCount: [1, 2],
    getTransactionReceipt: 1, maxPriorityFeePerGas: 0, sendRawTransaction: 1, sendTransaction: 1, sign: 2,
    syncing: 0,
  }, subscriptions: { logs: 1, newHeads: 0, newPendingTransactions: [0, 1], syncing: 0 } },
  { namespace: 'flashbots', methods: { validateBuilderSubmissionV3: 1 } },
  { namespace: 'mev', methods: { simBundle: [1, 2] } },
  { namespace: 'miner', methods: { setExtra: 1, setGasLimit: 1, setGasPrice: 1 } },
  { namespace: 'net', methods: { listening: 0, peerCount: 0, version: 0 } },
  { namespace: 'ots', methods: {
    getBlockDetails: 1, getTransactionError: 1, hasCode: [1, 2], searchTransactionsBefore: 3,
  } },
  { namespace: 'reth', methods: { getBalanceChangesInBlock: 1 } },
  { namespace: 'rpc', methods: { modules: 0 } },
  { namespace: 'testing', methods: { buildBlockV1: [2, 4] } },
  { namespace: 'trace', methods: { block: 1, call: [2, 3], filter: 1, replayBlockTransactions: 2, transaction: 1 } },
  { namespace: 'txpool', methods: { content: 0, contentFrom: 1, inspect: 0, status: 0 } },
  { namespace: 'web3', methods: { clientVersion: 0, sha3: 1 } },
];

/** The first account of the published mnemonic of development chains. */
const developer = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

export function answersOf({ id, release }: KindReleases, { values }: Settings): Answers {
  const isDev = values.dev?.value === true;
  const chain = String(values.chain?.value ?? (isDev ? 'dev' : 'mainnet'));
  return {
    ...plainAnswers,
    client: `${id}/${release.tag}-01234567/x86_64-unknown-linux-gnu`,
    chainId: chainIds[chain] ?? 1,
    accounts: isDev ? [developer] : [],
    services: (_transport, modules) => services.filter(({ namespace }) => modules.includes(namespace)),
    limits: {
      ...plainAnswers.limits,
      httpBytes: 15 << 20,
      wsBytes: 15 << 20,
      connections: 500,
      subscriptions: 1024,
    },
    wire: {
      ...plainWire,
      takesObjects: true,
      ignoresParams: true,
      metrics: { metrics: { path: '/metrics', type: 'text/plain', gauge: 'reth_info' }, profiler: false },
    },
  };
}
