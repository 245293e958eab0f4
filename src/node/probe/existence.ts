/**
 * Whether methods exist, asked without running them: with `{}` as parameters an existing method answers -32602,
 * an absent one -32601. Believed only where that has been seen to hold.
 */

import type { Answer, RpcClient } from '../../jsonrpc/client.js';
import { unreadable } from '../../jsonrpc/failure.js';
import { type ExistenceMethod, existenceProbe, nonsenseMethod } from '../../jsonrpc/methods.js';
import type { Presence } from '../facts/live.js';

const absent = -32601;
const present = -32602;

/** Present or absent. @throws {ChannelError} when the answer is neither of the two */
export async function askPresence(
  client: RpcClient,
  method: ExistenceMethod,
  signal: AbortSignal,
): Promise<Presence> {
  return presenceOf(method, await client.ask(existenceProbe(method), signal));
}

/** What an answer to `{}` shows. @throws {ChannelError} when it shows nothing */
export function presenceOf(method: ExistenceMethod, answer: Answer): Presence {
  if (answer.kind === 'error' && answer.code === present) return 'present';
  if (answer.kind === 'error' && answer.code === absent) return 'absent';
  const said = answer.kind === 'error' ? `error ${answer.code}` : 'a result';
  throw unreadable(`${nameOf(method)} with {} answered ${said}, which tells nothing`);
}

/** A method nobody has must be absent. @throws {ChannelError} when it is not: then no probe can be believed */
export async function expectAbsence(client: RpcClient, signal: AbortSignal): Promise<void> {
  if ((await askPresence(client, nonsenseMethod(), signal)) === 'absent') return;
  throw unreadable(
    'a method that cannot exist was answered as if it did: something else answers for the node',
  );
}

/** @throws {ChannelError} when a method that must exist is denied */
export function expectPresence(method: ExistenceMethod, presence: Presence): void {
  if (presence === 'present') return;
  throw unreadable(`${method} was denied although it exists: something else answers for the node`);
}

function nameOf(method: ExistenceMethod): string {
  return method.startsWith('kaiactl_') ? 'a made-up method' : method;
}
