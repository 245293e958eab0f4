/** A survey server's output: its URL on stdout, its log on stderr as JSON lines or, on a terminal, as text. */
import { type Host, print } from '../../host.js';
import { visible } from '../../util/visible.js';
import type { LogEntry } from '../server/log.js';
import type { Running } from '../server/serve.js';

/** Returns the writer of log entries. Writes are not awaited: a slow reader of the log must not slow the API. */
export function requestLog(
  options: { readonly log?: 'text' | 'json' | 'off'; readonly quiet: boolean },
  host: Host,
): (entry: LogEntry) => void {
  const form = options.log ?? (options.quiet ? 'off' : host.stderr.isTTY === true ? 'text' : 'json');
  if (form === 'off') return () => undefined;
  const write = form === 'json' ? jsonLine : textLine;
  return (entry) => void host.stderr.write(`${write(new Date(host.now()).toISOString(), entry)}\n`);
}

/** Counts carry the hour only, `2026-01-02T03Z`, and those of refused joins the minute. */
function jsonLine(time: string, entry: LogEntry): string {
  const digits = 'requests' in entry ? 13 : 'refusals' in entry ? 16 : null;
  return JSON.stringify({ time: digits === null ? time : `${time.slice(0, digits)}Z`, ...entry });
}

function textLine(time: string, entry: LogEntry): string {
  if ('requests' in entry) {
    const counts = Object.entries(entry.requests).map(([kind, count]) => `${count} × ${kind}`);
    return visible(`${time.slice(11, 13)}h  in an hour: ${counts.join(', ')}`, 4000);
  }
  if ('refusals' in entry) {
    const counts = Object.entries(entry.refusals).map(([reason, count]) => `${count} × ${reason}`);
    return visible(`${time.slice(11, 16)}  refused joins: ${counts.join(', ')}`, 4000);
  }
  if ('event' in entry) return visible(`${time.slice(11, 19)}  ${entry.event}  ${entry.code}`, 400);
  const { status, method, path, ms, note } = entry;
  const what = `${time.slice(11, 19)}  ${status}  ${method} ${path}  ${ms} ms`;
  return visible(note === undefined ? what : `${what}  ${note}`, 400);
}

/** Prints the first line of stdout: the URL, or a JSON object with it. */
export async function announce(
  running: Running,
  options: { readonly format: 'text' | 'json'; readonly quiet: boolean },
  host: Host,
): Promise<void> {
  const line = options.format === 'json' ? JSON.stringify({ url: running.url }) : running.url;
  await print(host.stdout, `${line}\n`);
  if (!options.quiet) await print(host.stderr, `serving ${running.about}; Ctrl-C ends it\n`);
}
