/** The survey API as a client sees it: three requests, each sent once, each with a result instead of an exception. */
import type { Agent } from 'node:http';
import { exchange } from '../protocol/http.js';
import {
  type GroupInfo,
  type JoinRequest,
  paths,
  type Receipt,
  type StoreRequest,
} from '../protocol/wire.js';
import { readGroup, readPayment, readReceipt } from './answer.js';
import type { Failed, Result } from './client-error.js';
import { withoutSecrets } from './sanitize.js';

export interface SurveyClient {
  /** The whole list of a survey's group; the same object while the server says that it has not changed. */
  members(survey: string): Promise<Result<GroupInfo>>;
  /** One join; see ClientError.maybeActed before sending it again. */
  join(request: JoinRequest): Promise<Result<Receipt>>;
  /** One payment; its identifier. */
  pay(request: StoreRequest): Promise<Result<string>>;
}

const smallAnswer = 1 << 20;
/** About 800,000 members. */
const listAnswer = 64 << 20;

/** A client of the API below `base`; `timeoutMs` is for each request. */
export function surveyClient(base: URL, timeoutMs: number, signal: AbortSignal, agent?: Agent): SurveyClient {
  const common = { timeoutMs, signal, agent };
  const post = (path: string, body: unknown) =>
    exchange({
      ...{ ...common, method: 'POST', url: below(base, path) },
      ...{ body: JSON.stringify(body), maxBytes: smallAnswer },
    });
  // The last list with its etag: a server that knows etags sends a list only when it has changed.
  let last: { readonly survey: string; readonly etag: string; readonly list: Result<GroupInfo> } | null =
    null;
  return {
    async members(survey) {
      const url = below(base, paths.members);
      url.searchParams.set('id', survey);
      const before = last?.survey === survey ? last : null;
      const known = before?.etag ?? null;
      const reply = await exchange({ ...common, method: 'GET', url, maxBytes: listAnswer, known });
      if (before !== null && reply.kind === 'answer' && reply.status === 304) return before.list;
      const list = readGroup(reply);
      const etag = reply.kind === 'answer' && list.ok ? reply.etag : null;
      if (etag !== null) last = { survey, etag, list };
      return list;
    },
    async join(request) {
      const result = readReceipt(await post(paths.join, request));
      return result.ok ? result : clean(result, [request.signature, request.idToken]);
    },
    pay: async (request) => readPayment(await post(paths.store, request)),
  };
}

/** A server may quote what it was sent. */
function clean(result: Failed, secrets: readonly string[]): Failed {
  const sentence = withoutSecrets(result.clientError.sentence, secrets);
  return { ok: false, clientError: { ...result.clientError, sentence } };
}

function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  return url;
}
