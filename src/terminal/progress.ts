/** How far long work is: on a terminal a bar that redraws itself, in a log a line every few seconds. */
import type { Host } from '../host.js';
import { grouped } from '../util/words.js';

export interface Progress {
  /** One more is done. */
  step(): void;
  /** So many are done. */
  update(done: number): void;
  /** Takes the bar away again. */
  end(): void;
}

const quiet: Progress = { step() {}, update() {}, end() {} };
/** Work shorter than this shows nothing on a terminal. */
const patienceMs = 1_000;
const betweenFramesMs = 200;
const betweenLinesMs = 5_000;
const barWidth = 24;

/**
 * Says on stderr how many of `total` are done (`what`: "files"): on a terminal once that takes longer than a second, in a
 * log every five, and there nothing of a single one.
 */
export function progress(total: number, what: string, host: Host, silent: boolean): Progress {
  if (silent || total === 0) return quiet;
  const terminal = host.stderr.isTTY === true;
  if (!terminal && total === 1) return quiet;
  const everyMs = terminal ? betweenFramesMs : betweenLinesMs;
  const startedAt = host.now();
  let done = 0;
  let next = startedAt + (terminal ? patienceMs : betweenLinesMs);
  let drawn = false;
  const draw = (): void => {
    const now = host.now();
    if (now < next) return;
    next = now + everyMs;
    const text = `${terminal ? `${bar(done, total)}  ` : ''}${counts(done, total, what, now - startedAt)}`;
    host.stderr.write(terminal ? `\r\u001b[2K${text}` : `${text}\n`);
    drawn = terminal;
  };
  // Draws also while a step takes long; never keeps the process alive.
  const timer = setInterval(draw, betweenFramesMs).unref();
  const update = (count: number): void => {
    done = count;
    draw();
  };
  return {
    step: () => update(done + 1),
    update,
    end() {
      clearInterval(timer);
      if (drawn) host.stderr.write('\r\u001b[2K');
    },
  };
}

function bar(done: number, total: number): string {
  const filled = Math.round((barWidth * done) / total);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
}

function counts(done: number, total: number, what: string, tookMs: number): string {
  const so = `${grouped(done)} of ${grouped(total)} ${total === 1 ? what.replace(/s$/, '') : what}`;
  if (done === 0) return so;
  const rate = (1000 * done) / Math.max(tookMs, 1);
  const left = Math.ceil((total - done) / rate);
  const time = left >= 120 ? `${Math.round(left / 60)} min` : `${left} s`;
  return `${so}, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s, ${time} left`;
}
