/** The verbs of `kaiactl survey`. */
import { Argument } from 'commander';
import {
  adminActions,
  adminOptions,
  backupOptions,
  restoreOptions,
} from '../survey/commands/options/admin.js';
import {
  joinOptions,
  membersOptions,
  payOptions,
  resultsOptions,
} from '../survey/commands/options/client.js';
import { serveOptions } from '../survey/commands/options/serve.js';
import { verb } from './verb.js';

const serveHelp = `The first line of stdout is the URL of the server. Secrets come from files or
the environment: KAIACTL_CHANNEL_SECRET, KAIACTL_PAYMENT_CLIENT_ID,
KAIACTL_PAYMENT_CLIENT_SECRET, KAIACTL_MANAGER_KEY, KAIACTL_OPERATOR_SECRET.

Examples:
  $ kaiactl survey serve --sandbox
  $ kaiactl survey serve --store survey.db --survey 0x6b66…3d4f \\
      --channel-id 1234567890
  $ kaiactl survey serve --rpc-url http://127.0.0.1:8551 --survey 0x6b66…3d4f \\
      --manager-key-file manager.key --channel-id 1234567890`;

/** By name, in the order help shows them. */
export const surveyVerbs = {
  members: verb((command) => membersOptions(command).argument('[survey]'), {
    summary: 'list the members of a survey, or of any Semaphore group',
    after: `[survey] is the address of the survey contract. --semaphore and --group name a
group of any Semaphore v4 contract instead, which is read from the chain without
the survey API. Notes go to stderr; stdout holds only the list. Exit codes: 1
--contains found no member, 3 the list could not be read or the contract
contradicts it.

Examples:
  $ kaiactl survey members 0x6b66…3d4f --api-url https://survey.example
  $ kaiactl survey members 0x6b66…3d4f --verify --rpc-url http://127.0.0.1:8551
  $ kaiactl survey members 0x6b66…3d4f --contains 5252… && echo joined
  $ kaiactl survey members --semaphore 0x8A1f… --group 7 --verify \\
      --rpc-url http://127.0.0.1:8551`,
    run: async (options, host, survey) =>
      (await import('../survey/commands/members.js')).run({ ...options, survey }, host),
  }),
  results: verb((command) => resultsOptions(command).argument('<survey>'), {
    summary: 'count the answers that a survey’s contract holds, and check their proofs',
    after: `results never prints the wallets that the contract keeps beside the answers.
Exit codes: 1 an answer is invalid, 3 an answer or the survey could not be read
or verified. docs/survey-contract.md lists the checks.

Examples:
  $ kaiactl survey results 0x6b66…3d4f --rpc-url http://127.0.0.1:8551
  $ kaiactl survey results 0x6b66…3d4f --rpc-url http://127.0.0.1:8551 --verify`,
    run: async (options, host, survey) =>
      (await import('../survey/commands/results.js')).run({ ...options, survey }, host),
  }),
  join: verb((command) => joinOptions(command).argument('<survey>'), {
    summary: 'submit a join and wait until it is listed',
    after: `Secrets come from files, - (stdin) or the environment: KAIACTL_ID_TOKEN,
KAIACTL_PRIVATE_KEY, KAIACTL_KEYSTORE_PASSWORD, KAIACTL_SIGNATURE. A key file
that other users can read is rejected. Exit codes: 0 listed, 1 refused by the
server, 3 unknown, 4 accepted but not listed in time (poll again, do not submit
again).

A line of a batch is
  {"commitment":"…","keyFile":"…","idTokenFile":"…"}
or CSV with a header row of these names; also identityFile, signature,
signatureFile, account, keystore, userId and idToken. Options give the default
of every field. After an interruption or an outage, run the same command again:
a join that the server may have accepted is not submitted again.

Examples:
  $ kaiactl survey join 0x6b66…3d4f --identity-file me.json --key-file wallet \\
      --id-token-file token
  $ kaiactl survey join 0x6b66…3d4f --batch joins.ndjson --journal joins.journal`,
    run: async (options, host, survey) =>
      (await import('../survey/commands/join.js')).run({ ...options, survey }, host),
  }),
  pay: verb(payOptions, {
    summary: 'create a payment and print its identifier',
    after: `pay uses test mode; --live asks for confirmation first. It never sends a payment
twice: without an answer, check the portal before you run it again. KAIA takes
up to 4 decimals and USDT 2, from 0.01; STRIPE counts USD, THB and TWD in cents
(--price 499 is --amount 4.99), KRW and JPY in whole units.

Examples:
  $ kaiactl survey pay --buyer-address 0xB7b7… --item-identifier survey-7 \\
      --name Survey --image-url https://survey.example/icon.png --price 1.5`,
    run: async (options, host) => (await import('../survey/commands/pay.js')).run(options, host),
  }),
  serve: verb(serveOptions, {
    summary: 'serve the survey API from an embedded store or an on-chain group',
    after: serveHelp,
    run: async (options, host) =>
      (await import('../survey/commands/serve.js')).run(options, host, options.reread),
  }),
  admin: verb(
    (command) =>
      adminOptions(command)
        .addArgument(new Argument('<action>').choices(adminActions))
        .argument('[survey|file]'),
    {
      summary: 'manage surveys, show how they go, and move them',
      after: `list, add, set, close and open act on surveys; set changes what a survey allows.
show prints members, joins and refusals with a plot of joins per hour, and
report --html the same as a page. export writes a survey; import adds it to
another store, with every join and limit. forget erases the record of a user.
rotate-secret adds a key to the participants’ secret of a stopped store; with
--drop-keys it drops the former keys once the surveys that need them are closed.
log prints what admins and servers changed. payments lists payments. outcomes
and status need a running server. None shows who joined.

A running server is asked over its socket; a store that no server has open, or a
database, is opened itself. Changes apply to every server that shares the store.

Examples:
  $ kaiactl survey admin add 0x6b66…3d4f --max-members 50000 --store survey.db
  $ kaiactl survey admin show 0x6b66…3d4f --store survey.db
  $ kaiactl survey admin export 0x6b66…3d4f --store survey.db > survey.json
  $ kaiactl survey admin payments --mode real --format csv --store survey.db`,
      run: async (options, host, action, survey) =>
        (await import('../survey/commands/admin.js')).runAdmin(action, survey, options, host),
    },
  ),
  backup: verb((command) => backupOptions(command).argument('<file>'), {
    summary: 'copy a store consistently, even while its server runs',
    after: `- as <file> writes the backup to stdout. A copy made with cp lacks the
write-ahead log and is rejected. A backup does not hold the participants’
secret: keep that secret elsewhere. --verify reads every page and every member
of a backup, and ends with 1 if a server could not continue with it;
--participant-secret-file also checks that the secret belongs to it.

Examples:
  $ kaiactl survey backup /backup/survey-7.db --store survey.db
  $ kaiactl survey backup - --store survey.db | ssh backup 'cat > survey-7.db'
  $ kaiactl survey backup --verify /backup/survey-7.db`,
    run: async (options, host, file) => {
      const { run, verifyBackup } = await import('../survey/commands/backup.js');
      return options.verify ? verifyBackup(file, options, host) : run(file, options, host);
    },
  }),
  restore: verb(restoreOptions, {
    summary: 'repeat or discard the decisions that a restored store lacks',
    after: `The file <secret>.decisions keeps what admins decided: closed, opened, added and
exported surveys, policies and erased users. A store that lacks some of them is
older, and no server starts with it. Without --apply or --accept-older, restore
lists them, changes nothing, and ends with 1 if there are any.

Examples:
  $ kaiactl survey restore --store survey.db
  $ kaiactl survey restore --apply --store survey.db`,
    run: async (options, host) => (await import('../survey/commands/restore.js')).run(options, host),
  }),
};
