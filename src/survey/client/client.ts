/** A client of the survey API. Each of the three requests is sent once and resolves with a result, never an exception. */
import { setMaxListeners } from 'node:events';
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
  /** Sends one join. Check `ClientError.maybeActed` before you send it again. */
  join(request: JoinRequest): Promise<Result<Receipt>>;
  /** Creates one payment; its identifier. */
  pay(request: StoreRequest): Promise<Result<string>>;
}

/** Bytes. */
const smallAnswer = 1 << 20;
/** Bytes; about 800,000 members. */
const listAnswer = 64 << 20;

/** A client of the API below `base`. `timeoutMs` applies to each request. */
export function surveyClient(base: URL, timeoutMs: number, signal: AbortSignal, agent?: Agent): SurveyClient {
  // Each request under way listens; Node.js warns about more than ten.
  setMaxListeners(0, signal);
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

/** Removes secrets of the request that the server quoted. */
function clean(result: Failed, secrets: readonly string[]): Failed {
  const sentence = withoutSecrets(result.clientError.sentence, secrets);
  return { ok: false, clientError: { ...result.clientError, sentence } };
}

function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, '') + path;
  return url;
}
