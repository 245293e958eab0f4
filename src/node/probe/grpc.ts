/** Whether gRPC listens: opens and closes a TCP connection and sends nothing. */
import { connect } from 'node:net';
import { failure } from '../../jsonrpc/failure.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import { portOf } from './local/bind.js';

/** Opens a connection. Never throws for errors of the network. */
export function probeGrpc(url: string, signal: AbortSignal): Promise<Seen<'open'>> {
  const { hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: portOf(url) });
    const end = (outcome: Seen<'open'>): void => {
      signal.removeEventListener('abort', late);
      socket.destroy();
      resolve(outcome);
    };
    const fail = (error: unknown): void => {
      const { code, message } = failure(error);
      end(notSeen(code, message));
    };
    const late = (): void => fail(signal.reason);
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    socket.once('connect', () => end(seen('open')));
    socket.once('error', fail);
  });
}
