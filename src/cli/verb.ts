/** Declares verbs: name and options at start, the module that does the work when the verb runs. */
import { Command, type CommandUnknownOpts } from 'commander';
import type { ExitCode } from '../errors.js';
import { type Host, interruptible, print } from '../host.js';
import { checkEnvironment, checkSection, fillOptions, overridableOptions } from './fill-options.js';
import { readSections, type Section } from './profile.js';

/** Shared by the program and its verbs. */
export interface Outcome {
  /** Of the verb that ran. */
  code: ExitCode;
  /** The verbs of one group, or all verbs, to recognise unknown option names. */
  verbs(group?: string): readonly CommandUnknownOpts[];
}

interface Given<O> {
  /** The names of options whose value a kaiactl.ini overrides. */
  readonly overridable: ReadonlySet<string>;
  /** Reads the settings file again; the command line stays. @throws {KaiactlError} as the first time (exit 2) */
  reread(): Promise<O>;
}

/** Options of every verb, see `common`. */
type Common = { readonly config?: string | undefined; readonly profile?: string | undefined };

interface Spec<A extends unknown[], O extends Common> {
  readonly summary: string;
  /** Text and examples below the options in help. */
  readonly after?: string;
  run(options: O & Given<O>, host: Host, ...given: A): Promise<ExitCode>;
}

/** Makes the command of a verb of `group`. */
export type BuildVerb = (name: string, host: Host, outcome: Outcome, group: string) => CommandUnknownOpts;

/**
 * A verb: `declare` adds its arguments and its options, `common` among them. Its action fills options from environment and
 * profile, then runs the module.
 */
export function verb<A extends unknown[], O extends Common>(
  declare: (command: Command) => Command<A, O>,
  { summary, after, run }: Spec<A, O>,
): BuildVerb {
  return (name, host, outcome, group) => {
    const full = declare(new Command(name).summary(summary).description(summary));
    if (after !== undefined) full.addHelpText('after', `\n${after}`);
    return full.action(async () => {
      const overridable = overridableOptions(full, await configure(full, group, host, outcome));
      const reread = async () => {
        forget(full);
        await configure(full, group, host, outcome);
        return full.opts();
      };
      if (host.argv.includes('-') && host.stdin.isTTY === true)
        await print(host.stderr, 'kaiactl: reading standard input; Ctrl-D ends it\n');
      const work = () => run({ ...full.opts(), overridable, reread }, host, ...full.processedArgs);
      outcome.code = group === 'survey' ? await interruptible(host, work) : await work();
    });
  };
}

/** Resets the options that the command line does not set. */
function forget(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) === 'cli') continue;
    command.setOptionValueWithSource(key, option.defaultValue, 'default');
  }
}

/**
 * Fills the options from the environment and the settings file.
 * @returns the sections that were read
 * @throws {KaiactlError} on a variable or a key that is no option, or an invalid value (exit 2)
 */
export async function configure(
  command: CommandUnknownOpts,
  group: string,
  host: Host,
  outcome: Pick<Outcome, 'verbs'>,
): Promise<Section[]> {
  fillOptions(command, host, []);
  const { config: file, profile: name } = command.opts() as Common;
  const sections = await readSections(group, { file, name }, host);
  checkEnvironment(host.env, () => outcome.verbs().flatMap(({ options }) => options));
  for (const section of sections)
    checkSection(section, () => outcome.verbs(group).flatMap(({ options }) => options));
  fillOptions(command, host, sections);
  return sections;
}
