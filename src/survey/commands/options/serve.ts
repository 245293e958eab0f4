import { type Command, Option, type OptionValues } from 'commander';
import { type CommonOptions, common, format, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Which surveys, and where they are asked for. */
function listening<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(
      repeatable(
        '--survey <address>',
        'register this survey in the store; on chain: serve only these (repeatable)',
      ),
    )
    .addOption(repeatable('--factory <address>', 'on chain: serve what this contract made, too (repeatable)'))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0: a free one', '8787')
    .option(
      '--store <file|url>',
      'keep groups in this file (made if missing) or database (postgres://…, for several servers); with --rpc-url: what is known of the chain, who joined, payments',
    )
    .option(
      '--admin-socket <path>',
      'where survey admin and survey backup reach it; default: beside the store',
    )
    .option('--metrics-port <n>', 'serve /metrics here, on loopback, instead of on the port of the API')
    .option('--tls-cert <file>', 'serve https with this certificate and its chain (PEM)')
    .option('--tls-key <file>', 'its private key')
    .addOption(
      repeatable('--cors-origin <origin>', 'pages from here may ask, https://app.example (repeatable)'),
    );
}

/** Surveys whose groups are on a chain. */
function onChain<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--rpc-url <url>', 'serve surveys on chain, through this node')
    .option(
      '--manager-key-file <file>',
      'private key of the surveys’ manager; without it members are only listed',
    )
    .option(
      '--participant-secret-file <file>',
      'what persons are hashed with; default: beside the store, made if missing',
    )
    .option('--joins-per-survey <n>', 'on chain: joins the manager pays for in a survey; 0: no end', '100000')
    .option('--joins-per-user <n>', 'on chain: joins the manager pays for from a user; 0: no end', '100')
    .option('--max-gas <n>', 'most gas the manager allows a join', '3000000')
    .option('--max-fee <gkei>', 'most the manager pays for a unit of gas; above that joins wait', '750')
    .option('--from-block <n>', 'where the search for members begins; default: where the survey appeared')
    .option('--chain-id <n>', 'refuse to start on another chain');
}

/** Who vouches for persons and for payments. */
function upstreams<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--channel-id <id>', 'messaging-platform channel whose tokens count; without it nobody can join')
    .option('--token-issuer <url>', 'issuer of its ID tokens')
    .option('--jwks-url <url>', 'keys of ES256 ID tokens')
    .option('--channel-secret-file <file>', 'key of HS256 ID tokens')
    .option('--token-verify-url <url>', 'verify ID tokens by asking here instead')
    .option('--access-token-verify-url <url>', 'which channel an access token is for')
    .option('--profile-url <url>', 'whose an access token is')
    .option('--payment-url <url>', 'payment portal; without it payments fail')
    .option('--payment-credentials-file <file>', 'lines client-id=… and client-secret=…')
    .option(
      '--items <file>',
      'price list: what may be paid for with real money, by which gateway and at what price',
    )
    .option('--operator-secret-file <file>', 'who sends this as a bearer token may ask for any real payment')
    .option('--public-url <url>', 'this server as the portal reaches it, for callbacks');
}

/** What one request may take, and the server’s own talk. */
function limiting<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--rate-limit <n>', 'writing requests a minute and address; 0: no limit', '1500')
    .option('--body-limit <bytes>', 'largest request body', '65536')
    .option('--receive-timeout <time>', 'a request must have arrived by then', '15s')
    .option('--upstream-timeout <time>', 'for the platform and the portal', '10s')
    .option('--rpc-timeout <time>', 'for one answer of the chain’s node', '20s')
    .option('--chain-timeout <time>', 'for a join to be sent and mined', '60s')
    .addOption(
      new Option('--callback-field <name>', 'what the portal’s callback is called in a payment')
        .choices(['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl', 'both'])
        .default('confirmCallbackUrl'),
    )
    .addOption(new Option('--require-scheme <scheme>', 'refuse other signatures').choices(['eip712']))
    .addOption(
      new Option(
        '--log <form>',
        'requests on stderr, those about groups as counts by the hour; default: text on a terminal, else json',
      ).choices(['text', 'json', 'off']),
    )
    .addOption(format(['text', 'json'], 'of the first line'))
    .option('--one-per-user', 'one join per user and survey (with --store)', false)
    .option(
      '--trust-proxy <hops|networks>',
      'take addresses from X-Forwarded-For, as far as so many proxies, or those in these networks, wrote it',
    )
    .option('--sandbox', 'try it: store, tokens and payments of its own, on loopback', false);
}

/** Options of `survey serve`. */
export function serveOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(limiting(upstreams(onChain(listening(command)))));
}

export type ServeOptions = CommonOptions &
  Declared<typeof listening<[], NoOptions>> &
  Declared<typeof onChain<[], NoOptions>> &
  Declared<typeof upstreams<[], NoOptions>> &
  Declared<typeof limiting<[], NoOptions>>;
