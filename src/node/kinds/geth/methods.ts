/**
 * The methods that the nodes register, by namespace. Loaded by the simulator only.
 * Source: the exported methods of the service structs of go-ethereum v1.17.8, bsc v1.7.8 and op-geth v1.101702.3; those of
 * personal are those of its last release. The number of parameters is geth's where a fork's differs.
 */
import { type Service as Registered, servicesIn } from '../answers.js';

interface Service extends Registered {
  /** The letters of the flavours that have it, the note of its row; absent: all. */
  readonly flavours?: string;
}

export const services: readonly Service[] = servicesIn(`
admin
  addPeer(1) addTrustedPeer(1) datadir exportChain(1,3) importChain(1) nodeInfo peers removePeer(1)
  removeTrustedPeer(1) startHTTP(0,5) startRPC(0,5) startWS(0,4) stopHTTP stopRPC stopWS
  subscribe peerEvents
admin b
  setBidBlockPermission(2)
debug
  accountRange(6) blockProfile(2) chaindbCompact chaindbProperty cpuProfile(2) dbAncient(2) dbAncients
  dbGet(1) discoveryV4Table dumpBlock(1) executionWitness(1) freeOSMemory gcStats getAccessibleState(2)
  getBadBlocks(0,1) getModifiedAccountsByHash(1,2) getModifiedAccountsByNumber(1,2) getRawBlock(1)
  getRawHeader(1) getRawReceipts(1) getRawTransaction(1) getTrieFlushInterval goTrace(2)
  intermediateRoots(1,2) memStats mutexProfile(2) preimage(1) printBlock(1) setBlockProfileRate(1)
  setGCPercent(1) setHead(1) setMemoryLimit(1) setMutexProfileFraction(1) setTrieFlushInterval(1) stacks(0,1)
  standardTraceBadBlockToFile(1,2) standardTraceBlockToFile(1,2) startCPUProfile(1) startGoTrace(1)
  stopCPUProfile stopGoTrace storageRangeAt(5) traceBadBlock(1,2) traceBlock(1,2) traceBlockByHash(1,2)
  traceBlockByNumber(1,2) traceBlockFromFile(1,2) traceCall(1,3) traceTransaction(1,2) verbosity(1) vmodule(1)
  writeBlockProfile(1) writeMemProfile(1) writeMutexProfile(1)
  subscribe traceChain(2,3)
debug bo
  stateSize(0,1)
debug g
  clearTxpool replayBadBlock(1)
debug go
  sync(1)
debug o
  chainConfig
dev
  addWithdrawal(0,1) setFeeRecipient(1)
engine go
  exchangeCapabilities(1) exchangeTransitionConfigurationV1(1) executeStatelessPayloadV1(2)
  executeStatelessPayloadV2(2) executeStatelessPayloadV3(4) executeStatelessPayloadV4(5)
  forkchoiceUpdatedV1(1,2) forkchoiceUpdatedV2(1,2) forkchoiceUpdatedV3(1,2) forkchoiceUpdatedV4(1,3)
  forkchoiceUpdatedWithWitnessV1(1,2) forkchoiceUpdatedWithWitnessV2(1,2) forkchoiceUpdatedWithWitnessV3(1,2)
  getBlobsV1(1) getBlobsV2(1) getBlobsV3(1) getClientVersionV1(1) getPayloadBodiesByHashV1(1)
  getPayloadBodiesByHashV2(1) getPayloadBodiesByRangeV1(2) getPayloadBodiesByRangeV2(2) getPayloadV1(1)
  getPayloadV2(1) getPayloadV3(1) getPayloadV4(1) getPayloadV5(1) getPayloadV6(1) newPayloadV1(1)
  newPayloadV2(1) newPayloadV3(2,3) newPayloadV4(4) newPayloadV5(4) newPayloadWithWitnessV1(1)
  newPayloadWithWitnessV2(1) newPayloadWithWitnessV3(2,3) newPayloadWithWitnessV4(4)
engine g
  executeStatelessPayloadV5(5) forkchoiceUpdatedWithWitnessV4(1,3) getBlobsV4(2) hasBlobs(1)
  newPayloadWithWitnessV5(4)
engine o
  signalSuperchainV1(0,1)
eth
  accounts blobBaseFee blockNumber call(1,4) chainId config createAccessList(1,3) estimateGas(1,4)
  feeHistory(3) fillTransaction(1) gasPrice getBalance(1,2) getBlockByHash(2) getBlockByNumber(2)
  getBlockReceipts(1) getBlockTransactionCountByHash(1) getBlockTransactionCountByNumber(1) getCode(1,2)
  getFilterChanges(1) getFilterLogs(1) getHeaderByHash(1) getHeaderByNumber(1) getLogs(1) getProof(2,3)
  getRawTransactionByBlockHashAndIndex(2) getRawTransactionByBlockNumberAndIndex(2) getRawTransactionByHash(1)
  getStorageAt(2,3) getTransactionByBlockHashAndIndex(2) getTransactionByBlockNumberAndIndex(2)
  getTransactionByHash(1) getTransactionCount(1,2) getTransactionReceipt(1) getUncleByBlockHashAndIndex(2)
  getUncleByBlockNumberAndIndex(2) getUncleCountByBlockHash(1) getUncleCountByBlockNumber(1)
  maxPriorityFeePerGas newBlockFilter newFilter(1) newPendingTransactionFilter(0,1) pendingTransactions
  resend(1,3) sendRawTransaction(1) sendRawTransactionSync(1,2) sendTransaction(1) sign(2) signTransaction(1)
  simulateV1(1,2) subscribeSyncStatus(1) syncing uninstallFilter(1)
  subscribe logs(1) newHeads newPendingTransactions(0,1) syncing transactionReceipts(0,1)
eth b
  sendRawTransactionConditional(2)
eth go
  getStorageValues(1,2)
eth b
  coinbase etherbase getBlobSidecarByTxHash(1,2) getBlobSidecars(1,2) getBlockMevInfo(1) getDiffAccounts(1)
  getDiffAccountsWithScope(2) getFinalizedBlock(2) getFinalizedHeader(1) getTransactionDataAndReceipt(1)
  getTransactionReceiptsByBlockNumber(1) getTransactionsByBlockNumber(1) health mining
  newFinalizedHeaderFilter newVotesFilter
  subscribe newFinalizedHeaders newVotes
eth g
  baseFee capabilities
mev b
  getBidBlockPermission(1) hasBuilder(1) params running sendBid(1) sendBidBlock(1)
miner
  setExtra(1) setGasPrice(1)
miner go
  setGasLimit(1)
miner b
  addBuilder(2) mevRunning removeBuilder(1) setEtherbase(1) setRecommitInterval(1) start startMev stop stopMev
miner o
  setMaxDASize(2)
net
  listening peerCount version
net b
  nodeInfo
parlia b
  getFinalizedNumber(0,1) getJustifiedNumber(0,1) getSnapshot(0,1) getSnapshotAtHash(1) getTurnLength(0,1)
  getValidators(0,1) getValidatorsAtHash(1)
personal
  deriveAccount(2,3) ecRecover(2) importRawKey(2) initializeWallet(1) listAccounts listWallets lockAccount(1)
  newAccount(1) openWallet(1,2) sendTransaction(2) sign(3) signTransaction(2) unlockAccount(2,3) unpair(2)
rpc
  modules
testing go
  buildBlockV1(2,4)
testing g
  commitBlockV1(1,3)
txpool
  content contentFrom(1) inspect status
web3
  clientVersion sha3(1)
`).map(({ note, ...service }) => (note === '' ? service : { ...service, flavours: note }));
