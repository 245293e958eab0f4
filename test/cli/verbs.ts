/**
 * A program of some verbs, so that the tests of one wing do not import the other one: `vitest related` then runs the tests
 * of one wing. What it prints and ends with is what the whole program does with the same words.
 */
import { Command, CommanderError } from 'commander';
import { prepareHelp } from '../../src/cli/help.js';
import type { BuildVerb, Outcome } from '../../src/cli/verb.js';
import { exit, exitCodeOf, explain } from '../../src/errors.js';
import { type Host, print } from '../../src/host.js';

export function programOf(
  group: string,
  verbs: Readonly<Record<string, BuildVerb>>,
): (host: Host) => Promise<number> {
  return async (host) => {
    const outcome: Outcome = {
      code: exit.ok,
      verbs: () => Object.entries(verbs).map(([name, verb]) => verb(name, host, outcome, group)),
    };
    const program = new Command('kaiactl');
    const parent = program.command(group).enablePositionalOptions();
    for (const verb of outcome.verbs()) parent.addCommand(verb);
    prepareHelp(program, host, []);
    try {
      await program.parseAsync(host.argv, { from: 'user' });
      return outcome.code;
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.usage;
      const code = host.signal.aborted ? exit.interrupted : exitCodeOf(error);
      const lines =
        code === exitCodeOf(error) ? explain(error, host.argv.includes('-v')) : ['kaiactl: interrupted'];
      await print(host.stderr, `${lines.join('\n')}\n`);
      return code;
    }
  };
}
