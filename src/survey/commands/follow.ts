/** `survey members --follow`: the list as it is, then every new member until interrupted. */

import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { grouped } from '../../util/words.js';
import { backoff } from '../client/backoff.js';
import { type MembersFormat, rows, summary } from './listing.js';
import type { MembersOptions } from './options/members.js';
import { distrust, type Seen } from './root.js';
import { milliseconds, type Session } from './session.js';

/**
 * Prints members as they appear; a look that fails is said once and tried again, ever more slowly.
 * @throws {KaiactlError} when the first look fails or the contract contradicts the list
 */
export async function follow(
  look: () => Promise<Seen>,
  options: MembersOptions,
  session: Session,
  host: Host,
): Promise<ExitCode> {
  const interval = milliseconds(options.pollInterval, 'poll-interval');
  const pace = backoff(interval, interval * 15, host.signal);
  const tell = teller(options.format, session, host);
  let down = false;
  for (let first = true; !host.signal.aborted; first = false) {
    const seen = await quietly(look, first, async (message) => {
      if (!down && !host.signal.aborted) await session.say(`${message}; trying again`);
      down = true;
    });
    if (seen !== null) {
      if (seen.disagreements.length > 0) throw distrust(seen);
      if (first) await session.say(`${summary(seen)}; waiting for more`);
      // Whoever read the list has gone, as `head` does.
      if (!(await tell(seen.list.members))) return exit.ok;
      down = false;
      pace.reset();
    }
    await pace.wait();
  }
  return exit.interrupted;
}

/** Prints who stands where nobody, or somebody else, was told to stand; says how many are gone. False: nobody reads. */
function teller(format: MembersFormat, session: Session, host: Host) {
  let before: readonly string[] | null = null;
  // Longer than the list while that is shorter than it was: who comes back is no news.
  const told: string[] = [];
  return async (members: readonly string[]): Promise<boolean> => {
    if (members === before) return true;
    if (before === null && format === 'csv') await print(host.stdout, 'index,commitment\n');
    const gone = (before ?? []).filter((leaf, at) => leaf !== '0' && leaf !== members[at]).length;
    if (gone > 0) await session.say(missing(gone, members.length));
    const taken = await print(host.stdout, rows(members, format, told));
    for (const [at, leaf] of members.entries()) told[at] = leaf;
    before = members;
    return taken;
  };
}

function missing(gone: number, left: number): string {
  const outage = left === 0 ? ' (the original API also answers so when its source is down)' : '';
  return `${grouped(gone)} of the members told are not listed any more; the list holds ${grouped(left)}${outage}`;
}

/** A look whose expected failure, after the first, is talk and not the end. */
async function quietly(
  look: () => Promise<Seen>,
  first: boolean,
  tell: (message: string) => Promise<void>,
): Promise<Seen | null> {
  try {
    return await look();
  } catch (error) {
    if (first || !(error instanceof KaiactlError)) throw error;
    await tell(error.message);
    return null;
  }
}
