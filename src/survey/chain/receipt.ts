/** A node's receipt in the form of ethers' TransactionReceipt.toJSON. */
import { getAddress } from 'ethers/address';
import type { Receipt, ReceiptLog } from '../protocol/wire.js';

type Raw = Readonly<Record<string, string | null | undefined>> & { readonly logs: readonly RawLog[] };
type RawLog = Readonly<Record<string, string>> & { readonly topics: readonly string[] };

/** Addresses are checksummed, quantities become decimal strings, positions become numbers. */
export function chainReceipt(found: unknown): Receipt {
  const raw = found as Raw;
  return {
    _type: 'TransactionReceipt',
    blockHash: raw.blockHash ?? '',
    blockNumber: Number(raw.blockNumber),
    contractAddress: raw.contractAddress ? getAddress(raw.contractAddress) : null,
    cumulativeGasUsed: decimal(raw.cumulativeGasUsed) ?? '0',
    from: getAddress(raw.from ?? ''),
    gasPrice: decimal(raw.effectiveGasPrice ?? raw.gasPrice) ?? '0',
    blobGasUsed: decimal(raw.blobGasUsed),
    blobGasPrice: decimal(raw.blobGasPrice),
    gasUsed: decimal(raw.gasUsed) ?? '0',
    hash: raw.transactionHash ?? '',
    index: Number(raw.transactionIndex),
    logs: raw.logs.map(receiptLog),
    logsBloom: raw.logsBloom ?? '',
    status: Number(raw.status) === 1 ? 1 : 0,
    to: getAddress(raw.to ?? ''),
  };
}

function receiptLog(log: RawLog): ReceiptLog {
  return {
    _type: 'log',
    address: getAddress(log.address ?? ''),
    blockHash: log.blockHash ?? '',
    blockNumber: Number(log.blockNumber),
    data: log.data ?? '',
    index: Number(log.logIndex),
    topics: log.topics,
    transactionHash: log.transactionHash ?? '',
    transactionIndex: Number(log.transactionIndex),
  };
}

function decimal(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : String(BigInt(value));
}
