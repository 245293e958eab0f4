/** The verbs of `kaiactl survey` that call the API. */
import { Command, type CommandUnknownOpts, Option, type OptionValues } from 'commander';
import type { Host } from '../host.js';
import { common, format } from './options.js';
import { type Outcome, verb } from './verb.js';

function calling<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--api-url <url>', 'base URL of the survey API, without /api')
    .option('--request-timeout <time>', 'how long one request may take', '3m');
}

/** `survey members`. */
export function membersVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('members').argument('<survey>');
  return verb(
    {
      group: 'survey',
      command,
      summary: 'members and group id of a survey',
      options: () =>
        common(
          calling(command)
            .addOption(format(['text', 'json', 'csv', 'ndjson']))
            .option('--contains <commitment>', 'say whether it is a member (exit 1: it is not)')
            .option('--count', 'print the number of members only', false)
            .option('--verify', 'compare list and Merkle root with the contract (needs --rpc-url)', false)
            .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
            .option('--no-root', 'leave the Merkle root out of --format json')
            .option('--follow', 'go on and print new members until interrupted', false)
            .option('--poll-interval <time>', 'time between two looks with --follow', '2s'),
        ),
      after: `<survey> is the address of the survey contract. Talk goes to stderr, so stdout
can be saved as it is. Exit codes: 1 --contains found none, 3 the list could
not be had or the contract contradicts it.
  $ kaiactl survey members 0x6b66…3d4f --api-url https://survey.example
  $ kaiactl survey members 0x6b66…3d4f --verify --rpc-url http://127.0.0.1:8551
  $ kaiactl survey members 0x6b66…3d4f --contains 5252… && echo joined`,
      run: async (options, host, survey) =>
        (await import('../survey/commands/members.js')).run({ ...options, survey }, host),
    },
    host,
    outcome,
  );
}

/** `survey join`. */
export function joinVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('join').argument('<survey>');
  return verb(
    {
      group: 'survey',
      command,
      summary: 'submits a join and waits until it is listed',
      options: () => common(joining(calling(command))),
      after: `Secrets come from files, - (stdin) or the environment: KAIACTL_ID_TOKEN,
KAIACTL_PRIVATE_KEY, KAIACTL_KEYSTORE_PASSWORD, KAIACTL_SIGNATURE. A key file
that others can read is refused. Exit codes: 0 listed, 1 refused, 3 no verdict,
4 accepted but not listed in time (look again, do not submit again).
  $ kaiactl survey join 0x6b66…3d4f --identity-file me.json --key-file wallet \\
      --id-token-file token
  $ kaiactl survey join 0x6b66…3d4f --batch joins.ndjson --journal joins.journal
A line of a batch is
  {"commitment":"…","keyFile":"…","idTokenFile":"…"}
or CSV below a line with these names; also identityFile, signature, signatureFile,
account, keystore, userId and idToken. What a line leaves out comes from the
options. Run the same command again after an interruption or an outage: nothing
that may have been accepted is submitted again.`,
      run: async (options, host, survey) =>
        (await import('../survey/commands/join.js')).run({ ...options, survey }, host),
    },
    host,
    outcome,
  );
}

function joining<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Who joins:')
    .option('--commitment <number>', 'identity commitment, decimal or 0x-hexadecimal')
    .option('--identity-file <file>', 'an exported Semaphore identity, or JSON with its commitment')
    .option('--derive-commitment', 'the one the web app derives from the account’s signature', false)
    .option('--id-token-file <file>', 'token of the messaging platform')
    .option('--user-id <id>', 'user id; default: the one in the id token')
    .optionsGroup('Who signs:')
    .option('--key-file <file>', 'private key of the account, in hexadecimal')
    .option('--keystore <file>', 'encrypted keystore of the account')
    .option('--keystore-password-file <file>', 'password of the keystore')
    .option(
      '--signature <hex>',
      'a signature made elsewhere, or several of an account with several keys (needs --account)',
    )
    .option('--signature-file <file>', 'the same from a file, one a line')
    .option('--account <address>', 'the joiner’s account; default: that of the key')
    .addOption(
      new Option('--scheme <name>', 'what is signed: the original text, or survey, commitment and expiry too')
        .choices(['destat', 'eip712'])
        .default('destat'),
    )
    .option('--chain-id <number>', 'chain the survey lives on (eip712)')
    .option('--expires-at <seconds>', 'expiry inside a signature made elsewhere (eip712)')
    .optionsGroup('Until it is listed:')
    .option('--no-wait', 'end when the join is accepted')
    .option('--timeout <time>', 'how long to wait until it is listed', '2m')
    .option('--poll-interval <time>', 'first time between two looks; it grows', '2s')
    .option('--rpc-url <url>', 'node of the survey’s chain, to find members a cut list does not show')
    .optionsGroup('Many joins:')
    .option('--batch <file>', 'one JSON object a line, or CSV (needs --journal)')
    .option('--journal <file>', 'what a batch did so far; the same batch goes on from there')
    .option('--concurrency <number>', 'joins under way at once', '16')
    .option('--retry-refused', 'submit again what was refused', false)
    .option('--retry-unknown', 'submit again what got no answer and is not listed', false)
    .optionsGroup('Options:')
    .option('--dry-run', 'show what would be sent, and send nothing', false)
    .addOption(format(['text', 'json']));
}

/** `survey pay`. */
export function payVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('pay');
  return verb(
    {
      group: 'survey',
      command,
      summary: 'creates a payment, prints its identifier',
      options: () => common(paying(calling(command))),
      after: `In test mode unless --live, which asks first. A payment is never sent twice:
when no answer comes, look in the portal before running it again. KAIA takes up
to 4 decimals and USDT 2, from 0.01; STRIPE counts USD, THB and TWD in cents
(--price 499 is --amount 4.99), KRW and JPY in whole units.
  $ kaiactl survey pay --buyer-address 0xB7b7… --item-identifier survey-7 \\
      --name Survey --image-url https://survey.example/icon.png --price 1.5`,
      run: async (options, host) => (await import('../survey/commands/pay.js')).run(options, host),
    },
    host,
    outcome,
  );
}

function paying<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--buyer-address <address>', 'the buyer’s address at the portal')
    .option('--item-identifier <id>', 'what is bought, at most 256 characters')
    .option('--name <text>', 'its name for the buyer, at most 256 characters')
    .option('--image-url <url>', 'its picture, at most 512 characters')
    .option('--price <units>', 'the price as the portal counts it: STRIPE in cents')
    .option('--amount <decimal>', 'the price as people write it, instead: 4.99')
    .addOption(
      new Option('--pg-type <name>', 'payment gateway')
        .choices(['CRYPTO', 'STRIPE', 'LINE_IAP'])
        .default('CRYPTO'),
    )
    .option('--currency-code <code>', 'currency of the price', 'KAIA')
    .option('--live', 'a real payment instead of a test', false)
    .option('--yes', 'do not ask before a real payment', false)
    .addOption(format(['text', 'json']));
}
