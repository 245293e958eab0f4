/** Renders a member list as text, JSON, CSV or NDJSON. */
import { grouped } from '../../util/words.js';
import type { GroupInfo } from '../protocol/wire.js';
import type { Seen } from './root.js';

export const membersFormats = ['text', 'json', 'csv', 'ndjson'] as const;
export type MembersFormat = (typeof membersFormats)[number];

/** The number of members; removed leaves do not count. */
export function countMembers(list: GroupInfo): number {
  return list.members.reduce((count, leaf) => (leaf === '0' ? count : count + 1), 0);
}

/** The complete output. JSON keeps removed leaves as "0", since the root depends on positions; other formats skip them. */
export function listing(
  seen: Seen,
  options: { readonly format: MembersFormat; readonly count: boolean },
): string {
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
export function rows(
  leaves: readonly string[],
  format: MembersFormat,
  printed: readonly string[] = [],
): string {
  const lines: string[] = [];
  for (const [at, leaf] of leaves.entries()) {
    if (leaf !== '0' && leaf !== printed[at]) lines.push(row(leaf, at, format));
  }
  return lines.join('');
}

function row(leaf: string, index: number, format: MembersFormat): string {
  switch (format) {
    case 'csv':
      return `${index},${leaf}\n`;
    case 'ndjson':
    case 'json':
      return `{"index":${index},"commitment":"${leaf}"}\n`;
    case 'text':
      return `${leaf}\n`;
  }
}

/** “212 members, group 7, root matches the contract”. */
export function summary(seen: Seen): string {
  const { list, verified } = seen;
  const count = countMembers(list);
  const removed = list.members.length - count;
  const parts = [`${grouped(count)} ${count === 1 ? 'member' : 'members'}`, `group ${list.groupId}`];
  if (removed > 0) parts.push(`${grouped(removed)} removed`);
  if (verified === true) parts.push('root matches the contract');
  return parts.join(', ');
}
