/** One join per person and survey, remembered without remembering who joined as what. */
import { createHash } from 'node:crypto';
import { Refused } from '../protocol/refused.js';
import type { Sqlite } from './sqlite.js';

/** How long a join that never ended keeps its person from another try, in milliseconds. */
const pendingFor = 10 * 60_000;

/** What a reservation came to. */
export interface Reservation {
  confirm(): void;
  release(): void;
}

/**
 * Reserves the person's place in the survey. Kept are a hash of both and, only while the join is under way,
 * its commitment. A join that was cut off is settled by asking the group whether it went through.
 * @throws {Refused} when the person has joined, or is joining
 */
export async function reserve(
  file: Sqlite,
  ask: { survey: string; userId: string; commitment: bigint; now: number },
  isMember: (commitment: string) => Promise<boolean>,
): Promise<Reservation> {
  const { survey, now } = ask;
  const person = createHash('sha256').update(`${survey}\n${ask.userId}`).digest('hex');
  const earlier = file.one<[string | null, number]>(
    'SELECT commitment, since FROM participants WHERE survey = ? AND person = ?',
    ...[survey, person],
  );
  const confirm = () =>
    void file.run(
      'UPDATE participants SET commitment = NULL WHERE survey = ? AND person = ?',
      survey,
      person,
    );
  const release = () =>
    void file.run('DELETE FROM participants WHERE survey = ? AND person = ?', survey, person);
  if (earlier !== undefined) {
    const [pending, since] = earlier;
    if (pending === null) throw already();
    if (await isMember(pending)) {
      confirm();
      throw already();
    }
    if (now - since < pendingFor)
      throw new Refused('ALREADY_JOINING', 'a join is under way', 'wait and look');
    release();
  }
  const added = file.run(
    'INSERT INTO participants VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ...[survey, person, String(ask.commitment), now],
  );
  if (added === 0)
    throw new Refused('ALREADY_JOINING', 'a join is under way', 'wait and look at the members');
  return { confirm, release };
}

function already(): Refused {
  return new Refused('ALREADY_JOINED', 'this user has already joined', 'the survey takes one join per user');
}
