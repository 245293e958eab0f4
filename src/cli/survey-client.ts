/** The verbs of `kaiactl survey` that call the API. */
import { type Command, Option } from 'commander';
import type { Host } from '../host.js';
import { type Outcome, verb } from './verb.js';

function calling(command: Command): Command {
  return command
    .option('--api-url <url>', 'base URL of the survey API, without /api')
    .option('--request-timeout <time>', 'how long one request may take', '3m');
}

const format = (choices: readonly string[]) =>
  new Option('--format <name>', 'what stdout carries').choices(choices).default('text');

/** `survey members`. */
export function membersVerb(host: Host, outcome: Outcome): Command {
  return verb(
    {
      group: 'survey',
      name: 'members',
      summary: 'members and group id of a survey',
      arguments: '<survey>',
      options: (command) =>
        calling(command)
          .addOption(format(['text', 'json', 'csv', 'ndjson']))
          .option('--contains <commitment>', 'say whether it is a member (exit 1: it is not)')
          .option('--count', 'print the number of members only', false)
          .option('--verify', 'compare list and Merkle root with the contract (needs --rpc-url)', false)
          .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
          .option('--no-root', 'leave the Merkle root out of --format json')
          .option('--follow', 'go on and print new members until interrupted', false)
          .option('--poll-interval <time>', 'time between two looks with --follow', '2s'),
      after: `<survey> is the address of the survey contract. Talk goes to stderr, so stdout can be saved as it is:
  $ kaiactl survey members 0x6b66…3d4f --api-url https://survey.example > members.txt
  $ kaiactl survey members 0x6b66…3d4f --verify --rpc-url http://127.0.0.1:8551 --format json
  $ kaiactl survey members 0x6b66…3d4f --contains 5252… && echo joined`,
      load: () => import('../commands/survey-members.js'),
    },
    host,
    outcome,
  );
}
