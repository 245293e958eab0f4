/** The verb `kaiactl survey serve` and its options. */
import { type Command, Option } from 'commander';
import type { Host } from '../host.js';
import { format, repeatable } from './options.js';
import { type Outcome, verb } from './verb.js';

const examples = `Examples:
  kaiactl survey serve --sandbox
  kaiactl survey serve --store survey.db --survey 0x6b66…3d4f --channel-id 1234567890
  kaiactl survey serve --rpc-url http://127.0.0.1:8551 --survey 0x6b66…3d4f --manager-key-file manager.key \\
    --channel-id 1234567890

Secrets come from files or the environment: KAIACTL_CHANNEL_SECRET, KAIACTL_PAYMENT_CLIENT_ID,
KAIACTL_PAYMENT_CLIENT_SECRET, KAIACTL_MANAGER_KEY. The first line on stdout is the server's URL.`;

function serveOptions(command: Command): Command {
  const plain: readonly [flags: string, about: string, otherwise?: string][] = [
    ['--host <address>', 'address to listen on', '127.0.0.1'],
    ['--port <n>', 'port to listen on; 0: a free one', '8787'],
    [
      '--store <file>',
      'keep groups in this file (made if missing); with --rpc-url: what is known of the chain, who joined, payments',
    ],
    ['--rpc-url <url>', 'serve surveys on chain, through this node'],
    ['--manager-key-file <file>', 'private key of the surveys’ manager; without it members are only listed'],
    ['--max-gas <n>', 'most gas the manager allows a join', '3000000'],
    ['--max-fee <gkei>', 'most the manager pays for a unit of gas; above that joins wait', '750'],
    ['--from-block <n>', 'where the search for members begins; default: where the survey appeared'],
    ['--chain-id <n>', 'refuse to start on another chain'],
    ['--channel-id <id>', 'messaging-platform channel whose tokens count; without it nobody can join'],
    ['--token-issuer <url>', 'issuer of its ID tokens'],
    ['--jwks-url <url>', 'keys of ES256 ID tokens'],
    ['--channel-secret-file <file>', 'key of HS256 ID tokens'],
    ['--token-verify-url <url>', 'verify ID tokens by asking here instead'],
    ['--access-token-verify-url <url>', 'which channel an access token is for'],
    ['--profile-url <url>', 'whose an access token is'],
    ['--payment-url <url>', 'payment portal; without it payments fail'],
    ['--payment-credentials-file <file>', 'lines client-id=… and client-secret=…'],
    ['--public-url <url>', 'this server as the portal reaches it, for callbacks'],
    ['--rate-limit <n>', 'writing requests a minute and address; 0: no limit', '600'],
    ['--body-limit <bytes>', 'largest request body', '65536'],
    ['--receive-timeout <time>', 'a request must have arrived by then', '15s'],
    ['--upstream-timeout <time>', 'for the platform and the portal', '10s'],
    ['--chain-timeout <time>', 'for a join to be mined', '60s'],
  ];
  command.addOption(
    repeatable(
      '--survey <address>',
      'register this survey in the store; on chain: serve only these (repeatable)',
    ),
  );
  command.addOption(
    repeatable('--factory <address>', 'on chain: serve what this contract made, too (repeatable)'),
  );
  for (const [flags, about, otherwise] of plain) command.option(flags, about, otherwise);
  return command
    .addOption(
      new Option('--callback-field <name>', 'what the portal’s callback is called in a payment')
        .choices(['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl', 'both'])
        .default('confirmCallbackUrl'),
    )
    .addOption(new Option('--require-scheme <scheme>', 'refuse other signatures').choices(['eip712']))
    .addOption(
      new Option('--log <form>', 'requests on stderr; default: text on a terminal, else json').choices([
        'text',
        'json',
        'off',
      ]),
    )
    .addOption(format(['text', 'json'], 'of the first line'))
    .option('--one-per-user', 'one join per user and survey (with --store)', false)
    .option('--trust-proxy', 'take addresses from X-Forwarded-For', false)
    .option('--sandbox', 'try it: store, tokens and payments of its own, on loopback', false);
}

/** The verb. */
export function serveVerb(host: Host, outcome: Outcome): Command {
  return verb(
    {
      group: 'survey',
      name: 'serve',
      summary: 'the survey API itself: embedded store or on-chain group',
      options: serveOptions,
      after: examples,
      load: () => import('../survey/commands/serve.js'),
    },
    host,
    outcome,
  );
}
