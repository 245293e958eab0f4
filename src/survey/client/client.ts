/** A client of the survey API. Each of the three requests is sent once and resolves with a result, never an exception. */
import { setMaxListeners } from 'node:events';
import type { Agent } from 'node:http';
import { type Reply, send } from '../../http/send.js';
import type { GroupInfo, JoinRequest, Receipt, StoreRequest } from '../protocol/wire.js';
import { paths } from '../protocol/wire.js';
import { readGroup, readPayment, readReceipt } from './answer.js';
import { fine, type Result, withoutSecrets } from './client-error.js';

export type SurveyClient = ReturnType<typeof surveyClient>;

const smallAnswer = 1 << 20;
/** Bytes; about 800,000 members. */
const listAnswer = 64 << 20;

/** A client of the API below `base`. `timeoutMs` applies to each request. */
export function surveyClient(base: URL, timeoutMs: number, signal: AbortSignal, agent?: Agent) {
  // Each request under way listens; Node.js warns about more than ten.
  setMaxListeners(0, signal);
  const common = { timeoutMs, signal, agent };
  const posted = { ...common, method: 'POST', maxBytes: smallAnswer } as const;
  const post = (path: string, body: unknown) =>
    send({ ...posted, url: below(base, path), body: JSON.stringify(body) });
  return {
    members: memberLists((query, known) => {
      const url = below(base, paths.members);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return send({ ...common, method: 'GET', url, maxBytes: listAnswer, known });
    }),
    /** Sends one join. Check `ClientError.maybeActed` before you send it again. */
    async join(request: JoinRequest): Promise<Result<Receipt>> {
      const reply = await post(paths.join, request);
      const result = readReceipt(reply);
      if (result.ok) return result;
      // The server may have quoted secrets of the request.
      const { sentence, ...rest } = result.clientError;
      const secrets = [request.signature, request.idToken].flat();
      const clock = reply.kind === 'answer' && rest.kind === 'refused' ? clockHint(reply.clockMs) : null;
      const hint = [clock, rest.hint].filter((one) => one !== null).join(' ') || null;
      return { ok: false, clientError: { ...rest, hint, sentence: withoutSecrets(sentence, secrets) } };
    },
    pay: async (request: StoreRequest) => readPayment(await post(paths.store, request)),
  };
}

/** Difference of clocks that explains a refused token or signature, in milliseconds. */
const maxSkewMs = 60_000;

/** Null: the clocks agree, or the server's is not known. */
function clockHint(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) < maxSkewMs) return null;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return `This machine’s clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the server’s: tokens and signatures expire by it.`;
}

function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  return url;
}

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
export function memberLists(
  ask: (query: Readonly<Record<string, string>>, etag: string | null) => Promise<Reply>,
): Members {
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
