/** One question to one endpoint: which modules? */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type { Address } from '../../jsonrpc/endpoint.js';
import type { Seen } from '../facts/seen.js';
import { type Modules, modules } from './probes/modules.js';
import { emptyFacts, observe } from './run.js';
import { Session } from './session.js';

/** Asks rpc_modules once, within `timeoutMs`. Never throws for what the node or the network does. */
export async function listModules(
  address: Address,
  options: ConnectionOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Seen<Modules>> {
  const end = deadline(timeoutMs, signal);
  const session = new Session(
    { address, options, signal: end.signal, budget: 1 },
    emptyFacts(address, 'argument'),
  );
  try {
    return await observe(() => modules.ask(session));
  } finally {
    session.close();
    end.clear();
  }
}
