/**
 * The methods a v2.2.1 node registers, by namespace and service struct. Loaded by the simulator only.
 * Source: the exported methods of the service structs of kaiachain/kaia v2.2.1.
 */
import { type Service as Registered, servicesIn } from '../answers.js';

export interface Service extends Registered {
  /** The Go struct, the note of its row. */
  readonly name: string;
  /** `!` in its row: gone from http and ws, still on ipc, when rpc.unsafe-debug.disable is set. */
  readonly unsafeDebugOnly?: true;
}

export const services: readonly Service[] = servicesIn(`
admin node.AdminNetworkNodeAPI
  addPeer(1) removePeer(1) setMaxSubscriptionPerWSConn(1) startHTTP(0,5) startRPC(0,5) startWS(0,4) stopHTTP
  stopRPC stopWS
  subscribe peerEvents
admin node.AdminNodeAPI
  datadir nodeInfo peers
admin cn.AdminChainCNAPI
  exportChain(1,3) getSpamThrottlerCandidateList getSpamThrottlerThrottleList getSpamThrottlerWhiteList
  importChain(1) importChainFromString(1) nodeConfig saveTrieNodeCacheToDisk setSpamThrottlerWhiteList(1)
  spamThrottlerConfig startSpamThrottler(0,1) startStateMigration stateMigrationStatus stopSpamThrottler
  stopStateMigration
admin downloader.KaiaDownloaderSyncAPI
  syncStakingInfo(3) syncStakingInfoStatus
auction kaiax/auction AuctionAPI
  call(2) submitBid(1)
  subscribe logs(1) newHeads newPendingTransactions(0,1)
bootnode kbn BootnodeRegistryAPI
  createUpdateNodeOnDB(1) createUpdateNodeOnTable(1) deleteAuthorizedNodes(1) deleteNodeFromDB(1)
  deleteNodeFromTable(1) getNodeFromDB(1) getTableEntries getTableReplacements lookup(2) name
  putAuthorizedNodes(1) readRandomNodes(1) resolve(2)
bootnode kbn BootnodeAPI
  getAuthorizedNodes
chaindatafetcher chaindatafetcher.ChainDataFetcherAPI
  getConfig readCheckpoint startFetching startRangeFetching(3) status stopFetching stopRangeFetching
  writeCheckpoint(1)
debug !debug.HandlerT
  backtraceAt(1) blockProfile(2) cpuProfile(2) freeOSMemory gcStats goTrace(2) isPProfRunning memStats
  mutexProfile(2) setBlockProfileRate(1) setGCPercent(1) setMutexProfileFraction(1) setVMLogTarget(1) stacks
  startCPUProfile(1) startGoTrace(1) startPProf(0,2) stopCPUProfile stopGoTrace stopPProf verbosity(1)
  verbosityByID(2) verbosityByName(2) vmodule(1) writeBlockProfile(1) writeMemProfile(1) writeMutexProfile(1)
  writeVMLog(1)
debug !api.DebugUtilAPI
  chaindbCompact(0,1) chaindbProperty(1) printBlock(1) setHead(1)
debug cn.DebugCNAPI
  dumpBlock(1) dumpStateTrie(1) getBadBlocks getModifiedAccountsByHash(1,2) getModifiedAccountsByNumber(1,2)
  getModifiedStorageNodesByNumber(2,4)
debug kaiax/gasless GaslessAPI
  gaslessInfo isGaslessTx(1)
debug api.DebugAPI
  getBlockRlp(1)
debug node.DebugNodeAPI
  metrics(1)
debug !cn.DebugStorageCNAPI
  preimage(1) startCollectingTrieStats(1) startContractWarmUp(2) startWarmUp(1) stopWarmUp storageRangeAt(5)
debug !tracers.UnsafeAPI
  standardTraceBadBlockToFile(1,2) standardTraceBlockToFile(1,2) traceBlockByNumberRange(2,3)
  traceBlockFromFile(1,2)
  subscribe traceChain(2,3)
debug tracers.API
  traceBadBlock(1,2) traceBlockByHash(1,2) traceBlockByNumber(1,2)
debug tracers.API + tracers.UnsafeAPI
  traceBlock(1,2) traceCall(2,3) traceTransaction(1,2)
eth api.EthAPI
  accounts blobBaseFee blockNumber call(2,3) chainId coinbase config createAccessList(1,2) estimateGas(1,3)
  etherbase feeHistory(3) fillTransaction(1) gasPrice getBalance(2) getBlobSidecarByTxHash(2)
  getBlobSidecars(2) getBlockByHash(2) getBlockByNumber(2) getBlockReceipts(1)
  getBlockTransactionCountByHash(1) getBlockTransactionCountByNumber(1) getCode(2) getHashrate
  getHeaderByHash(1) getHeaderByNumber(1) getProof(3) getRawTransactionByBlockHashAndIndex(2)
  getRawTransactionByBlockNumberAndIndex(2) getRawTransactionByHash(1) getStorageAt(3)
  getTransactionByBlockHashAndIndex(2) getTransactionByBlockNumberAndIndex(2) getTransactionByHash(1)
  getTransactionCount(2) getTransactionReceipt(1) getUncleByBlockHashAndIndex(2)
  getUncleByBlockNumberAndIndex(2) getUncleCountByBlockHash(1) getUncleCountByBlockNumber(1) getWork hashrate
  lowerBoundGasPrice maxPriorityFeePerGas mining pendingTransactions resend(1,3) rpcMarshalBlobSidecar(6)
  sendRawTransaction(1) sendTransaction(1) sign(2) signTransaction(1) submitHashrate(2) submitWork(3) syncing
  upperBoundGasPrice
eth filters.KaiaFilterAPI (eth head format)
  events getFilterChanges(1) getFilterLogs(1) getLogs(1) newBlockFilter newFilter(1)
  newPendingTransactionFilter uninstallFilter(1)
  subscribe logs(1) newHeads newPendingTransactions(0,1)
eth downloader.EthDownloaderAPI
  subscribe syncing
governance kaiax/gov contractGovAPI
  getContractParams(1,2)
governance kaiax/gov GovAPI
  getParams(0,1) nodeAddress
governance kaiax/reward RewardGovAPI
  getRewardsAccumulated(2)
governance kaiax/staking stakingAPI
  getStakingInfo(1)
governance kaiax/gov headerGovAPI
  idxCache myVotes status vote(2) votes(0,1)
istanbul istanbul backend.API
  candidates discard(1) getDemotedValidators(0,1) getDemotedValidatorsAtHash(1) getTimeout getValidators(0,1)
  getValidatorsAtHash(1) propose(2)
kaia api.KaiaBlockChainAPI
  accountCreated(2) blockNumber call(2) chainID chainId createAccessList(1,2) estimateComputationCost(2)
  estimateGas(1,3) getAccount(2) getAccountKey(2) getBalance(2) getBlockByHash(2) getBlockByNumber(2)
  getBlockReceipts(1) getBlockWithConsensusInfoByHash(1) getBlockWithConsensusInfoByNumber(0,1)
  getBlockWithConsensusInfoByNumberRange(0,2) getCode(2) getCypressCredit getHeaderByHash(1)
  getHeaderByNumber(1) getProof(3) getStorageAt(3) isConsoleLogEnabled isContractAccount(2) isParallelDBWrite
  isSenderTxHashIndexingEnabled
kaia api.KaiaAccountAPI
  accounts
kaia node.KaiaNodeAPI
  clientVersion sha3(1)
kaia api.KaiaAPI
  decodeAccountKey(1) encodeAccountKey(1) feeHistory(3) forkStatus(1) gasPrice lowerBoundGasPrice
  maxPriorityFeePerGas protocolVersion syncing upperBoundGasPrice
kaia filters.KaiaFilterAPI
  events getFilterChanges(1) getFilterLogs(1) getLogs(1) newBlockFilter newFilter(1)
  newPendingTransactionFilter uninstallFilter(1)
  subscribe logs(1) newHeads newPendingTransactions(0,1)
kaia kaiax/valset ValsetAPI
  getActiveAddressFromRegistry(2) getAllRecordsFromRegistry(2) getCommittee(0,1) getCommitteeSize(0,1)
  getCouncil(0,1) getCouncilSize(0,1)
kaia api.KaiaTransactionAPI
  getBlockTransactionCountByHash(1) getBlockTransactionCountByNumber(1)
  getDecodedAnchoringTransactionByHash(1) getRawTransactionByBlockHashAndIndex(2)
  getRawTransactionByBlockNumberAndIndex(2) getRawTransactionByHash(1) getTransactionByBlockHashAndIndex(2)
  getTransactionByBlockNumberAndIndex(2) getTransactionByHash(1) getTransactionBySenderTxHash(1)
  getTransactionCount(2) getTransactionReceipt(1) getTransactionReceiptBySenderTxHash(1)
  getTransactionReceiptInCache(1) pendingTransactions recoverFromMessage(4) recoverFromTransaction(2)
  resend(1,3) sendRawTransaction(1) sendRawTransactions(1) sendTransaction(1) sendTransactionAsFeePayer(1)
  sign(2) signTransaction(1) signTransactionAsFeePayer(1)
kaia kaiax/randao RandaoAPI
  getBlsInfos(1)
kaia kaiax/gov KaiaAPI
  getChainConfig(0,1) getParams(0,1) nodeAddress
kaia kaiax/reward RewardKaiaAPI
  getRewards(0,1)
kaia kaiax/staking stakingAPI
  getStakingInfo(1)
kaia kaiax/supply SupplyAPI
  getTotalSupply(0,2)
kaia cn.KaiaCNAPI
  rewardbase
kaia downloader.KaiaDownloaderAPI
  subscribe syncing
mainbridge sc.MainBridgeAPI
  convertChildChainBlockHashToParentChainTxHash(1) getChildChainIndexingEnabled nodeInfo peers
mainbridge api.NetAPI (bridge p2p server)
  listening networkID peerCount peerCountByType version
net api.NetAPI
  listening networkID peerCount peerCountByType version
personal api.PersonalAPI
  deriveAccount(2,3) ecRecover(2) importRawKey(2) listAccounts listWallets lockAccount(1) newAccount(1)
  openWallet(1,2) replaceRawKey(3) sendAccountUpdate(2) sendTransaction(2) sendTransactionAsFeePayer(2)
  sendValueTransfer(2) sign(3) signAndSendTransaction(2) signTransaction(2) signTransactionAsFeePayer(2)
  unlockAccount(2,3)
rpc rpc.RPCService
  modules
subbridge sc.SubBridgeAPI
  addPeer(1) anchoring(1) changeBridgeAlias(2) convertChildChainBlockHashToParentChainTxHash(1)
  convertRequestTxHashToHandleTxHash(1) deployBridge deregisterBridge(0,2) deregisterToken(0,4) getAnchoring
  getAnchoringPeriod getAnchoringTxHashByBlockNumber(1) getBridgeInformation(1) getBridgePairByAlias(1)
  getChildBridgeContractBalance(1) getChildBridgeOperatorGasLimit getChildOperatorAddr getChildOperatorBalance
  getChildOperatorFeePayer getChildOperatorNonce getERC20Fee(2) getFeeReceiver(1) getKLAYFee(1)
  getLatestAnchoredBlockNumber getOperators getParentBridgeContractBalance(1) getParentBridgeOperatorGasLimit
  getParentGasPrice getParentKIP71Config getParentOperatorAddr getParentOperatorBalance
  getParentOperatorFeePayer getParentOperatorNonce getParentTransactionReceipt(1) getReceiptFromParentChain(1)
  getRegisteredOperators(1) getSentChainTxsLimit getValueTransferOperatorThreshold(1) kASAnchor(1) listBridge
  lockChildOperator lockParentOperator nodeInfo peers registerBridge(2,3) registerOperator(2)
  registerToken(0,4) removePeer(1) requestParentSync setChildBridgeOperatorGasLimit(1)
  setChildOperatorFeePayer(1) setERC20Fee(2,3) setFeeReceiver(2) setKLAYFee(1,2)
  setParentBridgeOperatorGasLimit(1) setParentOperatorFeePayer(1) setValueTransferOperatorThreshold(2)
  subscribeBridge(0,2) txPending txPendingCount unlockChildOperator(1,2) unlockParentOperator(1,2)
  unsubscribeBridge(0,2)
subbridge api.NetAPI (bridge p2p server)
  listening networkID peerCount peerCountByType version
txpool api.TxPoolAPI
  content inspect status
web3 node.KaiaNodeAPI
  clientVersion sha3(1)
`).map(({ note, ...service }) =>
  note.startsWith('!')
    ? { ...service, name: note.slice(1), unsafeDebugOnly: true }
    : { ...service, name: note },
);
