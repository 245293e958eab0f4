/** Calls a reader and expects a result. */
import type { RpcClient } from '../jsonrpc/client.js';
import { ChannelError } from '../jsonrpc/failure.js';
import { type ReadMethod, read } from '../jsonrpc/methods.js';

/** The reader's result. @throws {ChannelError} refused, when the node answers with an error */
export async function ask(client: RpcClient, method: ReadMethod, signal: AbortSignal): Promise<unknown> {
  const answer = await client.ask(read(method), signal);
  if (answer.kind === 'result') return answer.value;
  throw new ChannelError(
    'refused',
    `${method} answered error ${answer.code}: ${answer.message.slice(0, 120)}`,
  );
}
