/** Runs a verb of `kaiactl survey` in this process, with streams that are kept. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Host, Input, Output } from '../../src/host.js';
import { main } from './program.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Setting {
  readonly env?: Record<string, string>;
  /** A stream stays open until it ends itself. */
  readonly stdin?: string | Readable;
  readonly tty?: boolean;
  /** Instead of one whose text is kept. */
  readonly stdout?: Writable;
  readonly abort?: AbortController;
  /** Instead of the system's clock. */
  readonly now?: () => number;
  /** Hears every write, to act at a moment instead of after a while. */
  readonly heard?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** One folder for all caches and settings of a test file, so that nothing of the user's is read. */
export const home = mkdtempSync(join(tmpdir(), 'kaiactl-test-'));

function stdinOf({ stdin }: Setting): Readable {
  return stdin instanceof Readable ? stdin : Readable.from(stdin === undefined ? [] : [stdin]);
}

export async function kaiactl(argv: readonly string[], setting: Setting = {}): Promise<Ran> {
  const out = { stdout: '', stderr: '' };
  const collect = (stream: 'stdout' | 'stderr'): Output =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          out[stream] += String(chunk);
          setting.heard?.(stream, String(chunk));
          done();
        },
      }),
      { isTTY: setting.tty ?? false, columns: 80 },
    );
  const host: Host = {
    argv,
    env: { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...setting.env },
    cwd: home,
    platform: 'linux',
    stdin: Object.assign(stdinOf(setting), { isTTY: setting.tty ?? false }) as Input,
    stdout: setting.stdout ?? collect('stdout'),
    stderr: collect('stderr'),
    now: setting.now ?? Date.now,
    signal: (setting.abort ?? new AbortController()).signal,
  };
  const code = await main(host);
  return { code, ...out };
}
