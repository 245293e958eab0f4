/** Servers nobody here wrote: ganache in this process, anvil as a child. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe } from 'vitest';

export interface RealPeer {
  readonly http: string;
  readonly ws: string;
  readonly ipc: string | null;
  close(): Promise<void>;
}

/** ganache on a free loopback port: http and ws share it. */
async function startGanache(): Promise<RealPeer> {
  const { default: ganache } = await import('ganache');
  const server = ganache.server({ logging: { quiet: true }, wallet: { totalAccounts: 2, seed: 'kaiactl' } });
  await server.listen(0, '127.0.0.1');
  const { port } = server.address();
  return {
    http: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}`,
    ipc: null,
    close: () => server.close(),
  };
}

/** Tests that run while a ganache does. */
export function describeGanache(tests: (peer: () => RealPeer) => void): void {
  describe('ganache', () => tests(running(startGanache)));
}

/** Tests that run while an anvil does; skipped where its package has no binary. */
export function describeAnvil(tests: (peer: () => RealPeer) => void): void {
  const anvil = anvilBinary();
  describe.skipIf(anvil === null)('anvil (skipped where its package has no binary)', () =>
    tests(running(() => startAnvil(anvil ?? ''))),
  );
}

function running(start: () => Promise<RealPeer>): () => RealPeer {
  let peer: RealPeer | null = null;
  beforeAll(async () => {
    peer = await start();
  }, 30_000);
  afterAll(() => peer?.close());
  return () => {
    if (peer === null) throw new Error('it did not start');
    return peer;
  };
}

/** The anvil binary of this platform; null when its package is not installed here. */
function anvilBinary(): string | null {
  try {
    const folder = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const path = join(createRequire(import.meta.url).resolve(`${folder}/package.json`), '..', 'bin', 'anvil');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** anvil on a free port and a socket of its own. */
async function startAnvil(binary: string): Promise<RealPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-anvil-'));
  const ipc = join(folder, 'anvil.ipc');
  const child = spawn(binary, ['--port', '0', '--host', '127.0.0.1', '--accounts', '2', '--ipc', ipc], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const close = async () => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = await listening(child);
    return { http: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}`, ipc: `ipc:${ipc}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listening(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      child.stdout?.resume();
      return port;
    }
  }
  throw new Error('anvil ended without listening');
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
