/** Asks the engine API for its modules without a token, which it has to refuse. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { ChannelError } from '../../jsonrpc/failure.js';
import type { EngineAnswer, EngineFacts } from '../facts/live.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import { modules } from './probes/modules.js';
import { emptyFacts } from './run.js';
import { Session } from './session.js';

/** The message to the port; headers of the user, which may hold a token, are left out. */
export const engineMessage = `${modules.plan[0]?.[0]}, without a token`;

/** Sends one request. Never throws for errors of the node or the network. */
export async function probeEngine(
  url: string,
  connection: ConnectionOptions,
  signal: AbortSignal,
): Promise<Pick<EngineFacts, 'answer' | 'requests'>> {
  const address = parseEndpoint(url);
  const options = { ...connection, headers: {} };
  const session = new Session({ address, options, signal, budget: 1 }, emptyFacts(address, 'conf'));
  try {
    const answer = await answerOf(session);
    return { answer, requests: session.sent.requests };
  } finally {
    session.close();
  }
}

async function answerOf(session: Session): Promise<Seen<EngineAnswer>> {
  try {
    return seen({ refusal: null, modules: await modules.ask(session) });
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    const { status, code, message } = error;
    if (status === 401 || status === 403) return seen({ refusal: status });
    return session.answered ? seen({ refusal: null, modules: null }) : notSeen(code, message);
  }
}
