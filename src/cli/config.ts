/** `kaiactl config show`: the value of every option of a command, and where it comes from. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, type CommandUnknownOpts, type Option } from 'commander';
import { exit, KaiactlError } from '../errors.js';
import { type Host, print } from '../host.js';
import type { GateOptions } from '../node/commands/gates.js';
import { format } from '../options/common.js';
import { widthOf } from '../terminal/capabilities.js';
import { closest } from '../util/closest.js';
import { redact } from '../util/redact.js';
import { visible } from '../util/visible.js';
import { overridableOptions, settingName } from './fill-options.js';
import { prepareHelp } from './help.js';
import { type BuildVerb, configure, type Outcome } from './verb.js';

interface Shown {
  /** `--fail-on`. */
  readonly option: string;
  readonly value: string | boolean | readonly string[] | null;
  /** `default`, `command line`, `the environment variable KAIACTL_FAIL_ON`, `/srv/kaiactl.ini [node]`. */
  readonly from: string;
}

const showVerb: BuildVerb = (name, host, outcome) =>
  new Command(name)
    .summary('show the value of every option of a command, and where it comes from')
    .description('show the value of every option of a command, and where it comes from')
    .argument('<command...>', 'a command line of kaiactl, which is not run')
    .passThroughOptions()
    .addOption(format(['text', 'json']))
    .addHelpText(
      'after',
      `
The first of these that sets an option counts: the command line, the
environment, the profile (--profile), the nearest kaiactl.ini, the section of
the group in the user's settings file, the default.

Examples:
  $ kaiactl config show node lint
  $ kaiactl config show node lint --fail-on medium confs/
  $ kaiactl config show --format json survey join --profile chain`,
    )
    .action(async ([group = '', verb = '', ...words], options) => {
      const command = commandNamed(group, verb, outcome);
      const values = await collectValues(command, group, words, host, outcome);
      if (options.format === 'json') {
        const report = { schema: 'kaiactl/config-1', command: [group, verb], options: values };
        await print(host.stdout, `${JSON.stringify(report, null, 2)}\n`);
      } else {
        const { table } = await import('../terminal/table.js');
        const rank = ({ from }: Shown) => Number(from === 'default');
        const rows = values
          .toSorted((a, b) => rank(a) - rank(b))
          .map(({ option, value, from }) => [option, text(value), from]);
        const shown = table(['option', 'value', 'from'], rows, widthOf(host.stdout, host));
        await print(host.stdout, `kaiactl ${group} ${verb}\n\n${shown}\n`);
      }
      outcome.code = exit.ok;
    }) as unknown as CommandUnknownOpts;

export const configVerbs = { show: showVerb };

/** @throws {KaiactlError} when there is no such command (exit 2) */
function commandNamed(group: string, name: string, outcome: Outcome): CommandUnknownOpts {
  const verbs = group === 'config' ? [] : outcome.verbs(group);
  const found = verbs.find((verb) => verb.name() === name);
  if (found !== undefined) return found;
  const names = verbs.map((verb) => verb.name());
  const near = closest(name, names);
  throw new KaiactlError(`config show: there is no command '${visible(`${group} ${name}`.trim(), 80)}'`, {
    hint:
      near === null
        ? `Name a command with options, such as ${names.length > 0 ? `${group} ${names[0]}` : 'node lint'}.`
        : `Did you mean ${group} ${near}?`,
  });
}

async function collectValues(
  command: CommandUnknownOpts,
  group: string,
  words: readonly string[],
  host: Host,
  outcome: Outcome,
): Promise<Shown[]> {
  prepareHelp(command, host, []);
  const { operands, unknown } = command.parseOptions([...words]);
  if (unknown.length > 0)
    throw new KaiactlError(`config show: unknown option '${visible(unknown[0] ?? '', 80)}'`, {
      hint: `kaiactl ${group} ${command.name()} --help lists the options.`,
    });
  const sections = await configure(command, group, host, outcome);
  const overridable = overridableOptions(command, sections);
  const repository = await repositoryValues(command, operands, { ...command.opts(), overridable }, host);
  const options = command.options.filter(
    ({ negate, long }) =>
      !negate || !command.options.some((one) => one.long === long?.replace('--no-', '--')),
  );
  return options.map((option) => {
    const key = option.attributeName();
    const own = {
      option: option.long ?? option.flags,
      value: shownValue(option, command.getOptionValue(key)),
    };
    const source = command.getOptionValueSource(key);
    const inIni = repository?.values[settingName(option)];
    if (repository === null || inIni === undefined || !(overridable.has(key) || key === 'exclude'))
      return { ...own, from: source === 'cli' ? 'command line' : (source ?? 'default') };
    if (key === 'exclude' && Array.isArray(own.value))
      return { ...own, value: [...own.value, ...inIni], from: `${source}, and ${repository.where}` };
    const isList = option.parseArg !== undefined && option.argChoices === undefined;
    const value = isList ? inIni : inIni.at(-1);
    return { ...own, value: shownValue(option, value), from: repository.where };
  });
}

/** The nearest kaiactl.ini above what the command looks at; null for a command that has no gates, or without such a file. */
async function repositoryValues(
  command: CommandUnknownOpts,
  operands: readonly string[],
  options: GateOptions,
  { cwd, ...host }: Host,
) {
  if (!command.options.some(({ long }) => long === '--baseline')) return null;
  const path = resolve(cwd, operands.find((word) => existsSync(resolve(cwd, word))) ?? '.');
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const [{ gatesOf, trustedFile }, { findRepositorySettings }] = await Promise.all([
    import('../node/commands/gates.js'),
    import('../node/commands/ini.js'),
  ]);
  await gatesOf(options, { ...host, cwd: folder })(null);
  return await findRepositorySettings(folder, trustedFile(options.trustConfig, cwd));
}

/** Headers and URLs may hold secrets. */
function shownValue({ long, negate, required, optional }: Option, value: unknown): Shown['value'] {
  if (!required && !optional) return (value ?? false) !== negate;
  if (value === undefined || value === null) return null;
  const hide = (one: unknown): string =>
    long === '--header' ? String(one).replace(/:.*/s, ': (hidden)') : redact(String(one));
  return Array.isArray(value) ? value.map(hide) : hide(value);
}

function text(value: Shown['value']): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return visible(typeof value === 'string' ? value : value.join(', '), 400);
}
