/** `survey members --follow`: prints the list, then every new member until interrupted. */

import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { grouped } from '../../util/words.js';
import { backoff } from '../client/backoff.js';
import { type MembersFormat, rows, summary } from './listing.js';
import type { MembersOptions } from './options/members.js';
import { distrust, type Seen } from './root.js';
import { milliseconds, type Session } from './session.js';

/**
 * Prints members as they appear. A failed poll is reported once and retried with backoff.
 * @throws {KaiactlError} if the first poll fails, or the contract contradicts the list
 */
export async function follow(
  readList: () => Promise<Seen>,
  options: MembersOptions,
  session: Pick<Session, 'say'>,
  host: Host,
): Promise<ExitCode> {
  const interval = milliseconds(options.pollInterval, 'poll-interval');
  const pace = backoff(interval, interval * 15, host.signal);
  const show = printer(options.format, session, host);
  let down = false;
  for (let first = true; !host.signal.aborted; first = false) {
    const seen = await pollOnce(readList, first, async (message) => {
      if (!down && !host.signal.aborted) await session.say(`${message}; trying again`);
      down = true;
    });
    if (seen !== null) {
      if (seen.disagreements.length > 0) throw distrust(seen);
      if (first) await session.say(`${summary(seen)}; waiting for more`);
      // The reader closed the pipe, as `head` does.
      if (!(await show(seen.list.members))) return exit.ok;
      down = false;
      pace.reset();
    }
    await pace.wait();
  }
  return exit.interrupted;
}

/** Prints new members, and reports how many are gone. Resolves with false once the reader has closed stdout. */
function printer(format: MembersFormat, session: Pick<Session, 'say'>, host: Host) {
  let before: readonly string[] | null = null;
  // Keeps entries beyond a list that became shorter: a member that reappears is not printed again.
  const printed: string[] = [];
  return async (members: readonly string[]): Promise<boolean> => {
    if (members === before) return true;
    if (before === null && format === 'csv') await print(host.stdout, 'index,commitment\n');
    const gone = (before ?? []).filter((leaf, at) => leaf !== '0' && leaf !== members[at]).length;
    if (gone > 0) await session.say(missing(gone, members.length));
    const taken = await print(host.stdout, rows(members, format, printed));
    for (const [at, leaf] of members.entries()) printed[at] = leaf;
    before = members;
    return taken;
  };
}

function missing(gone: number, left: number): string {
  const outage = left === 0 ? ' (the original API also sends an empty list while its source is down)' : '';
  return `${grouped(gone)} of the printed members are not listed any more; the list has ${grouped(left)}${outage}`;
}

/** A poll. After the first, an expected failure is reported instead of thrown. */
async function pollOnce(
  readList: () => Promise<Seen>,
  first: boolean,
  report: (message: string) => Promise<void>,
): Promise<Seen | null> {
  try {
    return await readList();
  } catch (error) {
    if (first || !(error instanceof KaiactlError)) throw error;
    await report(error.message);
    return null;
  }
}
