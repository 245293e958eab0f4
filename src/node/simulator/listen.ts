/** Servers that listen on loopback only and end all connections when they close. */
import type { Server, Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { KaiactlError } from '../../errors.js';

export interface Listening {
  /** Null for a socket file. */
  readonly host: string | null;
  readonly port: number;
  /** Stops listening and ends every connection; resolves after the last one closed. */
  close(): Promise<void>;
}

/** Limits memory under a flood of connections. */
const maxConnections = 4096;

/** The loopback address to bind instead of the conf's: ::1 for an IPv6 address, else 127.0.0.1. */
export function loopback(host: string): string {
  return isIPv6(host.replace(/^\[(.*)\]$/, '$1')) ? '::1' : '127.0.0.1';
}

/**
 * Listens at a loopback address; on a machine without IPv6, at 127.0.0.1 instead of ::1. Port 0 selects a free port.
 * @throws {KaiactlError} if the port is in use or not permitted (exit 2)
 */
export async function listenAt(server: Server, what: string, host: string, port: number): Promise<Listening> {
  const close = closer(server);
  try {
    await listening(server, { host, port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (host === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) {
      return listenAt(server, what, '127.0.0.1', port);
    }
    throw portProblem(what, host, port, error);
  }
  const address = server.address();
  return { host, port: typeof address === 'object' && address !== null ? address.port : port, close };
}

/** Listens on a unix socket file or a Windows pipe. Rejects with the system's error. */
export async function listenOn(server: Server, path: string): Promise<Listening> {
  const close = closer(server);
  await listening(server, { path });
  return { host: null, port: 0, close };
}

function listening(server: Server, at: { host: string; port: number } | { path: string }): Promise<void> {
  server.maxConnections = maxConnections;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closer(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}

function portProblem(what: string, host: string, port: number, error: unknown): KaiactlError {
  const code = (error as NodeJS.ErrnoException).code;
  const why =
    code === 'EADDRINUSE'
      ? 'is in use'
      : code === 'EACCES'
        ? 'needs higher privileges'
        : `cannot be used (${code})`;
  return new KaiactlError(`cannot simulate ${what}: port ${port} on ${host} ${why}`, {
    hint: 'Stop the program that listens there, or use free ports with --free-ports.',
    cause: error,
  });
}
