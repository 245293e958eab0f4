/** Ranges in names: `en-[01:20]` is twenty names. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

/** A name, and the numbers in place of its ranges, as written. */
export interface Ranged {
  readonly name: string;
  readonly numbers: readonly string[];
}

/** A longer range is a typo. */
const maxNames = 100_000;
const range = /\[(\d{1,9}):(\d{1,9})\]/;

/**
 * The names in order. Leading zeros of the first number are kept.
 * @throws {KaiactlError} when a range runs backwards or is too long (exit 2)
 */
export function expandRange(name: string): Ranged[] {
  const match = range.exec(name);
  if (match === null) return [{ name, numbers: [] }];
  const [whole, first = '', last = ''] = match;
  const count = Number(last) - Number(first) + 1;
  if (count < 1 || count > maxNames)
    throw new KaiactlError(`${visible(name, 80)}: ${whole} is not a range`, {
      hint: `Write the smaller number first, at most ${maxNames} in all: en-[01:20].`,
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

/** Replaces `{name}` by the name of the node, `{n}` by its number in the first range. */
export function fillIn(value: string, { name, numbers }: Ranged): string {
  return value.replaceAll('{name}', name).replaceAll('{n}', numbers[0] ?? '');
}
