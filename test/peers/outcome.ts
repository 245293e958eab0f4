/** Runs a program in this process. */
import { Writable } from 'node:stream';
import type { Host } from '../../src/host.js';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const hasOwnTime = /^--(?:$|timeout|profile|facts|help)/;

/** The words, with a limit far above what a busy machine needs for a node of a test, unless they have one. */
export function withTime(argv: readonly string[]): readonly string[] {
  const [wing, verb = ''] = argv;
  const isAsking = wing === 'node' && ['audit', 'modules'].includes(verb) && argv.length > 2;
  return isAsking && !argv.some((word) => hasOwnTime.test(word)) ? [...argv, '--timeout', '2m'] : argv;
}

/** What a program with this command line prints and ends with; the environment is empty unless given. */
export async function outcomeOf(
  program: (host: Host) => Promise<number>,
  argv: readonly string[],
  given: Partial<Host> = {},
): Promise<Outcome> {
  const out = collector();
  const err = collector();
  const host: Host = {
    argv: withTime(argv),
    env: { XDG_CONFIG_HOME: '/nonexistent' },
    cwd: '/',
    platform: 'linux',
    stdin: process.stdin,
    stdout: out.stream,
    stderr: err.stream,
    now: Date.now,
    signal: new AbortController().signal,
    ...given,
  };
  const code = await program(host);
  return { code, stdout: out.text(), stderr: err.text() };
}

/** A stream that keeps what is written to it. */
export function collector() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      parts.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}
