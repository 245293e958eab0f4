/** A change of a survey's policy, from the options of `survey admin add` and `set`. */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readText } from '../../input.js';
import { visible } from '../../util/visible.js';
import { groupDigits } from '../../util/words.js';
import type { Policy } from '../store/policies.js';
import type { AdminOptions } from './options/admin.js';
import { parseAddress, wholeNumber } from './values.js';

/** `allowlist`: users and accounts; undefined if the list stays as it is. @throws {KaiactlError} (exit 2) */
export async function policyChange(options: AdminOptions, host: Host) {
  const { onePerUser, scheme, closesAt, maxMembers: max, allowlist: list } = options;
  const maxMembers =
    max === undefined || max === 'none' ? null : wholeNumber(max, 'max-members', 999_999_999);
  const names = list === undefined ? undefined : list === 'none' ? [] : await readNames(list, host);
  const policy: Partial<Policy> = {
    ...(onePerUser === undefined ? {} : { onePerUser }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(closesAt === undefined ? {} : { closesAt: closingTime(closesAt, host) }),
    ...(max === undefined ? {} : { maxMembers }),
    ...(list === undefined ? {} : { allowlist: list !== 'none' }),
  };
  return { policy, allowlist: names };
}

/** Without its zone, a time would depend on the machine. */
function closingTime(text: string, host: Host): number | null {
  if (text === 'never') return null;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10));
  const time = isTime && isDay ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    const hint = 'Like 2026-12-31T18:00Z or 2026-12-31T18:00+09:00.';
    throw new KaiactlError(`--closes-at ${visible(text, 60)} is not a time with its zone`, { hint });
  }
  if (time > host.now()) return time;
  const hint = 'kaiactl survey admin close closes it now.';
  throw new KaiactlError(`--closes-at ${text} has passed`, { hint });
}

async function readNames(file: string, host: Host): Promise<string[]> {
  const text = await readText(resolve(host.cwd, file), { what: `the allowlist ${file}`, mib: 64 });
  const names = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const name of names) if (/^0x/i.test(name)) parseAddress(name, `an account of the allowlist ${file}`);
  if (names.length > 0) return names;
  throw new KaiactlError(`the allowlist ${file} has no entry`, {
    hint: '--allowlist none allows everybody.',
  });
}

export function policyRows(policy: Policy): [name: string, value: string][] {
  const { onePerUser, scheme, closesAt, maxMembers, allowlist } = policy;
  const end = closesAt === null ? 'never' : new Date(closesAt).toISOString().replace(/(:00)?\.000Z$/, 'Z');
  return [
    ['joins per user', onePerUser ? 'one' : 'any number'],
    ['signatures', scheme],
    ['closes at', end],
    ['limit of members', maxMembers === null ? 'none' : groupDigits(maxMembers)],
    ['who may join', allowlist ? 'those on its list' : 'everybody'],
  ];
}
