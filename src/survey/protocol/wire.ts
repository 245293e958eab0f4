/**
 * The wire of the survey API, shared by client and server. Successes and failures of the group routes are JSON
 * strings inside JSON: `{"data": "<json>"}` with 200, `{"error": "<json>"}` with 400.
 */

export const paths = { members: '/api/group/members', join: '/api/group/join', store: '/api/store' } as const;

/** Inside `data` of the members route. Decimal strings in leaf order; a removed leaf is "0" and keeps its position. */
export interface GroupInfo {
  readonly members: readonly string[];
  /** Decimal; the first group of a contract is "0". */
  readonly groupId: string;
  /**
   * Index of the first entry, if `after=<index>` or `limit=<count>` asked for a part of the list. The original app always
   * sends the complete list, without this field.
   */
  readonly from?: number;
}

/** Signature schemes (message.ts); the first is the original app's. */
export const schemes = ['destat', 'eip712'] as const;
export type Scheme = (typeof schemes)[number];

/** Body of the join route. The last three fields are only used with the scheme eip712. */
export interface JoinRequest {
  readonly id: string;
  /** Decimal. */
  readonly commitment: string;
  /** 65 bytes, or 64 (EIP-2098), as 0x-hex; a list for an account that needs several signatures. */
  readonly signature: string | readonly string[];
  /** An ID token or an access token of the messaging platform, despite the name. */
  readonly idToken: string;
  /** The signer, spelled as in the signed text. */
  readonly account: string;
  /** Absent: destat. */
  readonly scheme?: Scheme;
  /** Expiry of the signature, in seconds since 1970. */
  readonly expiresAt?: number;
  /** Chain of the survey; absent if the store has none. */
  readonly chainId?: number;
}

export interface StoreRequest {
  readonly buyerAddress: string;
  readonly itemIdentifier: string;
  readonly name: string;
  readonly imageUrl: string;
  readonly pgType: PaymentGateway;
  readonly currencyCode: string;
  readonly price: string;
  readonly testMode: boolean;
}

export const gateways = ['CRYPTO', 'STRIPE', 'LINE_IAP'] as const;
export type PaymentGateway = (typeof gateways)[number];

export const paymentFailed = { message: 'Payment is failed' } as const;

export interface ReceiptLog {
  readonly _type: 'log';
  readonly address: string;
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly data: string;
  readonly index: number;
  readonly topics: readonly string[];
  readonly transactionHash: string;
  readonly transactionIndex: number;
}

/** Inside `data` of the join route: ethers' TransactionReceipt.toJSON(), numbers beyond 2^53 as decimal strings. */
export interface Receipt {
  readonly _type: 'TransactionReceipt';
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly contractAddress: string | null;
  readonly cumulativeGasUsed: string;
  readonly from: string;
  readonly gasPrice: string;
  readonly blobGasUsed: string | null;
  readonly blobGasPrice: string | null;
  readonly gasUsed: string;
  readonly hash: string;
  readonly index: number;
  readonly logs: readonly ReceiptLog[];
  readonly logsBloom: string;
  readonly status: 0 | 1;
  readonly to: string;
}
