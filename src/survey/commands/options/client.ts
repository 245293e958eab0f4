import { type Command, Option, type OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

export function joinOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    calling(command)
      .optionsGroup('Who joins:')
      .option('--commitment <number>', 'identity commitment, decimal or 0x-hexadecimal')
      .option('--identity-file <file>', 'an exported Semaphore identity, or JSON with its commitment')
      .option(
        '--derive-commitment',
        'derive the commitment from the account’s signature, as the web app does',
        false,
      )
      .option('--id-token-file <file>', 'token of the messaging platform')
      .option('--user-id <id>', 'user id (default: from the id token)')
      .optionsGroup('Who signs:')
      .option('--key-file <file>', 'private key of the account, in hexadecimal')
      .option('--keystore <file>', 'encrypted keystore of the account')
      .option('--keystore-password-file <file>', 'password of the keystore')
      .option(
        '--signature <hex>',
        'signature made elsewhere, or several separated by blanks (needs --account)',
      )
      .option('--signature-file <file>', 'file with such signatures, one per line')
      .option('--account <address>', 'account of the joiner (default: of the key)')
      .addOption(
        new Option('--scheme <name>', 'sign the original text, or also survey, commitment and expiry')
          .choices(['destat', 'eip712'])
          .default('destat'),
      )
      .option('--chain-id <number>', 'chain of the survey (eip712)')
      .option('--expires-at <seconds>', 'expiry of a signature made elsewhere, since 1970 (eip712)')
      .optionsGroup('Until it is listed:')
      .option('--dry-run', 'show the request without sending it', false)
      .option('--no-wait', 'end when the join is accepted')
      .option('--timeout <time>', 'time to wait until the join is listed', '2m')
      .option('--poll-interval <time>', 'first delay between two polls; later delays are longer', '2s')
      .option('--rpc-url <url>', 'node of the survey’s chain, to find members that a truncated list lacks')
      .optionsGroup('Many joins:')
      .option('--batch <file>', 'JSON object per line or CSV with a header row; - is stdin (needs --journal)')
      .option('--ignore-columns', 'ignore unknown columns and fields of the batch', false)
      .option('--journal <file>', 'record of what was submitted; the same command continues from it')
      .option('--check', 'list the lines that cannot join, and send nothing', false)
      .option('--concurrency <number>', 'joins under way at once', '40')
      .option('--keep-going', 'retry faults of a batch instead of stopping at the first', true)
      .option('--no-keep-going', 'stop at the first fault')
      .option('--max-faults <number>', 'stop after more faults than this (default: no limit)')
      .option('--max-outage <time>', 'stop after this long without an accepted join', '10m')
      .option('--progress <file>', 'write the progress as JSON to this file, every two seconds')
      .option('--retry-refused', 'submit refused joins again', false)
      .option('--retry-unknown', 'submit joins with an unknown outcome again', false)
      .addOption(format(['text', 'json'])),
  );
}

export type JoinOptions = Declared<typeof joinOptions<[], NoOptions>>;

export function calling<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Survey API:')
    .option('--api-url <url>', 'base URL of the survey API, without /api')
    .option('--request-timeout <time>', 'timeout of one request', '3m');
}

export type CallingOptions = Declared<typeof calling<[], NoOptions>>;

export function resultsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    command
      .optionsGroup('What is read:')
      .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
      .option('--verify', 'check the proof of each answer', false)
      .option('--from-block <number>', 'first block with events of the group (default: searched)')
      .addOption(format(['text', 'json', 'csv'])),
  );
}

export type ResultsOptions = Declared<typeof resultsOptions<[], NoOptions>>;

export function membersOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    calling(command)
      .addOption(format(['text', 'json', 'csv', 'ndjson']))
      .optionsGroup('What is read:')
      .option('--contains <commitment>', 'check whether it is a member (exit 1: it is not)')
      .option('--count', 'print only the number of members', false)
      .option('--verify', 'compare list and Merkle root with the contract (needs --rpc-url)', false)
      .option('--rpc-url <url>', 'JSON-RPC endpoint of a node of the survey’s chain')
      .option('--semaphore <address>', 'read a group of this Semaphore v4 contract from its events')
      .option('--group <id>', 'id of the group (with --semaphore)')
      .option('--from-block <number>', 'first block with events of the group (default: searched)')
      .option('--no-root', 'omit the Merkle root in --format json')
      .option('--follow', 'print new members until interrupted', false)
      .option('--poll-interval <time>', 'delay between two polls with --follow', '2s'),
  );
}

export type MembersOptions = Declared<typeof membersOptions<[], NoOptions>>;

export function payOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    calling(command)
      .optionsGroup('Payment:')
      .option('--buyer-address <address>', 'address of the buyer at the portal')
      .option('--item-identifier <id>', 'identifier of the item, up to 256 characters')
      .option('--name <text>', 'name of the item for the buyer, up to 256 characters')
      .option('--image-url <url>', 'picture of the item, up to 512 characters')
      .option('--price <units>', 'price in the portal’s unit: cents for STRIPE')
      .option('--amount <decimal>', 'price as a decimal, instead of --price: 4.99')
      .addOption(
        new Option('--pg-type <name>', 'payment gateway')
          .choices(['CRYPTO', 'STRIPE', 'LINE_IAP'])
          .default('CRYPTO'),
      )
      .option('--currency-code <code>', 'currency of the price', 'KAIA')
      .option('--live', 'create a real payment instead of a test payment', false)
      .option('--yes', 'do not ask before a real payment', false)
      .addOption(format(['text', 'json'])),
  );
}

export type PayOptions = Declared<typeof payOptions<[], NoOptions>>;
