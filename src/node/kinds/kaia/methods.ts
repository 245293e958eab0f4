/**
 * The methods that a v2.2.1 node registers, by namespace. Loaded by the simulator only.
 * Source: the exported methods of the service structs of kaiachain/kaia v2.2.1.
 */
import type { Service as Registered } from '../answers.js';

/** Methods of a namespace that are registered together. */
export interface Service extends Registered {
  /** A boot node registers them too: those of the packages node and debug, and its own. */
  readonly isOnBoot?: true;
  /** Gone from http and ws, still on ipc, when rpc.unsafe-debug.disable is set. */
  readonly unsafeDebugOnly?: true;
  /** The switch with which they are not registered. */
  readonly unlessSwitch?: string;
}

// biome-ignore format: a table, its lines filled by hand
export const services: readonly Service[] = [
  { namespace: 'admin', isOnBoot: true, methods: {
    addPeer: 1, datadir: 0, nodeInfo: 0, peers: 0, removePeer: 1, setMaxSubscriptionPerWSConn: 1, startHTTP: [0, 5],
    startRPC: [0, 5], startWS: [0, 4], stopHTTP: 0, stopRPC: 0, stopWS: 0,
  }, subscriptions: { peerEvents: 0 } },
  { namespace: 'admin', methods: {
    exportChain: [1, 3], getSpamThrottlerCandidateList: 0, getSpamThrottlerThrottleList: 0,
    getSpamThrottlerWhiteList: 0, importChain: 1, importChainFromString: 1, nodeConfig: 0,
    saveTrieNodeCacheToDisk: 0, setSpamThrottlerWhiteList: 1, spamThrottlerConfig: 0, startSpamThrottler: [0, 1],
    startStateMigration: 0, stateMigrationStatus: 0, stopSpamThrottler: 0, stopStateMigration: 0,
    syncStakingInfo: 3, syncStakingInfoStatus: 0,
  } },
  { namespace: 'auction', methods: {
    call: 2, submitBid: 1,
  }, subscriptions: { logs: 1, newHeads: 0, newPendingTransactions: [0, 1] } },
  { namespace: 'bootnode', isOnBoot: true, methods: {
    createUpdateNodeOnDB: 1, createUpdateNodeOnTable: 1, deleteAuthorizedNodes: 1, deleteNodeFromDB: 1,
    deleteNodeFromTable: 1, getAuthorizedNodes: 0, getNodeFromDB: 1, getTableEntries: 0, getTableReplacements: 0,
    lookup: 2, name: 0, putAuthorizedNodes: 1, readRandomNodes: 1, resolve: 2,
  } },
  { namespace: 'chaindatafetcher', methods: {
    getConfig: 0, readCheckpoint: 0, startFetching: 0, startRangeFetching: 3, status: 0, stopFetching: 0,
    stopRangeFetching: 0, writeCheckpoint: 1,
  } },
  { namespace: 'debug', isOnBoot: true, unsafeDebugOnly: true, methods: {
    backtraceAt: 1, blockProfile: 2, cpuProfile: 2, freeOSMemory: 0, gcStats: 0, goTrace: 2, isPProfRunning: 0,
    memStats: 0, mutexProfile: 2, setBlockProfileRate: 1, setGCPercent: 1, setMutexProfileFraction: 1,
    setVMLogTarget: 1, stacks: 0, startCPUProfile: 1, startGoTrace: 1, startPProf: [0, 2], stopCPUProfile: 0,
    stopGoTrace: 0, stopPProf: 0, verbosity: 1, verbosityByID: 2, verbosityByName: 2, vmodule: 1,
    writeBlockProfile: 1, writeMemProfile: 1, writeMutexProfile: 1, writeVMLog: 1,
  } },
  { namespace: 'debug', unsafeDebugOnly: true, methods: {
    chaindbCompact: [0, 1], chaindbProperty: 1, preimage: 1, printBlock: 1, setHead: 1,
    standardTraceBadBlockToFile: [1, 2], standardTraceBlockToFile: [1, 2], startCollectingTrieStats: 1,
    startContractWarmUp: 2, startWarmUp: 1, stopWarmUp: 0, storageRangeAt: 5, traceBlockByNumberRange: [2, 3],
    traceBlockFromFile: [1, 2],
  }, subscriptions: { traceChain: [2, 3] } },
  { namespace: 'debug', methods: {
    dumpBlock: 1, dumpStateTrie: 1, getBadBlocks: 0, getBlockRlp: 1, getModifiedAccountsByHash: [1, 2],
    getModifiedAccountsByNumber: [1, 2], getModifiedStorageNodesByNumber: [2, 4], traceBadBlock: [1, 2],
    traceBlock: [1, 2], traceBlockByHash: [1, 2], traceBlockByNumber: [1, 2], traceCall: [2, 3],
    traceTransaction: [1, 2],
  } },
  { namespace: 'debug', unlessSwitch: 'gasless.disable', methods: { gaslessInfo: 0, isGaslessTx: 1 } },
  { namespace: 'debug', isOnBoot: true, methods: { metrics: 1 } },
  { namespace: 'eth', methods: {
    accounts: 0, blobBaseFee: 0, blockNumber: 0, call: [2, 3], chainId: 0, coinbase: 0, config: 0,
    createAccessList: [1, 2], estimateGas: [1, 3], etherbase: 0, events: 0, feeHistory: 3, fillTransaction: 1,
    gasPrice: 0, getBalance: 2, getBlobSidecarByTxHash: 2, getBlobSidecars: 2, getBlockByHash: 2,
    getBlockByNumber: 2, getBlockReceipts: 1, getBlockTransactionCountByHash: 1,
    getBlockTransactionCountByNumber: 1, getCode: 2, getFilterChanges: 1, getFilterLogs: 1, getHashrate: 0,
    getHeaderByHash: 1, getHeaderByNumber: 1, getLogs: 1, getProof: 3, getRawTransactionByBlockHashAndIndex: 2,
    getRawTransactionByBlockNumberAndIndex: 2, getRawTransactionByHash: 1, getStorageAt: 3,
    getTransactionByBlockHashAndIndex: 2, getTransactionByBlockNumberAndIndex: 2, getTransactionByHash: 1,
    getTransactionCount: 2, getTransactionReceipt: 1, getUncleByBlockHashAndIndex: 2,
    getUncleByBlockNumberAndIndex: 2, getUncleCountByBlockHash: 1, getUncleCountByBlockNumber: 1, getWork: 0,
    hashrate: 0, lowerBoundGasPrice: 0, maxPriorityFeePerGas: 0, mining: 0, newBlockFilter: 0, newFilter: 1,
    newPendingTransactionFilter: 0, pendingTransactions: 0, resend: [1, 3], rpcMarshalBlobSidecar: 6,
    sendRawTransaction: 1, sendTransaction: 1, sign: 2, signTransaction: 1, submitHashrate: 2, submitWork: 3,
    syncing: 0, uninstallFilter: 1, upperBoundGasPrice: 0,
  }, subscriptions: { logs: 1, newHeads: 0, newPendingTransactions: [0, 1], syncing: 0 } },
  { namespace: 'governance', methods: {
    getContractParams: [1, 2], getParams: [0, 1], getRewardsAccumulated: 2, getStakingInfo: 1, idxCache: 0,
    myVotes: 0, nodeAddress: 0, status: 0, vote: 2, votes: [0, 1],
  } },
  { namespace: 'istanbul', methods: {
    candidates: 0, discard: 1, getDemotedValidators: [0, 1], getDemotedValidatorsAtHash: 1, getTimeout: 0,
    getValidators: [0, 1], getValidatorsAtHash: 1, propose: 2,
  } },
  { namespace: 'kaia', methods: {
    accountCreated: 2, accounts: 0, blockNumber: 0, call: 2, chainID: 0, chainId: 0, createAccessList: [1, 2],
    decodeAccountKey: 1, encodeAccountKey: 1, estimateComputationCost: 2, estimateGas: [1, 3], events: 0,
    feeHistory: 3, forkStatus: 1, gasPrice: 0, getAccount: 2, getAccountKey: 2, getActiveAddressFromRegistry: 2,
    getAllRecordsFromRegistry: 2, getBalance: 2, getBlockByHash: 2, getBlockByNumber: 2, getBlockReceipts: 1,
    getBlockTransactionCountByHash: 1, getBlockTransactionCountByNumber: 1, getBlockWithConsensusInfoByHash: 1,
    getBlockWithConsensusInfoByNumber: [0, 1], getBlockWithConsensusInfoByNumberRange: [0, 2], getBlsInfos: 1,
    getChainConfig: [0, 1], getCode: 2, getCommittee: [0, 1], getCommitteeSize: [0, 1], getCouncil: [0, 1],
    getCouncilSize: [0, 1], getCypressCredit: 0, getDecodedAnchoringTransactionByHash: 1, getFilterChanges: 1,
    getFilterLogs: 1, getHeaderByHash: 1, getHeaderByNumber: 1, getLogs: 1, getParams: [0, 1], getProof: 3,
    getRawTransactionByBlockHashAndIndex: 2, getRawTransactionByBlockNumberAndIndex: 2, getRawTransactionByHash: 1,
    getRewards: [0, 1], getStakingInfo: 1, getStorageAt: 3, getTotalSupply: [0, 2],
    getTransactionByBlockHashAndIndex: 2, getTransactionByBlockNumberAndIndex: 2, getTransactionByHash: 1,
    getTransactionBySenderTxHash: 1, getTransactionCount: 2, getTransactionReceipt: 1,
    getTransactionReceiptBySenderTxHash: 1, getTransactionReceiptInCache: 1, isConsoleLogEnabled: 0,
    isContractAccount: 2, isParallelDBWrite: 0, isSenderTxHashIndexingEnabled: 0, lowerBoundGasPrice: 0,
    maxPriorityFeePerGas: 0, newBlockFilter: 0, newFilter: 1, newPendingTransactionFilter: 0, nodeAddress: 0,
    pendingTransactions: 0, protocolVersion: 0, recoverFromMessage: 4, recoverFromTransaction: 2, resend: [1, 3],
    rewardbase: 0, sendRawTransaction: 1, sendRawTransactions: 1, sendTransaction: 1, sendTransactionAsFeePayer: 1,
    sign: 2, signTransaction: 1, signTransactionAsFeePayer: 1, syncing: 0, uninstallFilter: 1,
    upperBoundGasPrice: 0,
  }, subscriptions: { logs: 1, newHeads: 0, newPendingTransactions: [0, 1], syncing: 0 } },
  { namespace: 'kaia', isOnBoot: true, methods: { clientVersion: 0, sha3: 1 } },
  { namespace: 'mainbridge', methods: {
    convertChildChainBlockHashToParentChainTxHash: 1, getChildChainIndexingEnabled: 0, listening: 0, networkID: 0,
    nodeInfo: 0, peerCount: 0, peerCountByType: 0, peers: 0, version: 0,
  } },
  { namespace: 'net', methods: { listening: 0, networkID: 0, peerCount: 0, peerCountByType: 0, version: 0 } },
  { namespace: 'personal', methods: {
    deriveAccount: [2, 3], ecRecover: 2, importRawKey: 2, listAccounts: 0, listWallets: 0, lockAccount: 1,
    newAccount: 1, openWallet: [1, 2], replaceRawKey: 3, sendAccountUpdate: 2, sendTransaction: 2,
    sendTransactionAsFeePayer: 2, sendValueTransfer: 2, sign: 3, signAndSendTransaction: 2, signTransaction: 2,
    signTransactionAsFeePayer: 2, unlockAccount: [2, 3],
  } },
  { namespace: 'rpc', isOnBoot: true, methods: { modules: 0 } },
  { namespace: 'subbridge', methods: {
    addPeer: 1, anchoring: 1, changeBridgeAlias: 2, convertChildChainBlockHashToParentChainTxHash: 1,
    convertRequestTxHashToHandleTxHash: 1, deployBridge: 0, deregisterBridge: [0, 2], deregisterToken: [0, 4],
    getAnchoring: 0, getAnchoringPeriod: 0, getAnchoringTxHashByBlockNumber: 1, getBridgeInformation: 1,
    getBridgePairByAlias: 1, getChildBridgeContractBalance: 1, getChildBridgeOperatorGasLimit: 0,
    getChildOperatorAddr: 0, getChildOperatorBalance: 0, getChildOperatorFeePayer: 0, getChildOperatorNonce: 0,
    getERC20Fee: 2, getFeeReceiver: 1, getKLAYFee: 1, getLatestAnchoredBlockNumber: 0, getOperators: 0,
    getParentBridgeContractBalance: 1, getParentBridgeOperatorGasLimit: 0, getParentGasPrice: 0,
    getParentKIP71Config: 0, getParentOperatorAddr: 0, getParentOperatorBalance: 0, getParentOperatorFeePayer: 0,
    getParentOperatorNonce: 0, getParentTransactionReceipt: 1, getReceiptFromParentChain: 1,
    getRegisteredOperators: 1, getSentChainTxsLimit: 0, getValueTransferOperatorThreshold: 1, kASAnchor: 1,
    listBridge: 0, listening: 0, lockChildOperator: 0, lockParentOperator: 0, networkID: 0, nodeInfo: 0,
    peerCount: 0, peerCountByType: 0, peers: 0, registerBridge: [2, 3], registerOperator: 2, registerToken: [0, 4],
    removePeer: 1, requestParentSync: 0, setChildBridgeOperatorGasLimit: 1, setChildOperatorFeePayer: 1,
    setERC20Fee: [2, 3], setFeeReceiver: 2, setKLAYFee: [1, 2], setParentBridgeOperatorGasLimit: 1,
    setParentOperatorFeePayer: 1, setValueTransferOperatorThreshold: 2, subscribeBridge: [0, 2], txPending: 0,
    txPendingCount: 0, unlockChildOperator: [1, 2], unlockParentOperator: [1, 2], unsubscribeBridge: [0, 2],
    version: 0,
  } },
  { namespace: 'txpool', methods: { content: 0, inspect: 0, status: 0 } },
  { namespace: 'web3', isOnBoot: true, methods: { clientVersion: 0, sha3: 1 } },
];
