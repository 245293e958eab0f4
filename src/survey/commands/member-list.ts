/** The root of a member list, and its comparison with the contract. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { oncePerKey } from '../../util/once-per.js';
import { groupDigits } from '../../util/words.js';
import type { ChainGroup } from '../chain/verify.js';
import { rootCache } from '../group/root-cache.js';
import type { GroupInfo } from '../protocol/wire.js';
import type { MembersOptions } from './options/client.js';

/** A list and its checks. `root` and `verified` are null if not requested. */
export interface Seen {
  /** What the list is of, as in --format json. */
  readonly subject: Readonly<Record<string, string>>;
  readonly list: GroupInfo;
  readonly root: bigint | null;
  readonly verified: boolean | null;
  readonly disagreements: readonly string[];
}

/** Computes roots with a progress line, cached in the user's cache folder. */
export function rooter(host: Host, key: string, quiet: boolean): (list: GroupInfo) => Promise<bigint> {
  const folder = host.env.XDG_CACHE_HOME || join(host.env.HOME ?? homedir(), '.cache');
  const cacheOf = oncePerKey((id: string) => rootCache(join(folder, 'kaiactl', 'roots'), `${key} ${id}`));
  return async ({ members, groupId }) => {
    const line = progress(members.length, 'members hashed', host, quiet);
    const root = await cacheOf(groupId).root(members, line.update, host.signal);
    line.end();
    return root;
  };
}

const attempts = 3;

/** A member may join between the two reads, so a difference counts only if it persists in later ones. */
export async function checkList(
  readBoth: () => Promise<readonly [GroupInfo, ChainGroup]>,
  rootFor: (list: GroupInfo) => Promise<bigint>,
): Promise<Pick<Seen, 'list' | 'root' | 'disagreements'>> {
  const { disagreements } = await import('../chain/verify.js');
  for (let attempt = 1; ; attempt++) {
    const [list, chain] = await readBoth();
    const sameShape = list.groupId === chain.groupId && list.members.length === chain.size;
    if (!sameShape && attempt < attempts) continue;
    const root = await rootFor(list);
    const found = disagreements(list, root, chain);
    if (found.length === 0 || attempt >= attempts) return { list, root, disagreements: found };
  }
}

export function distrust(seen: Seen): KaiactlError {
  const [whose, hint] =
    seen.subject.semaphore === undefined
      ? [
          'the API’s list',
          'A list that lacks members may be complete in a minute. Otherwise only the operator of the API can fix it.',
        ]
      : ['the list from the node’s events', 'Ask another node with --rpc-url.'];
  return new KaiactlError(`${whose} differs from the contract’s group; do not trust it`, {
    exitCode: exit.unseen,
    notes: seen.disagreements,
    hint,
  });
}

export type MembersFormat = MembersOptions['format'];

/** The number of members; removed leaves do not count. */
export function countMembers(list: GroupInfo): number {
  return list.members.reduce((count, leaf) => (leaf === '0' ? count : count + 1), 0);
}

/** “, 2 removed”, for lists that keep the place of removed members. */
export function removedNote(list: GroupInfo): string {
  const removed = list.members.length - countMembers(list);
  return removed > 0 ? `, ${groupDigits(removed)} removed` : '';
}

/** The complete output. JSON keeps removed leaves as "0", since the root depends on positions; other formats skip them. */
export function listing(seen: Seen, options: Pick<MembersOptions, 'format' | 'count'>): string {
  const { subject, list, root, verified } = seen;
  const count = countMembers(list);
  if (options.format === 'json') {
    const head = { ...subject, groupId: list.groupId, count };
    const rest = { members: list.members, root: root === null ? null : String(root), verified };
    return `${JSON.stringify(options.count ? { ...head, verified } : { ...head, ...rest })}\n`;
  }
  if (options.count) return `${count}\n`;
  return (options.format === 'csv' ? 'index,commitment\n' : '') + rows(list.members, options.format);
}

/** Lines for the members that differ from the `printed` leaf at the same position. */
export function rows(leaves: readonly string[], format: MembersFormat, printed: readonly string[] = []) {
  const lines: string[] = [];
  for (const [at, leaf] of leaves.entries()) {
    if (leaf !== '0' && leaf !== printed[at]) lines.push(row(leaf, at, format));
  }
  return lines.join('');
}

function row(leaf: string, index: number, format: MembersFormat): string {
  if (format === 'text') return `${leaf}\n`;
  return format === 'csv' ? `${index},${leaf}\n` : `{"index":${index},"commitment":"${leaf}"}\n`;
}

/** “212 members, group 7, root matches the contract”. */
export function summary(seen: Seen): string {
  const { list, verified } = seen;
  const count = countMembers(list);
  const parts = [
    `${groupDigits(count)} ${count === 1 ? 'member' : 'members'}`,
    `group ${list.groupId}${removedNote(list)}`,
  ];
  const named = list.members.filter((leaf) => leaf !== '0');
  const twice = named.length - new Set(named).size;
  if (twice > 0) parts.push(`${groupDigits(twice)} listed more than once: a contract allows no duplicates`);
  if (verified === true) parts.push('root matches the contract');
  return parts.join(', ');
}
