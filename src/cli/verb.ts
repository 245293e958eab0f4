/** Declares verbs: name and options at start, the module that does the work when the verb runs. */
import type { Command, CommandUnknownOpts, Option } from 'commander';
import type { ExitCode } from '../errors.js';
import type { Host } from '../host.js';
import { checkEnvironment, checkProfile, fillOptions } from './fill-options.js';
import { readProfile } from './profile.js';

/** Shared by the program and its verbs. */
export interface Outcome {
  /** Of the verb that ran. */
  code: ExitCode;
  /** The verbs of one group, or all verbs, to recognise unknown option names. */
  verbs(group?: string): readonly CommandUnknownOpts[];
}

/** Options of every verb, see `common`. */
type Common = { readonly config?: string | undefined; readonly profile?: string | undefined };

interface Spec<A extends unknown[], O extends Common> {
  readonly group: string;
  readonly summary: string;
  /** Text and examples below the options in help. */
  readonly after?: string;
  run(options: O, host: Host, ...given: A): Promise<ExitCode>;
}

export type BuildVerb = (host: Host, outcome: Outcome) => CommandUnknownOpts;

/**
 * A verb: `named` has its name and its arguments, `declare` adds the options, `common` among them. Its action fills
 * options from environment and profile, then runs the module. To start fast, a run declares the options of only those
 * verbs that the command line names.
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

/** The options of a verb, declared now if the run did not declare them. */
function optionsOf(command: CommandUnknownOpts): readonly Option[] {
  undeclared.get(command)?.();
  undeclared.delete(command);
  return command.options;
}
