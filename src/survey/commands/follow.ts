/** `survey members --follow`: the list as it is, then every new member until interrupted. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { backoff } from '../client/backoff.js';
import { rows, summary } from './listing.js';
import type { MembersOptions } from './members-options.js';
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
  let printed = 0;
  let down = false;
  for (let first = true; !host.signal.aborted; first = false) {
    const seen = await quietly(look, first, async (message) => {
      if (!down) await session.say(`${message}; trying again`);
      down = true;
    });
    if (seen !== null) {
      if (seen.disagreements.length > 0) throw distrust(seen);
      if (first) await session.say(`${summary(seen)}; waiting for more`);
      if (first && options.format === 'csv') await print(host.stdout, 'index,commitment\n');
      const { members } = seen.list;
      if (members.length < printed)
        await session.say(`the list shrank from ${printed} to ${members.length} entries`);
      else {
        await print(host.stdout, rows(members.slice(printed), printed, options.format));
        printed = members.length;
      }
      down = false;
      pace.reset();
    }
    await pace.wait();
  }
  return exit.interrupted;
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
