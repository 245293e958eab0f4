/**
 * The methods that the node registers, by namespace. Loaded by the simulator only.
 * Source: the interfaces of the services in rpc/jsonrpc and cmd/rpcdaemon, of 2025 and 2026.
 */
import { servicesIn } from '../answers.js';

export const services = servicesIn(`
admin
  addPeer(1) nodeInfo peers removePeer(1)
bor
  getAuthor(0,1) getCurrentProposer getCurrentValidators getRootHash(2) getSignersAtHash(1) getSnapshot(0,1)
db
  getHex(2) getString(2) putHex(3) putString(3)
debug
  accountAt(3) accountRange(5,6) freeOSMemory gcStats getBadBlocks getModifiedAccountsByHash(1,2)
  getModifiedAccountsByNumber(1,2) getRawBlock(1) getRawHeader(1) getRawReceipts(1) getRawTransaction(1) memStats
  setGCPercent(1) setHead(1) setMemoryLimit(1) storageRangeAt(5) traceBlockByHash(1,2) traceBlockByNumber(1,2)
  traceCall(2,3) traceTransaction(1,2)
erigon
  blockNumber(0,1) cacheCheck forks getBalanceChangesInBlock(1) getBlockByTimestamp(2) getBlockReceiptsByBlockHash(1)
  getHeaderByHash(1) getHeaderByNumber(1) getLatestLogs(2) getLogs(1) getLogsByHash(1) nodeInfo
eth
  accounts blobBaseFee blockNumber call(1,4) callBundle(3,4) callMany(2,4) chainId coinbase config
  createAccessList(1,4) estimateGas(1,4) feeHistory(3) gasPrice getBalance(2) getBlockByHash(2) getBlockByNumber(2)
  getBlockReceipts(1) getBlockTransactionCountByHash(1) getBlockTransactionCountByNumber(1) getCode(2)
  getFilterChanges(1) getFilterLogs(1) getLogs(1) getProof(3) getRawTransactionByHash(1) getStorageAt(3)
  getTransactionByBlockHashAndIndex(2) getTransactionByBlockNumberAndIndex(2) getTransactionByHash(1)
  getTransactionCount(2) getTransactionReceipt(1) getUncleCountByBlockHash(1) maxPriorityFeePerGas mining
  newBlockFilter newFilter(1) newPendingTransactionFilter protocolVersion sendRawTransaction(1) sendTransaction(1)
  sign(2) signTransaction(1) simulateV1(1,2) syncing uninstallFilter(1)
  subscribe logs(1) newHeads newPendingTransactions(0,1) syncing
internal
  getTxNumInfo(1)
net
  listening peerCount version
ots
  getApiLevel getBlockDetails(1) getBlockDetailsByHash(1) getBlockTransactions(3) getContractCreator(1)
  getInternalOperations(1) getTransactionBySenderAndNonce(2) getTransactionError(1) hasCode(2)
  searchTransactionsAfter(3) searchTransactionsBefore(3) traceTransaction(1)
overlay
  callConstructor(2) getLogs(2)
parity
  listStorageKeys(4)
rpc
  modules
testing
  buildBlockV1(2,4)
trace
  block(1,2) call(2,4) callMany(1,3) filter(1,2) get(2,3) rawTransaction(2) replayBlockTransactions(2,3)
  replayTransaction(2,3) transaction(1,2)
txpool
  content contentFrom(1) status
web3
  clientVersion sha3(1)
`);
