/** How a verb is declared: words and options here, its work in a module loaded only when it runs. */
import type { Command, CommandUnknownOpts, Option } from 'commander';
import type { ExitCode } from '../errors.js';
import type { Host } from '../host.js';
import { fillOptions } from './fill-options.js';
import { checkEnvironment, checkProfile } from './known.js';
import { readProfile } from './profile.js';

/** What the program gives to its verbs, and where it keeps the code of the one that ran. */
export interface Outcome {
  code: ExitCode;
  /** Every verb, of one group or of all: to tell a name that none of them knows. */
  verbs(group?: string): readonly CommandUnknownOpts[];
}

/** What every verb's options hold, by `common`. */
type Common = { readonly config?: string | undefined; readonly profile?: string | undefined };

/** `A` and `O`, the arguments and the options, are inferred from what is declared. */
export interface Verb<A extends unknown[], O extends Common> {
  readonly group: string;
  /** Its name and its arguments. */
  readonly command: Command<A>;
  readonly summary: string;
  /** Longer text and examples, shown under the options. */
  readonly after?: string;
  /** Adds the options to the command, `common` last. */
  options(): Command<A, O>;
  /** Loads the module that does the work, and runs it. */
  run(options: O, host: Host, ...given: A): Promise<ExitCode>;
}

/**
 * Completes the command; its action fills options from environment and profile, then runs the module.
 * Options are declared only where the command line names the verb: starting is what most runs pay for.
 */
export function verb<A extends unknown[], O extends Common>(
  { group, command, summary, after, ...spec }: Verb<A, O>,
  host: Host,
  outcome: Outcome,
): CommandUnknownOpts {
  command.summary(summary).description(summary);
  if (!host.argv.includes(command.name())) {
    undeclared.set(command, () => spec.options());
    return command;
  }
  const full = spec.options();
  if (after !== undefined) full.addHelpText('after', `\n${after}`);
  return full.action(async () => {
    fillOptions(full, host, null);
    const { config: file, profile: name } = full.opts();
    const profile = await readProfile(group, { file, name }, host.env, host.cwd);
    checkEnvironment(host.env, () => outcome.verbs().flatMap(optionsOf));
    if (profile !== null) {
      checkProfile(profile, () => outcome.verbs(group).flatMap(optionsOf));
      fillOptions(full, host, profile);
    }
    outcome.code = await spec.run(full.opts(), host, ...full.processedArgs);
  });
}

const undeclared = new WeakMap<CommandUnknownOpts, () => CommandUnknownOpts>();

/** A verb's options, declared if they were not yet. */
function optionsOf(command: CommandUnknownOpts): readonly Option[] {
  undeclared.get(command)?.();
  undeclared.delete(command);
  return command.options;
}
