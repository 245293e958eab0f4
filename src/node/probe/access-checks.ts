/** What lets a web page in: the Host and Origin checks. Every name used here is reserved and belongs to nobody. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import type { Answer, RpcClient } from '../../jsonrpc/client.js';
import type { Address } from '../../jsonrpc/endpoint.js';
import { failure, unreadable } from '../../jsonrpc/failure.js';
import type { HttpChannel } from '../../jsonrpc/http.js';
import { existenceProbe } from '../../jsonrpc/methods.js';
import { handshakeProbe } from '../../jsonrpc/ws.js';
import type { Access } from '../facts/live.js';

/** A name that no node is configured for (RFC 2606). */
export const foreignHost = 'kaiactl.invalid';
/** The origin of a page on that name. */
export const foreignOrigin = `https://${foreignHost}`;

/**
 * Asks rpc_modules with {} under a foreign Host. Any JSON-RPC answer means that the Host was not looked at; a node
 * that looks answers 403, servers of virtual hosts 400, 404 or 421.
 */
export async function askHost(client: RpcClient, signal: AbortSignal): Promise<Answer | 'closed'> {
  try {
    return await client.ask(existenceProbe('rpc_modules'), signal, { host: foreignHost });
  } catch (error) {
    const { status } = failure(error);
    if (status !== null && [400, 403, 404, 421].includes(status)) return 'closed';
    throw error;
  }
}

/** Whether a page of a foreign origin may POST JSON, by the preflight's answer. */
export async function askCors(channel: HttpChannel, signal: AbortSignal): Promise<Access> {
  const { status, headers } = await channel.preflight(foreignOrigin, signal);
  if (status >= 500) throw unreadable(`the preflight was answered with HTTP ${status}`);
  const origin = headers['access-control-allow-origin'];
  const allowed = `,${headers['access-control-allow-headers'] ?? ''},`.toLowerCase().replaceAll(' ', '');
  const json = allowed.includes(',content-type,') || allowed.includes(',*,');
  return status < 300 && (origin === '*' || origin === foreignOrigin) && json ? 'open' : 'closed';
}

/** Whether a page of a foreign origin may open a WebSocket. */
export function askOrigin(
  address: Address,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Access> {
  return handshakeProbe(address, options, foreignOrigin, signal);
}
