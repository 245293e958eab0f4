/** Events of the Semaphore contract in the receipt of a join. */
import type { Receipt } from './wire.js';

/** keccak256 of `MemberAdded(uint256,uint256,uint256,uint256)`; the group id is indexed. */
export const memberAdded = '0x19239b3f93cd10558aaf11423af70c77763bf54f52bcc75bfa74d4d13548cde9';

export interface Added {
  readonly groupId: bigint;
  /** Leaf index, from 0. */
  readonly index: bigint;
  readonly commitment: bigint;
  readonly root: bigint;
}

export function encodeAdded(added: Added): { topics: [string, string]; data: string } {
  const { index, commitment, root } = added;
  return {
    topics: [memberAdded, `0x${word(added.groupId)}`],
    data: `0x${[index, commitment, root].map(word).join('')}`,
  };
}

/** The well-formed MemberAdded events of an untrusted receipt; others are ignored. */
export function addedIn(receipt: Pick<Receipt, 'logs'>): Added[] {
  return receipt.logs.flatMap(({ topics, data }) => {
    const words = /^0x((?:[0-9a-f]{64}){3})$/i.exec(data)?.[1]?.match(/.{64}/g);
    const [topic, group] = topics;
    if (topic?.toLowerCase() !== memberAdded || !words || !/^0x[0-9a-f]{64}$/i.test(group ?? '')) return [];
    const [index, commitment, root] = words.map((hex) => BigInt(`0x${hex}`)) as [bigint, bigint, bigint];
    return [{ groupId: BigInt(group ?? 0), index, commitment, root }];
  });
}

/** Whether `semaphore` itself says in this receipt that the group now holds the commitment. */
export function provesJoin(
  receipt: Pick<Receipt, 'logs'>,
  semaphore: string,
  groupId: bigint,
  commitment: bigint,
): boolean {
  const logs = receipt.logs.filter((log) => log.address.toLowerCase() === semaphore.toLowerCase());
  return addedIn({ logs }).some((added) => added.groupId === groupId && added.commitment === commitment);
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
