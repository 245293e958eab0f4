/** `en-[01:20]`: one name that stands for many. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

/** One of them: its name, and the numbers that it has in place of the ranges, as written. */
export interface Ranged {
  readonly name: string;
  readonly numbers: readonly string[];
}

/** More names than this are a slip of the finger. */
const most = 100_000;
const range = /\[(\d{1,9}):(\d{1,9})\]/;

/**
 * The names in order; one without a range stands for itself. Leading zeros of the first number are kept.
 * @throws {KaiactlError} when a range runs backwards or too far (exit 2)
 */
export function expandRange(name: string): Ranged[] {
  const match = range.exec(name);
  if (match === null) return [{ name, numbers: [] }];
  const [whole, first = '', last = ''] = match;
  const count = Number(last) - Number(first) + 1;
  if (count < 1 || count > most)
    throw new KaiactlError(`${visible(name, 80)}: ${whole} is not a range`, {
      hint: `Write the smaller number first, at most ${most} in all: en-[01:20].`,
    });
  const all = Array.from({ length: count }, (_, at) =>
    String(Number(first) + at).padStart(first.length, '0'),
  );
  return all.flatMap((number) => {
    const rest = expandRange(name.slice(match.index + whole.length));
    return rest.map((one) => ({
      name: name.slice(0, match.index) + number + one.name,
      numbers: [number, ...one.numbers],
    }));
  });
}

/** `{name}` is the node's name, `{n}` its number in the (first) range. */
export function fillIn(value: string, { name, numbers }: Ranged): string {
  return value.replaceAll('{name}', name).replaceAll('{n}', numbers[0] ?? '');
}
