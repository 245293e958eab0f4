/** The messages that a joiner signs. */
import { keccak256 } from 'ethers/crypto';
import { concat, toUtf8Bytes } from 'ethers/utils';

/** The original app's text (EIP-191, personal_sign): no separators, the account spelled as in the request. */
export function destatMessage(userId: string, account: string): string {
  return `hello destat${userId}${account}`;
}

/** The KIP-97 hash, which old Klaytn wallets sign: EIP-191 with another prefix. */
export function klaytnHash(message: string): string {
  const bytes = toUtf8Bytes(message);
  return keccak256(concat([toUtf8Bytes(`\x19Klaytn Signed Message:\n${bytes.length}`), bytes]));
}

export interface JoinStatement {
  /** Address of the survey contract. */
  readonly survey: string;
  readonly commitment: bigint;
  readonly userId: string;
  readonly account: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Null if the store has no chain: then the domain has no chainId. */
  readonly chainId: number | null;
}

/**
 * The typed data of a join: the three arguments of ethers' signTypedData and verifyTypedData (EIP-712). Client and server
 * build it from the request and must agree on every field.
 */
export function joinTypedData(statement: JoinStatement) {
  const { survey, commitment, userId, account, expiresAt, chainId } = statement;
  const chain = chainId === null ? {} : { chainId };
  return {
    domain: { name: 'Survey join', version: '1', ...chain, verifyingContract: survey },
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
