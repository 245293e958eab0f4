/** What a joiner signs. */
import { keccak256 } from 'ethers/crypto';
import { concat, toUtf8Bytes } from 'ethers/utils';

/** The original app's text (EIP-191, personal_sign): no separators, the account exactly as it is sent. */
export function destatMessage(userId: string, account: string): string {
  return `hello destat${userId}${account}`;
}

/** KIP-97, as old Klaytn wallets sign: like EIP-191 under another name. */
export function klaytnHash(message: string): string {
  const bytes = toUtf8Bytes(message);
  return keccak256(concat([toUtf8Bytes(`\x19Klaytn Signed Message:\n${bytes.length}`), bytes]));
}

/** What the stronger scheme binds besides the user: one survey, one commitment, a time. */
export interface JoinStatement {
  /** Address of the survey contract. */
  readonly survey: string;
  readonly commitment: bigint;
  readonly userId: string;
  readonly account: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Null where the store has no chain: the domain then has no chainId. */
  readonly chainId: number | null;
}

/** The three arguments of ethers' signTypedData and verifyTypedData (EIP-712). */
export interface TypedData {
  readonly domain: { name: string; version: string; chainId?: number; verifyingContract: string };
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly value: Record<string, string | bigint | number>;
}

/** The typed data of a join; both ends build it from the request and must agree on every field. */
export function joinTypedData(statement: JoinStatement): TypedData {
  const { survey, commitment, userId, account, expiresAt, chainId } = statement;
  return {
    domain: {
      name: 'Survey join',
      version: '1',
      ...(chainId === null ? {} : { chainId }),
      verifyingContract: survey,
    },
    types: {
      Join: [
        { name: 'commitment', type: 'uint256' },
        { name: 'userId', type: 'string' },
        { name: 'account', type: 'address' },
        { name: 'expiresAt', type: 'uint256' },
      ],
    },
    value: { commitment, userId, account, expiresAt },
  };
}
