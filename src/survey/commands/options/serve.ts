import { Command, Option, type OptionValues } from 'commander';
import { type CommonOptions, common, format, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Surveys, their store, and what they allow. */
function storing<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Surveys and store:')
    .option(
      '--store <file|url>',
      'file (created if missing) or database (postgres://…, for several servers) for groups; with --rpc-url: for cached events, participants, payments',
    )
    .addOption(
      repeatable(
        '--survey <address>',
        'survey to register in the store; on chain: the only surveys to serve (repeatable)',
      ),
    )
    .option(
      '--participant-secret-file <file>',
      'key of the participants’ hashes, created if missing (default: beside the store)',
    )
    .option('--admin-socket <path>', 'socket for survey admin and survey backup (default: beside the store)')
    .option('--one-per-user', 'allow one join per user and survey (with --store)', false)
    .addOption(new Option('--scheme <scheme>', 'refuse signatures of other schemes').choices(['eip712']))
    .option('--check', 'open the store and the chain as a server would, then exit', false)
    .option('--sandbox', 'try the API: temporary store, tokens and payments, on loopback', false);
}

function listening<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Addresses:')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0: any free port', '8787')
    .option(
      '--operations-address <host:port>',
      'address for /healthz, /readyz and /metrics, instead of the API’s address',
    )
    .option('--metrics-port <n>', 'loopback port for /metrics, instead of the API’s port')
    .option('--tls-cert <file>', 'serve https with this certificate and its chain (PEM)')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .addOption(
      repeatable(
        '--cors-origin <origin>',
        'web origin that may call the API, https://app.example (repeatable)',
      ),
    )
    .option(
      '--trust-proxy <hops|networks>',
      'trust X-Forwarded-For from this many proxies, or from proxies in these networks',
    );
}

/** The options that need --rpc-url. */
export const chainOptions = () => onChain(new Command()).options.filter(({ long }) => long !== '--rpc-url');

function onChain<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Surveys on a chain:')
    .addOption(
      repeatable(
        '--rpc-url <url>',
        'node of the chain whose surveys are served; the first that answers and is not behind is used (repeatable)',
      ),
    )
    .option('--manager-key-file <file>', 'private key of the surveys’ manager; without it, joins are off')
    .addOption(
      repeatable('--factory <address>', 'also serve surveys that this contract created (repeatable)'),
    )
    .option('--chain-id <n>', 'refuse to start on another chain')
    .option('--from-block <n>', 'first block to search for members (default: the survey’s creation)')
    .option(
      '--joins-per-survey <n>',
      'maximum joins per survey that the manager pays for; 0: no limit',
      '100000',
    )
    .option('--joins-per-user <n>', 'maximum joins per user that the manager pays for; 0: no limit', '100')
    .option('--max-gas <n>', 'maximum gas of a join', '3000000')
    .option('--max-fee <gkei>', 'maximum fee per unit of gas; above it, joins are refused', '750')
    .option('--rpc-timeout <time>', 'timeout for one answer of the node', '20s')
    .option('--chain-timeout <time>', 'timeout for a join to be sent and mined', '60s');
}

function accepting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Tokens of users:')
    .option('--channel-id <id>', 'messaging-platform channel of accepted tokens; without it, joins are off')
    .option('--token-issuer <url>', 'issuer of the accepted ID tokens')
    .option('--jwks-url <url>', 'URL of the public keys of ES256 ID tokens')
    .option('--channel-secret-file <file>', 'key of HS256 ID tokens')
    .option('--token-verify-url <url>', 'service that verifies ID tokens instead')
    .option('--access-token-verify-url <url>', 'service that returns the channel of an access token')
    .option('--profile-url <url>', 'service that returns the user of an access token');
}

function paying<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Payments:')
    .option('--payment-url <url>', 'URL of the payment portal; without it, payments fail')
    .option('--payment-credentials-file <file>', 'portal credentials: lines client-id=… and client-secret=…')
    .option('--items <file>', 'price list: items, gateways and prices for real payments')
    .option('--no-test-payments', 'refuse orders of test payments')
    .option('--operator-secret-file <file>', 'bearer token that allows any real payment, and settling')
    .option('--public-url <url>', 'URL of this server for the portal’s callbacks')
    .addOption(
      new Option('--callback-field <name>', 'name of the callback field in a payment')
        .choices(['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl', 'both'])
        .default('confirmCallbackUrl'),
    );
}

function limiting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Limits and log:')
    .option('--rate-limit <n>', 'write requests per minute and address; 0: no limit', '1500')
    .option(
      '--connections-per-address <n>',
      'open connections per address, except of trusted proxies; 0: no limit',
      '2048',
    )
    .option('--body-limit <bytes>', 'maximum size of a request body', '65536')
    .option('--receive-timeout <time>', 'timeout for receiving a request', '15s')
    .option('--upstream-timeout <time>', 'timeout for the platform and the portal', '10s')
    .addOption(
      new Option(
        '--log <form>',
        'format of the log on stderr; group requests are counted by the hour (default: text on a terminal, else json)',
      ).choices(['text', 'json', 'off']),
    )
    .addOption(format(['text', 'json'], 'format of the first line'));
}

/** Options of `survey serve`. Each group is added to the command itself: a chain of all is too deep for the compiler. */
export function serveOptions<A extends unknown[]>(command: Command<A, NoOptions>): Command<A, ServeOptions> {
  for (const add of [storing, listening, onChain, accepting, paying, limiting, common]) add(command);
  return command as unknown as Command<A, ServeOptions>;
}

export type ServeOptions = CommonOptions &
  Declared<typeof storing<[], NoOptions>> &
  Declared<typeof listening<[], NoOptions>> &
  Declared<typeof onChain<[], NoOptions>> &
  Declared<typeof accepting<[], NoOptions>> &
  Declared<typeof paying<[], NoOptions>> &
  Declared<typeof limiting<[], NoOptions>>;
