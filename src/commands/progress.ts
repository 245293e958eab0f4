/** How far long work is: on a terminal one line that changes, in a log a line now and then. */
import type { Host } from '../host.js';

export interface Progress {
  step(): void;
  /** Takes the line away again. */
  end(): void;
}

const quiet: Progress = { step() {}, end() {} };
/** Work shorter than this shows nothing. */
const patienceMs = 1_000;
const logEveryMs = 5_000;

/** Says on stderr how many of `total` are done, once it takes longer than a second. */
export function progress(total: number, what: string, host: Host, silent: boolean): Progress {
  if (silent || total === 0) return quiet;
  const terminal = host.stderr.isTTY === true;
  const startedAt = host.now();
  let done = 0;
  let shown = false;
  const show = (): void => {
    const seconds = (host.now() - startedAt) / 1000;
    const rate = done / seconds;
    const left = done === 0 ? '' : `, ${rate.toFixed(1)}/s, ${Math.ceil((total - done) / rate)} s left`;
    const line = `${done}/${total} ${what}${left}`;
    host.stderr.write(terminal ? `\r\u001b[K${line}` : `${line}\n`);
    shown = true;
  };
  let timer = setTimeout(function again() {
    show();
    timer = setTimeout(again, terminal ? 200 : logEveryMs).unref();
  }, patienceMs).unref();
  return {
    step() {
      done += 1;
    },
    end() {
      clearTimeout(timer);
      if (shown && terminal) host.stderr.write('\r\u001b[K');
    },
  };
}
