/** The member list of a survey, kept: a server that can tell is asked only whether it has changed, and for what is new. */
import type { Reply } from '../protocol/http.js';
import type { GroupInfo } from '../protocol/wire.js';
import { readGroup } from './answer.js';
import { fine, type Result } from './client-error.js';

/** Asks the members route; `etag` is that of the list at hand. */
export type AskMembers = (query: Readonly<Record<string, string>>, etag: string | null) => Promise<Reply>;

/** The whole list, whatever part of it came; the same object while the server says that it has not changed. */
export type Members = (survey: string, whole?: boolean) => Promise<Result<GroupInfo>>;

interface Kept {
  readonly survey: string;
  readonly etag: string;
  readonly list: GroupInfo;
  /** Parts it was put together from since it came whole. */
  readonly parts: number;
}

/** A part does not say what has changed before it, so now and then the list comes whole. */
const mostParts = 20;

/** Keeps the last list. Servers without etags, the original among them, are asked for all of it each time. */
export function memberLists(ask: AskMembers): Members {
  let kept: Kept | null = null;
  const members: Members = async (survey, whole = false) => {
    const before: Kept | null = kept?.survey === survey ? kept : null;
    const size = before?.list.members.length ?? 0;
    const part = !whole && before !== null && size > 1 && before.parts < mostParts;
    // The part begins with the last entry known, to see that it goes on from there.
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

/** The list with the part that begins at `from`; null when the part does not go on from it. */
function extended(before: GroupInfo | undefined, part: GroupInfo, from: number): GroupInfo | null {
  const { members = [], groupId } = before ?? {};
  const goesOn = from === members.length - 1 && part.members[0] === members[from] && part.groupId === groupId;
  return goesOn ? { ...part, members: [...members, ...part.members.slice(1)] } : null;
}
