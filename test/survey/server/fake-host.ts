import { Readable, Writable } from 'node:stream';
import type { Host } from '../../../src/host.js';

/** A host whose output is collected; `line` resolves once stdout holds what is asked for. */
export function fakeHost(argv: readonly string[], env: Host['env'] = {}) {
  const abort = new AbortController();
  const texts = { out: '', err: '' };
  const waiting: { pattern: RegExp; resolve(match: RegExpExecArray): void }[] = [];
  const stdout = new Writable({
    write(chunk, _, done) {
      texts.out += String(chunk);
      for (const { pattern, resolve } of waiting) {
        const match = pattern.exec(texts.out);
        if (match !== null) resolve(match);
      }
      done();
    },
  });
  const stderr = new Writable({
    write(chunk, _, done) {
      texts.err += String(chunk);
      done();
    },
  });
  const host: Host = {
    argv,
    env,
    cwd: '/',
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
    now: Date.now,
    signal: abort.signal,
  };
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => waiting.push({ pattern, resolve }));
  return { host, abort, texts, line };
}
