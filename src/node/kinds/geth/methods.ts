/**
 * The methods that the nodes register, by namespace. Loaded by the simulator only.
 * Source: the exported methods of the service structs of go-ethereum v1.17.8, bsc v1.7.8 and op-geth v1.101702.3; those of
 * personal are those of its last release. The number of parameters is geth's where a fork's differs.
 */
import type { Service } from '../answers.js';
import type { Flavour } from './flavours.js';

interface FlavouredService extends Service {
  /** The flavours that have it; absent for all. */
  readonly flavours?: readonly Flavour['id'][];
}

// biome-ignore format: a table, its lines filled by hand
export const services: readonly FlavouredService[] = [
  { namespace: 'admin', methods: {
    addPeer: 1, addTrustedPeer: 1, datadir: 0, exportChain: [1, 3], importChain: 1, nodeInfo: 0, peers: 0,
    removePeer: 1, removeTrustedPeer: 1, startHTTP: [0, 5], startRPC: [0, 5], startWS: [0, 4], stopHTTP: 0,
    stopRPC: 0, stopWS: 0,
  }, subscriptions: { peerEvents: 0 } },
  { namespace: 'admin', flavours: ['bsc'], methods: { setBidBlockPermission: 2 } },
  { namespace: 'debug', methods: {
    accountRange: 6, blockProfile: 2, chaindbCompact: 0, chaindbProperty: 0, cpuProfile: 2, dbAncient: 2,
    dbAncients: 0, dbGet: 1, discoveryV4Table: 0, dumpBlock: 1, executionWitness: 1, freeOSMemory: 0, gcStats: 0,
    getAccessibleState: 2, getBadBlocks: [0, 1], getModifiedAccountsByHash: [1, 2],
    getModifiedAccountsByNumber: [1, 2], getRawBlock: 1, getRawHeader: 1, getRawReceipts: 1, getRawTransaction: 1,
    getTrieFlushInterval: 0, goTrace: 2, intermediateRoots: [1, 2], memStats: 0, mutexProfile: 2, preimage: 1,
    printBlock: 1, setBlockProfileRate: 1, setGCPercent: 1, setHead: 1, setMemoryLimit: 1,
    setMutexProfileFraction: 1, setTrieFlushInterval: 1, stacks: [0, 1], standardTraceBadBlockToFile: [1, 2],
    standardTraceBlockToFile: [1, 2], startCPUProfile: 1, startGoTrace: 1, stopCPUProfile: 0, stopGoTrace: 0,
    storageRangeAt: 5, traceBadBlock: [1, 2], traceBlock: [1, 2], traceBlockByHash: [1, 2],
    traceBlockByNumber: [1, 2], traceBlockFromFile: [1, 2], traceCall: [1, 3], traceTransaction: [1, 2],
    verbosity: 1, vmodule: 1, writeBlockProfile: 1, writeMemProfile: 1, writeMutexProfile: 1,
  }, subscriptions: { traceChain: [2, 3] } },
  { namespace: 'debug', flavours: ['bsc', 'op-geth'], methods: { stateSize: [0, 1] } },
  { namespace: 'debug', flavours: ['geth'], methods: { clearTxpool: 0, replayBadBlock: 1 } },
  { namespace: 'debug', flavours: ['geth', 'op-geth'], methods: { sync: 1 } },
  { namespace: 'debug', flavours: ['op-geth'], methods: { chainConfig: 0 } },
  { namespace: 'dev', methods: { addWithdrawal: [0, 1], setFeeRecipient: 1 } },
  { namespace: 'engine', flavours: ['geth', 'op-geth'], methods: {
    exchangeCapabilities: 1, exchangeTransitionConfigurationV1: 1, executeStatelessPayloadV1: 2,
    executeStatelessPayloadV2: 2, executeStatelessPayloadV3: 4, executeStatelessPayloadV4: 5,
    forkchoiceUpdatedV1: [1, 2], forkchoiceUpdatedV2: [1, 2], forkchoiceUpdatedV3: [1, 2],
    forkchoiceUpdatedV4: [1, 3], forkchoiceUpdatedWithWitnessV1: [1, 2], forkchoiceUpdatedWithWitnessV2: [1, 2],
    forkchoiceUpdatedWithWitnessV3: [1, 2], getBlobsV1: 1, getBlobsV2: 1, getBlobsV3: 1, getClientVersionV1: 1,
    getPayloadBodiesByHashV1: 1, getPayloadBodiesByHashV2: 1, getPayloadBodiesByRangeV1: 2,
    getPayloadBodiesByRangeV2: 2, getPayloadV1: 1, getPayloadV2: 1, getPayloadV3: 1, getPayloadV4: 1,
    getPayloadV5: 1, getPayloadV6: 1, newPayloadV1: 1, newPayloadV2: 1, newPayloadV3: [2, 3], newPayloadV4: 4,
    newPayloadV5: 4, newPayloadWithWitnessV1: 1, newPayloadWithWitnessV2: 1, newPayloadWithWitnessV3: [2, 3],
    newPayloadWithWitnessV4: 4,
  } },
  { namespace: 'engine', flavours: ['geth'], methods: {
    executeStatelessPayloadV5: 5, forkchoiceUpdatedWithWitnessV4: [1, 3], getBlobsV4: 2, hasBlobs: 1,
    newPayloadWithWitnessV5: 4,
  } },
  { namespace: 'engine', flavours: ['op-geth'], methods: { signalSuperchainV1: [0, 1] } },
  { namespace: 'eth', methods: {
    accounts: 0, blobBaseFee: 0, blockNumber: 0, call: [1, 4], chainId: 0, config: 0, createAccessList: [1, 3],
    estimateGas: [1, 4], feeHistory: 3, fillTransaction: 1, gasPrice: 0, getBalance: [1, 2], getBlockByHash: 2,
    getBlockByNumber: 2, getBlockReceipts: 1, getBlockTransactionCountByHash: 1, getBlockTransactionCountByNumber: 1,
    getCode: [1, 2], getFilterChanges: 1, getFilterLogs: 1, getHeaderByHash: 1, getHeaderByNumber: 1, getLogs: 1,
    getProof: [2, 3], getRawTransactionByBlockHashAndIndex: 2, getRawTransactionByBlockNumberAndIndex: 2,
    getRawTransactionByHash: 1, getStorageAt: [2, 3], getTransactionByBlockHashAndIndex: 2,
    getTransactionByBlockNumberAndIndex: 2, getTransactionByHash: 1, getTransactionCount: [1, 2],
    getTransactionReceipt: 1, getUncleByBlockHashAndIndex: 2, getUncleByBlockNumberAndIndex: 2,
    getUncleCountByBlockHash: 1, getUncleCountByBlockNumber: 1, maxPriorityFeePerGas: 0, newBlockFilter: 0,
    newFilter: 1, newPendingTransactionFilter: [0, 1], pendingTransactions: 0, resend: [1, 3], sendRawTransaction: 1,
    sendRawTransactionSync: [1, 2], sendTransaction: 1, sign: 2, signTransaction: 1, simulateV1: [1, 2],
    subscribeSyncStatus: 1, syncing: 0, uninstallFilter: 1,
  }, subscriptions: { logs: 1, newHeads: 0, newPendingTransactions: [0, 1], syncing: 0, transactionReceipts: [0, 1] } },
  { namespace: 'eth', flavours: ['bsc'], methods: { sendRawTransactionConditional: 2 } },
  { namespace: 'eth', flavours: ['geth', 'op-geth'], methods: { getStorageValues: [1, 2] } },
  { namespace: 'eth', flavours: ['bsc'], methods: {
    coinbase: 0, etherbase: 0, getBlobSidecarByTxHash: [1, 2], getBlobSidecars: [1, 2], getBlockMevInfo: 1,
    getDiffAccounts: 1, getDiffAccountsWithScope: 2, getFinalizedBlock: 2, getFinalizedHeader: 1,
    getTransactionDataAndReceipt: 1, getTransactionReceiptsByBlockNumber: 1, getTransactionsByBlockNumber: 1,
    health: 0, mining: 0, newFinalizedHeaderFilter: 0, newVotesFilter: 0,
  }, subscriptions: { newFinalizedHeaders: 0, newVotes: 0 } },
  { namespace: 'eth', flavours: ['geth'], methods: { baseFee: 0, capabilities: 0 } },
  { namespace: 'mev', flavours: ['bsc'], methods: {
    getBidBlockPermission: 1, hasBuilder: 1, params: 0, running: 0, sendBid: 1, sendBidBlock: 1,
  } },
  { namespace: 'miner', methods: { setExtra: 1, setGasPrice: 1 } },
  { namespace: 'miner', flavours: ['geth', 'op-geth'], methods: { setGasLimit: 1 } },
  { namespace: 'miner', flavours: ['bsc'], methods: {
    addBuilder: 2, mevRunning: 0, removeBuilder: 1, setEtherbase: 1, setRecommitInterval: 1, start: 0, startMev: 0,
    stop: 0, stopMev: 0,
  } },
  { namespace: 'miner', flavours: ['op-geth'], methods: { setMaxDASize: 2 } },
  { namespace: 'net', methods: { listening: 0, peerCount: 0, version: 0 } },
  { namespace: 'net', flavours: ['bsc'], methods: { nodeInfo: 0 } },
  { namespace: 'parlia', flavours: ['bsc'], methods: {
    getFinalizedNumber: [0, 1], getJustifiedNumber: [0, 1], getSnapshot: [0, 1], getSnapshotAtHash: 1,
    getTurnLength: [0, 1], getValidators: [0, 1], getValidatorsAtHash: 1,
  } },
  { namespace: 'personal', methods: {
    deriveAccount: [2, 3], ecRecover: 2, importRawKey: 2, initializeWallet: 1, listAccounts: 0, listWallets: 0,
    lockAccount: 1, newAccount: 1, openWallet: [1, 2], sendTransaction: 2, sign: 3, signTransaction: 2,
    unlockAccount: [2, 3], unpair: 2,
  } },
  { namespace: 'rpc', methods: { modules: 0 } },
  { namespace: 'testing', flavours: ['geth', 'op-geth'], methods: { buildBlockV1: [2, 4] } },
  { namespace: 'testing', flavours: ['geth'], methods: { commitBlockV1: [1, 3] } },
  { namespace: 'txpool', methods: { content: 0, contentFrom: 1, inspect: 0, status: 0 } },
  { namespace: 'web3', methods: { clientVersion: 0, sha3: 1 } },
];
