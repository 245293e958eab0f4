/** Names in the environment and in the settings file that no option has: misspelt, they would do nothing, silently. */
import type { Option } from 'commander';
import { KaiactlError } from '../errors.js';
import type { Host } from '../host.js';
import { closest } from '../util/closest.js';
import { visible } from '../util/visible.js';
import { environmentName, settingName } from './fill-options.js';
import type { Profile } from './profile.js';

/** Secrets that are read from the environment and are not options: an argument can be seen by every user. */
const secrets = [
  ...['ID_TOKEN', 'PRIVATE_KEY', 'KEYSTORE_PASSWORD', 'SIGNATURE', 'CHANNEL_SECRET'],
  ...['PAYMENT_CLIENT_ID', 'PAYMENT_CLIENT_SECRET', 'MANAGER_KEY'],
].map((name) => `KAIACTL_${name}`);

/** What the tests of kaiactl itself read begins so. */
const ofTests = 'KAIACTL_TEST_';

/** @throws {KaiactlError} when a KAIACTL_ variable sets nothing, whichever verb runs (exit 2) */
export function checkEnvironment(env: Host['env'], options: () => readonly Option[]): void {
  const given = Object.keys(env).filter((name) => name.startsWith('KAIACTL_') && !name.startsWith(ofTests));
  if (given.length === 0) return;
  const known = [...secrets, ...options().map(environmentName)];
  for (const name of given)
    refuse(name, known, `the environment variable ${visible(name, 80)} sets no option`);
}

/** @throws {KaiactlError} when a key of the settings file is not an option of any verb of the group (exit 2) */
export function checkProfile({ where, values }: Profile, options: () => readonly Option[]): void {
  const known = options().map(settingName);
  for (const name of Object.keys(values))
    refuse(name, known, `${where} sets ${visible(name, 80)}, which is not an option`);
}

function refuse(name: string, known: readonly string[], sentence: string): void {
  if (known.includes(name)) return;
  const near = closest(name, [...new Set(known)]);
  throw new KaiactlError(sentence, {
    hint: near === null ? 'The help of each command lists its options.' : `Did you mean ${near}?`,
  });
}
