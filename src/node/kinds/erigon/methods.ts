/**
 * The methods that the node registers, by namespace. Loaded by the simulator only.
 * Source: the interfaces of the services in rpc/jsonrpc and cmd/rpcdaemon, of 2025 and 2026.
 */
import type { Service } from '../answers.js';

// biome-ignore format: a table, its lines filled by hand
export const services: readonly Service[] = [
  { namespace: 'admin', methods: { addPeer: 1, nodeInfo: 0, peers: 0, removePeer: 1 } },
  { namespace: 'bor', methods: {
    getAuthor: [0, 1], getCurrentProposer: 0, getCurrentValidators: 0, getRootHash: 2, getSignersAtHash: 1,
    getSnapshot: [0, 1],
  } },
  { namespace: 'db', methods: { getHex: 2, getString: 2, putHex: 3, putString: 3 } },
  { namespace: 'debug', methods: {
    accountAt: 3, accountRange: [5, 6], freeOSMemory: 0, gcStats: 0, getBadBlocks: 0,
    getModifiedAccountsByHash: [1, 2], getModifiedAccountsByNumber: [1, 2], getRawBlock: 1, getRawHeader: 1,
    getRawReceipts: 1, getRawTransaction: 1, memStats: 0, setGCPercent: 1, setHead: 1, setMemoryLimit: 1,
    storageRangeAt: 5, traceBlockByHash: [1, 2], traceBlockByNumber: [1, 2], traceCall: [2, 3],
    traceTransaction: [1, 2],
  } },
  { namespace: 'erigon', methods: {
    blockNumber: [0, 1], cacheCheck: 0, forks: 0, getBalanceChangesInBlock: 1, getBlockByTimestamp: 2,
    getBlockReceiptsByBlockHash: 1, getHeaderByHash: 1, getHeaderByNumber: 1, getLatestLogs: 2, getLogs: 1,
    getLogsByHash: 1, nodeInfo: 0,
  } },
  { namespace: 'eth', methods: {
    accounts: 0, blobBaseFee: 0, blockNumber: 0, call: [1, 4], callBundle: [3, 4], callMany: [2, 4], chainId: 0,
    coinbase: 0, config: 0, createAccessList: [1, 4], estimateGas: [1, 4], feeHistory: 3, gasPrice: 0, getBalance: 2,
    getBlockByHash: 2, getBlockByNumber: 2, getBlockReceipts: 1, getBlockTransactionCountByHash: 1,
    getBlockTransactionCountByNumber: 1, getCode: 2, getFilterChanges: 1, getFilterLogs: 1, getLogs: 1, getProof: 3,
    getRawTransactionByHash: 1, getStorageAt: 3, getTransactionByBlockHashAndIndex: 2,
    getTransactionByBlockNumberAndIndex: 2, getTransactionByHash: 1, getTransactionCount: 2,
    getTransactionReceipt: 1, getUncleCountByBlockHash: 1, maxPriorityFeePerGas: 0, mining: 0, newBlockFilter: 0,
    newFilter: 1, newPendingTransactionFilter: 0, protocolVersion: 0, sendRawTransaction: 1, sendTransaction: 1,
    sign: 2, signTransaction: 1, simulateV1: [1, 2], syncing: 0, uninstallFilter: 1,
  }, subscriptions: { logs: 1, newHeads: 0, newPendingTransactions: [0, 1], syncing: 0 } },
  { namespace: 'internal', methods: { getTxNumInfo: 1 } },
  { namespace: 'net', methods: { listening: 0, peerCount: 0, version: 0 } },
  { namespace: 'ots', methods: {
    getApiLevel: 0, getBlockDetails: 1, getBlockDetailsByHash: 1, getBlockTransactions: 3, getContractCreator: 1,
    getInternalOperations: 1, getTransactionBySenderAndNonce: 2, getTransactionError: 1, hasCode: 2,
    searchTransactionsAfter: 3, searchTransactionsBefore: 3, traceTransaction: 1,
  } },
  { namespace: 'overlay', methods: { callConstructor: 2, getLogs: 2 } },
  { namespace: 'parity', methods: { listStorageKeys: 4 } },
  { namespace: 'rpc', methods: { modules: 0 } },
  { namespace: 'testing', methods: { buildBlockV1: [2, 4] } },
  { namespace: 'trace', methods: {
    block: [1, 2], call: [2, 4], callMany: [1, 3], filter: [1, 2], get: [2, 3], rawTransaction: 2,
    replayBlockTransactions: [2, 3], replayTransaction: [2, 3], transaction: [1, 2],
  } },
  { namespace: 'txpool', methods: { content: 0, contentFrom: 1, status: 0 } },
  { namespace: 'web3', methods: { clientVersion: 0, sha3: 1 } },
];
