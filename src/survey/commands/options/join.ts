import { type Command, Option, type OptionValues } from 'commander';
import { common, format } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { calling } from './calling.js';

/** Options of `survey join`. */
export function joinOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(joining(calling(command)));
}

export type JoinOptions = Declared<typeof joinOptions<[], NoOptions>>;

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
    .option('--concurrency <number>', 'joins under way at once', '20')
    .option('--retry-refused', 'submit again what was refused', false)
    .option('--retry-unknown', 'submit again what got no answer and is not listed', false)
    .optionsGroup('Options:')
    .option('--dry-run', 'show what would be sent, and send nothing', false)
    .addOption(format(['text', 'json']));
}
