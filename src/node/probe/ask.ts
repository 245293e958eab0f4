/** Calls a reader and expects a result. */
import type { RpcClient } from '../../jsonrpc/client.js';
import { ChannelError, unreadable } from '../../jsonrpc/failure.js';
import { type ReadMethod, read } from '../../jsonrpc/methods.js';

/** The reader's result. @throws {ChannelError} rpc-error, when the node answers with an error */
export async function ask(client: RpcClient, method: ReadMethod, signal: AbortSignal): Promise<unknown> {
  const answer = await client.ask(read(method), signal);
  if (answer.kind === 'result') return answer.value;
  throw new ChannelError(
    'rpc-error',
    `${method} answered error ${answer.code}: ${answer.message.slice(0, 120)}`,
  );
}

/** A result that must be a text of at most 256 characters; what is longer is cut, what is no text refused. */
export async function askText(client: RpcClient, method: ReadMethod, signal: AbortSignal): Promise<string> {
  const value = await ask(client, method, signal);
  if (typeof value !== 'string') throw unreadable(`${method} did not answer with a text`);
  return value.slice(0, 256);
}
