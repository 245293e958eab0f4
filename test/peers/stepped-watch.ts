/** A watch in this process whose rounds a test starts: the pauses between them take no time. */
import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { Host } from '../../src/host.js';
import type { Clock } from '../../src/node/commands/fleet.js';
import { verbs } from '../../src/node/commands/options/verbs.js';
import { run } from '../../src/node/commands/watch.js';
import { collector } from './outcome.js';

export interface SteppedWatch {
  readonly out: () => string;
  readonly err: () => string;
  /** Runs the next round, or all until the watch pauses. */
  round(): Promise<void>;
  hangup(): void;
  /** Interrupts it. @returns its exit code */
  stop(): Promise<number>;
}

/** The pauses between rounds are longer than this, and those before another attempt shorter. */
const betweenRoundsMs = 60_000;

/** `words` follow `kaiactl node watch`; `sink` takes what it prints. */
export function steppedWatch(words: readonly string[], cwd: string, sink = collector): SteppedWatch {
  const [stdout, stderr] = [sink(), sink()];
  const abort = new AbortController();
  let reload = (): void => {};
  const host: Host = {
    argv: [],
    env: {},
    cwd,
    platform: process.platform,
    stdin: Readable.from([]),
    now: Date.now,
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: abort.signal,
    onHangup: (callback) => {
      reload = callback;
    },
  };
  const command = verbs.watch(new Command());
  command.parse([...words, '--timeout', '50s'], { from: 'user' });
  let begin = (): void => {};
  let ended = (): void => {};
  let failed = (_: unknown): void => {};
  const clock: Clock = {
    now: () => 0,
    wait: (ms, signal) => {
      if (ms < betweenRoundsMs) return Promise.resolve();
      ended();
      return new Promise<void>((resolve) => {
        begin = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
  let code: Promise<number> | null = null;
  return {
    out: stdout.text,
    err: stderr.text,
    async round() {
      const end = new Promise<void>((resolve, reject) => {
        [ended, failed] = [resolve, reject];
      });
      if (code === null) {
        code = run({ ...command.opts(), targets: command.args }, host, clock);
        code.then(
          () => ended(),
          (error) => failed(error),
        );
      } else begin();
      await end;
    },
    hangup: () => reload(),
    async stop() {
      abort.abort();
      return (await code) ?? -1;
    },
  };
}

/** A watch with --serve-probe on a free port: its address, and the watch itself. */
export async function probing(words: readonly string[], cwd: string) {
  const watch = steppedWatch(['--serve-probe', '--listen', '127.0.0.1:0', ...words], cwd);
  await watch.round();
  return { ...watch, url: /probes at (http:\/\/[^/]+)/.exec(watch.err())?.[1] ?? '' };
}
