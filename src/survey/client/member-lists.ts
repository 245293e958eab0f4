/** A cached member list. Servers with etags are asked only for new members. */
import type { Reply } from '../protocol/http.js';
import type { GroupInfo } from '../protocol/wire.js';
import { readGroup } from './answer.js';
import { fine, type Result } from './client-error.js';

/** Calls the members route. `etag` is the etag of the cached list. */
export type AskMembers = (query: Readonly<Record<string, string>>, etag: string | null) => Promise<Reply>;

/** The complete list; the same object while the server answers that it has not changed. */
export type Members = (survey: string, whole?: boolean) => Promise<Result<GroupInfo>>;

interface Kept {
  readonly survey: string;
  readonly etag: string;
  readonly list: GroupInfo;
  /** Parts appended since the last complete answer. */
  readonly parts: number;
}

/** A part does not show changes before it, so the complete list is read again after this many parts. */
const maxParts = 20;

/** Caches the last list. Servers without etags, such as the original app, send the complete list each time. */
export function memberLists(ask: AskMembers): Members {
  let kept: Kept | null = null;
  const members: Members = async (survey, whole = false) => {
    const before: Kept | null = kept?.survey === survey ? kept : null;
    const size = before?.list.members.length ?? 0;
    const part = !whole && before !== null && size > 1 && before.parts < maxParts;
    // The part begins with the last known entry, to check that it continues the cached list.
    const query = part ? { id: survey, after: String(size - 2) } : { id: survey };
    const reply = await ask(query, before?.etag ?? null);
    if (before !== null && reply.kind === 'answer' && reply.status === 304) return fine(before.list);
    const read = readGroup(reply);
    if (!read.ok) return read;
    const { from = 0, ...now } = read.value;
    const list = from === 0 ? now : extended(before?.list, now, from);
    const etag = reply.kind === 'answer' ? reply.etag : null;
    kept =
      list === null || etag === null
        ? null
        : { survey, etag, list, parts: from === 0 ? 0 : (before?.parts ?? 0) + 1 };
    return list === null ? members(survey, true) : fine(list);
  };
  return members;
}

/** The list with the part that begins at `from` appended; null if the part does not continue the list. */
function extended(before: GroupInfo | undefined, part: GroupInfo, from: number): GroupInfo | null {
  const { members = [], groupId } = before ?? {};
  const continues =
    from === members.length - 1 && part.members[0] === members[from] && part.groupId === groupId;
  return continues ? { ...part, members: [...members, ...part.members.slice(1)] } : null;
}
