/** Progress on stderr: a bar on a terminal, a line every few seconds in a log or on a dumb terminal. */
import type { Host } from '../host.js';
import { recentRate } from '../util/recent-rate.js';
import { groupDigits } from '../util/words.js';
import { isScreen, widthOf } from './capabilities.js';
import { columns, cut } from './wrap.js';

export interface Progress {
  step(): void;
  update(done: number): void;
  /** Removes the bar until it is drawn again, before other text on stderr. */
  hide(): void;
  /** Removes the bar. */
  end(): void;
}

const quiet: Progress = { step() {}, update() {}, hide() {}, end() {} };
/** Shorter work shows no bar. */
const delayMs = 1_000;
const betweenFramesMs = 200;
const betweenLinesMs = 5_000;
const barWidth = 24;

/**
 * Reports how many of `total` items are done (`what`: "files"): on a terminal after a second, in a log every five
 * seconds unless there is one item. `detail` is added to the text.
 */
export function progress(
  total: number,
  what: string,
  host: Host,
  silent: boolean,
  detail: () => string = () => '',
): Progress {
  if (silent || total === 0) return quiet;
  const terminal = isScreen(host.stderr, host);
  if (!terminal && total === 1) return quiet;
  const everyMs = terminal ? betweenFramesMs : betweenLinesMs;
  const startedAt = host.now();
  const rate = recentRate(startedAt);
  let done = 0;
  let next = startedAt + (terminal ? delayMs : betweenLinesMs);
  let drawn = false;
  const draw = (): void => {
    const now = host.now();
    if (now < next) return;
    next = now + everyMs;
    const text = `${counts(done, total, what, rate(done, now))}${detail()}`;
    host.stderr.write(
      terminal ? `\r\u001b[2K${frame(text, done / total, widthOf(host.stderr, host))}` : `${text}\n`,
    );
    drawn = terminal;
  };
  // Also draws during a long step. Does not keep the process alive.
  const timer = setInterval(draw, betweenFramesMs).unref();
  const update = (count: number): void => {
    done = count;
    draw();
  };
  const hide = (): void => {
    if (drawn) host.stderr.write('\r\u001b[2K');
    drawn = false;
  };
  return {
    step: () => update(done + 1),
    update,
    hide,
    end() {
      clearInterval(timer);
      hide();
    },
  };
}

/** One line of a terminal: a bar if there is room for it, and the text. The last column stays empty. */
function frame(text: string, share: number, width: number): string {
  const filled = Math.round(barWidth * share);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}  `;
  return cut(bar.length + columns(text) < width ? bar + text : text, width - 1);
}

function counts(done: number, total: number, what: string, rate: number): string {
  const progressed = `${groupDigits(done)} of ${groupDigits(total)} ${total === 1 ? what.replace(/s$/, '') : what}`;
  if (rate <= 0) return progressed;
  const left = Math.ceil((total - done) / rate);
  const time = left >= 120 ? `${Math.round(left / 60)} min` : `${left} s`;
  return `${progressed}, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s, ${time} left`;
}
