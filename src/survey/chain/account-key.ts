/** An account's keys on chain (Kaia: kaia_getAccountKey; blockchain/types/accountkey). */
import { computeAddress } from 'ethers/transaction';
import { type Rpc, RpcError } from '../../jsonrpc/rpc.js';
import { field } from '../../util/json.js';
import { tryOr } from '../../util/try-or.js';
import { Refused } from '../protocol/refused.js';
import { type AccountKey, ownKey } from '../protocol/signature.js';
import { refuseCall } from './failure.js';

/** Resolves with the keys. @throws {Refused} when they cannot be read */
export type KeyOf = (account: string) => Promise<AccountKey>;

/** Types of keys. A role-based key holds three others: for transactions, updates and fees. */
const kinds = { legacy: 1, public: 2, fail: 3, weighted: 4, roles: 5 } as const;
const methodNotFound = -32601;
const method = 'kaia_getAccountKey';

/**
 * How to look up keys on this chain. Null if the node does not offer the method: a chain where every account has its
 * own key, or a Kaia node without the module kaia.
 * @throws {RpcError} {Unreachable}
 */
export async function accountKeys(rpc: Rpc): Promise<KeyOf | null> {
  try {
    await rpc(method, [`0x${'0'.repeat(40)}`, 'latest']);
  } catch (error) {
    if (error instanceof RpcError && error.code === methodNotFound) return null;
    throw error;
  }
  return async (account) => {
    const answer = await rpc(method, [account, 'latest']).catch(refuseCall);
    // An unused account has the key that its address derives from.
    const key = answer === null ? ownKey(account) : readKey(answer, account);
    if (key !== null) return key;
    const reason = 'its chain uses a kind of key that this server does not know';
    throw new Refused('UNAVAILABLE', 'the account’s keys could not be read', reason);
  };
}

/** Null for an unknown kind. */
function readKey(answer: unknown, account: string): AccountKey | null {
  const key = field(answer, 'key');
  switch (field(answer, 'keyType')) {
    case kinds.legacy:
      return ownKey(account);
    case kinds.fail:
      return { threshold: 1, keys: [] };
    case kinds.public:
      return weighted(1, [{ weight: 1, key }]);
    case kinds.weighted:
      return weighted(field(key, 'threshold'), field(key, 'keys'));
    case kinds.roles: {
      const first = Array.isArray(key) ? key[0] : null;
      return field(first, 'keyType') === kinds.roles ? null : readKey(first, account);
    }
    default:
      return null;
  }
}

function weighted(threshold: unknown, list: unknown): AccountKey | null {
  if (!isCount(threshold) || !Array.isArray(list)) return null;
  const keys = list.flatMap((one: unknown) => {
    const [address, weight] = [addressOf(field(one, 'key')), field(one, 'weight')];
    return address !== null && isCount(weight) ? [{ address, weight }] : [];
  });
  return keys.length === list.length ? { threshold, keys } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** The address of a point of the curve; the node omits leading zeros. */
function addressOf(point: unknown): string | null {
  const [x, y] = [field(point, 'x'), field(point, 'y')].map((one) =>
    /^0x([0-9a-f]{1,64})$/i.exec(String(one))?.[1]?.padStart(64, '0'),
  );
  if (x === undefined || y === undefined) return null;
  return tryOr(() => computeAddress(`0x04${x}${y}`).toLowerCase(), null);
}
