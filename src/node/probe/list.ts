/** One question to one endpoint: which modules? */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { openChannel, RpcClient } from '../../jsonrpc/client.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type { Address } from '../../jsonrpc/endpoint.js';
import type { Seen } from '../facts/seen.js';
import { askModules, type Modules } from './modules.js';
import { observe } from './run.js';

/** Asks rpc_modules once, within `timeoutMs`. Never throws for what the node or the network does. */
export async function listModules(
  address: Address,
  options: ConnectionOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Seen<Modules>> {
  const end = deadline(timeoutMs, signal);
  const client = new RpcClient(openChannel(address, options));
  try {
    return await observe(() => askModules(client, end.signal));
  } finally {
    client.close();
    end.clear();
  }
}
