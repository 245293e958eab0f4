/** How a verb is declared: words and options here, its work in a module loaded only when it runs. */
import type { Command, CommandUnknownOpts, Option } from 'commander';
import type { ExitCode } from '../errors.js';
import type { Host } from '../host.js';
import { checkEnvironment, checkProfile, fillOptions } from './fill-options.js';
import { readProfile } from './profile.js';

/** What the program gives to its verbs, and where it keeps the code of the one that ran. */
export interface Outcome {
  code: ExitCode;
  /** Every verb, of one group or of all: to tell a name that none of them knows. */
  verbs(group?: string): readonly CommandUnknownOpts[];
}

/** What every verb's options hold, by `common`. */
type Common = { readonly config?: string | undefined; readonly profile?: string | undefined };

interface Spec<A extends unknown[], O extends Common> {
  readonly group: string;
  readonly summary: string;
  /** Longer text and examples, shown under the options. */
  readonly after?: string;
  /** Loads the module that does the work, and runs it. */
  run(options: O, host: Host, ...given: A): Promise<ExitCode>;
}

/** A verb's command, for one run. */
export type BuildVerb = (host: Host, outcome: Outcome) => CommandUnknownOpts;

/**
 * A verb: `named` has its name and its arguments, `declare` adds the options, `common` among them. Its action fills
 * options from environment and profile, then runs the module. Options are declared only where the command line names
 * the verb: starting is what most runs pay for.
 */
export function verb<A extends unknown[], O extends Common>(
  named: () => Command<A>,
  declare: (command: Command<A>) => Command<A, O>,
  spec: Spec<A, O>,
): BuildVerb {
  return (host, outcome) => {
    const command = named().summary(spec.summary).description(spec.summary);
    if (host.argv.includes(command.name())) return runnable(declare(command), spec, host, outcome);
    undeclared.set(command, () => declare(command));
    return command;
  };
}

function runnable<A extends unknown[], O extends Common>(
  full: Command<A, O>,
  { group, after, run }: Spec<A, O>,
  host: Host,
  outcome: Outcome,
): CommandUnknownOpts {
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
    outcome.code = await run(full.opts(), host, ...full.processedArgs);
  });
}

const undeclared = new WeakMap<CommandUnknownOpts, () => CommandUnknownOpts>();

/** A verb's options, declared if they were not yet. */
function optionsOf(command: CommandUnknownOpts): readonly Option[] {
  undeclared.get(command)?.();
  undeclared.delete(command);
  return command.options;
}
