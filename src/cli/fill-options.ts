/** Option values from the environment and the settings file. */
import type { CommandUnknownOpts, Option } from 'commander';
import { KaiactlError } from '../errors.js';
import type { Host } from '../host.js';
import { suggest } from '../util/closest.js';
import { visible } from '../util/visible.js';
import type { Section } from './profile.js';

/** The key that sets an option in the settings file: --fail-on → fail-on, --no-wait → wait. */
export function settingName(option: Option): string {
  return option.name().replace(/^no-/, '');
}

/** The environment variable that sets an option: --fail-on → KAIACTL_FAIL_ON. */
export function environmentName(option: Option): string {
  return `KAIACTL_${settingName(option).replaceAll('-', '_').toUpperCase()}`;
}

const yes = new Set(['1', 'true', 'yes', 'on']);

const no = new Set(['0', 'false', 'no', 'off', '']);

/**
 * Sets the options that the command line does not set: from the environment (KAIACTL_<OPTION>), or else from the first
 * section that has a value. A repeatable option takes one value per line of the variable, or `name[] =` lines of a
 * section. An option with a negated form (--color, --no-color) takes true and false too. The source of the value names the variable or the section.
 * @throws {KaiactlError} on a value that the option does not accept (exit 2)
 */
export function fillOptions(
  command: CommandUnknownOpts,
  { env }: Pick<Host, 'env'>,
  sections: readonly Section[],
): void {
  for (const option of command.options) {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) === 'cli') continue;
    // The positive form takes the values of both: --color, --no-color.
    if (option.negate && command.options.some((one) => !one.negate && one.attributeName() === key)) continue;
    const variable = environmentName(option);
    const fromEnvironment = env[variable];
    if (fromEnvironment !== undefined) {
      assign(command, option, fromEnvironment, `the environment variable ${variable}`);
    } else {
      const section = sections.find(({ values }) => values[settingName(option)] !== undefined);
      const name = settingName(option);
      if (section !== undefined)
        assign(command, option, section.values[name] ?? '', section.where, section.placeOf(name));
    }
  }
}

/** The options that a kaiactl.ini overrides: with their default, or a value of the group's own section. */
export function overridableOptions(command: CommandUnknownOpts, sections: readonly Section[]) {
  const weak = [undefined, 'default', ...sections.filter(({ named }) => !named).map(({ where }) => where)];
  const keys = command.options.map((option) => option.attributeName());
  return new Set(keys.filter((key) => weak.includes(command.getOptionValueSource(key))));
}

function assign(
  command: CommandUnknownOpts,
  option: Option,
  given: string | readonly string[],
  where: string,
  place = where,
): void {
  const key = option.attributeName();
  if (!option.required && !option.optional) {
    command.setOptionValueWithSource(key, truth(option, given, place), where);
    return;
  }
  const negated = command.options.find((one) => one.negate && one.attributeName() === key);
  const word = String(given).toLowerCase();
  if (negated !== undefined && (yes.has(word) || no.has(word))) {
    command.setOptionValueWithSource(key, no.has(word) ? negated.presetArg : option.defaultValue, where);
    return;
  }
  const before = command.getOptionValue(key);
  const list = Array.isArray(before) || option.parseArg !== undefined;
  const values =
    typeof given === 'string' ? (list ? given.split('\n').filter((line) => line !== '') : [given]) : given;
  let value: unknown;
  for (const one of values) value = parse(option, one, value, place);
  command.setOptionValueWithSource(key, value, where);
}

function truth(option: Option, given: string | readonly string[], where: string): boolean {
  const word = String(given).toLowerCase();
  if (!yes.has(word) && !no.has(word)) {
    throw new KaiactlError(`${where} sets ${option.name()} to “${given}”, which is neither true nor false`, {
      hint: 'Write 1, true, yes, on or 0, false, no, off.',
    });
  }
  return yes.has(word);
}

function parse(option: Option, value: string, before: unknown, where: string): unknown {
  if (option.argChoices !== undefined && !option.argChoices.includes(value)) {
    throw new KaiactlError(`${where} sets ${option.name()} to “${value}”`, {
      hint: `Allowed: ${option.argChoices.join(', ')}.`,
    });
  }
  try {
    return option.parseArg === undefined ? value : option.parseArg(value, before as never);
  } catch (error) {
    throw new KaiactlError(`${where}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Secrets are read from the environment and are not options, because every user can see arguments. */
const secrets =
  'ID_TOKEN PRIVATE_KEY KEYSTORE_PASSWORD SIGNATURE CHANNEL_SECRET PAYMENT_CLIENT_ID PAYMENT_CLIENT_SECRET MANAGER_KEY OPERATOR_SECRET'
    .split(' ')
    .map((name) => `KAIACTL_${name}`);

/** Prefix of the variables that kaiactl's tests read. */
const testPrefix = 'KAIACTL_TEST_';

/** @throws {KaiactlError} when a KAIACTL_ variable sets no option of any verb: a typo would have no effect (exit 2) */
export function checkEnvironment(env: Host['env'], options: () => readonly Option[]): void {
  const given = Object.keys(env).filter(
    (name) => name.startsWith('KAIACTL_') && !name.startsWith(testPrefix),
  );
  if (given.length === 0) return;
  const known = [...secrets, ...options().map(environmentName)];
  for (const name of given)
    refuse(name, known, `the environment variable ${visible(name, 80)} sets no option`);
}

/** @throws {KaiactlError} when a key of the settings file is no option of the group (exit 2) */
export function checkSection({ placeOf, values }: Section, options: () => readonly Option[]): void {
  const known = options().map(settingName);
  for (const name of Object.keys(values))
    refuse(name, known, `${placeOf(name)} sets ${visible(name, 80)}, which is not an option`);
}

function refuse(name: string, known: readonly string[], sentence: string): void {
  if (known.includes(name)) return;
  throw new KaiactlError(sentence, {
    hint: suggest(name, known, 'The help of each command lists its options.'),
  });
}
