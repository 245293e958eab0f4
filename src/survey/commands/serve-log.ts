/** The log of requests on stderr: a line of JSON each, or of text for a terminal. */
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';

type Entry = Readonly<Record<string, unknown>>;

/** Where request entries go. Writing is not waited for: a slow reader of the log must not slow the API. */
export function requestLog(
  options: { readonly log?: 'text' | 'json' | 'off'; readonly quiet: boolean },
  host: Host,
): (entry: Entry) => void {
  const form = options.log ?? (options.quiet ? 'off' : host.stderr.isTTY === true ? 'text' : 'json');
  if (form === 'off') return () => undefined;
  const write = form === 'json' ? jsonLine : textLine;
  return (entry) => void host.stderr.write(`${write(new Date(host.now()).toISOString(), entry)}\n`);
}

function jsonLine(time: string, entry: Entry): string {
  return JSON.stringify({ time, ...entry });
}

function textLine(time: string, entry: Entry): string {
  const { status, method, path, ms, from, note, event, code } = entry;
  if (event !== undefined) return visible(`${time.slice(11, 19)}  ${event}  ${code}`, 400);
  const what = `${time.slice(11, 19)}  ${status}  ${method} ${path}  ${ms} ms  ${from}`;
  return visible(note === undefined ? what : `${what}  ${note}`, 400);
}
