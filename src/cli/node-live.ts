/** The verbs of `kaiactl node` that talk to nodes. */
import { type Command, Option } from 'commander';
import type { Host } from '../host.js';
import { repeatable } from './options.js';
import { type Outcome, verb } from './verb.js';

/** `modules` and what it shares with `audit`. */
export function liveVerbs(host: Host, outcome: Outcome): Command[] {
  return [modulesVerb(host, outcome)];
}

function dialling(command: Command): Command {
  return command
    .option('--timeout <time>', 'how long one endpoint may take, all questions together', '5s')
    .addOption(repeatable('--header <line>', 'an HTTP header to send, “Name: value” (repeatable)'))
    .option('--insecure', 'accept certificates that cannot be verified', false);
}

function modulesVerb(host: Host, outcome: Outcome): Command {
  return verb(
    {
      group: 'node',
      name: 'modules',
      summary: 'the modules one endpoint offers, as rpc_modules lists them',
      arguments: '<endpoint>',
      options: (command) =>
        dialling(command).addOption(
          new Option('--format <name>', 'what stdout carries').choices(['text', 'json']).default('text'),
        ),
      after: `Examples:
  $ kaiactl node modules http://127.0.0.1:8551
  $ kaiactl node modules ws://user:password@node.example:8552
  $ kaiactl node modules ipc:/var/kend/data/klay.ipc --format json`,
      load: () => import('../commands/node-modules.js'),
    },
    host,
    outcome,
  );
}
