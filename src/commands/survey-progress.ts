/** Progress of long work on stderr: one line that rewrites itself on a terminal, a line every few seconds in a log. */
import type { Host } from '../host.js';

export interface ProgressLine {
  update(done: number): void;
  /** Removes the line from a terminal. */
  end(): void;
}

const betweenLines = 5000;
const betweenFrames = 100;
const barWidth = 24;

/** A line for `total` steps; nothing at all with --quiet or when the work is over at once. */
export function progressLine(host: Host, quiet: boolean, what: string, total: number): ProgressLine {
  const terminal = host.stderr.isTTY === true;
  const started = host.now();
  let shown = started;
  let drawn = false;
  return {
    update(done) {
      const now = host.now();
      if (quiet || now - shown < (terminal ? betweenFrames : betweenLines)) return;
      shown = now;
      const text = `${what}  ${terminal ? `${bar(done, total)}  ` : ''}${counts(done, total, now - started)}`;
      host.stderr.write(terminal ? `\r\u001b[2K${text}` : `${text}\n`);
      drawn = terminal;
    },
    end() {
      if (drawn) host.stderr.write('\r\u001b[2K');
      drawn = false;
    },
  };
}

function bar(done: number, total: number): string {
  const filled = Math.round((barWidth * done) / Math.max(total, 1));
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
}

function counts(done: number, total: number, tookMs: number): string {
  const rate = (1000 * done) / Math.max(tookMs, 1);
  const left = Math.ceil((total - done) / Math.max(rate, 0.001));
  const each = rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1);
  return `${grouped(done)} of ${grouped(total)}, ${each}/s, ${left} s left`;
}

/** 12345 → 12,345. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
