/** How a verb is declared: words and options here, its work in a module loaded only when it runs. */
import { Command } from 'commander';
import type { ExitCode } from '../errors.js';
import type { Host } from '../host.js';
import { addCommon, fillOptions } from './options.js';
import { readProfile } from './profile.js';

/** What a command module exports: options in, exit code out. Options hold the arguments too, by name. */
export type Run<O> = (options: O, host: Host) => Promise<ExitCode>;

/** Where the program keeps the code of the verb that ran. */
export interface Outcome {
  code: ExitCode;
}

export interface Verb<O> {
  readonly group: string;
  readonly name: string;
  readonly summary: string;
  /** Arguments as commander writes them: `<conf>`, `[paths...]`. */
  readonly arguments?: string;
  /** Longer text and examples, shown under the options. */
  readonly after?: string;
  /** Adds the verb's own options. */
  options?(command: Command): Command;
  load(): Promise<{ run: Run<O> }>;
}

/**
 * Builds the command; its action fills options from environment and profile, then runs the module.
 * Options are declared only where the command line names the verb: starting is what most runs pay for.
 */
export function verb<O>(spec: Verb<O>, host: Host, outcome: Outcome): Command {
  const command = new Command(spec.name).summary(spec.summary).description(spec.summary);
  if (spec.arguments !== undefined) command.arguments(spec.arguments);
  if (!host.argv.includes(spec.name)) return command;
  spec.options?.(command);
  addCommon(command);
  if (spec.after !== undefined) command.addHelpText('after', `\n${spec.after}`);
  command.action(async () => {
    fillOptions(command, host, null);
    const asked = command.opts<{ config?: string; profile?: string }>();
    const profile = await readProfile(
      spec.group,
      { file: asked.config, name: asked.profile },
      host.env,
      host.cwd,
    );
    if (profile !== null) fillOptions(command, host, profile);
    const named = Object.fromEntries(
      command.registeredArguments.map((argument, at) => [argument.name(), command.processedArgs[at]]),
    );
    const { run } = await spec.load();
    outcome.code = await run({ ...command.opts(), ...named } as O, host);
  });
  return command;
}
