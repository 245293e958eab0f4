/** The survey API as a client sees it: three requests, each sent once, each with a result instead of an exception. */
import type { Agent } from 'node:http';
import { exchange } from '../protocol/http.js';
import { type JoinRequest, paths, type Receipt, type StoreRequest } from '../protocol/wire.js';
import { readPayment, readReceipt } from './answer.js';
import type { Failed, Result } from './client-error.js';
import { type Members, memberLists } from './member-lists.js';
import { withoutSecrets } from './sanitize.js';

export interface SurveyClient {
  /** The whole list of a survey's group. */
  readonly members: Members;
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
  return {
    members: memberLists((query, known) => {
      const url = below(base, paths.members);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return exchange({ ...common, method: 'GET', url, maxBytes: listAnswer, known });
    }),
    async join(request) {
      const result = readReceipt(await post(paths.join, request));
      return result.ok ? result : clean(result, [request.signature, request.idToken].flat());
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
