/** The verbs of `kaiactl survey`. */
import { Argument, Command } from 'commander';
import { adminActions, adminOptions } from '../survey/commands/options/admin.js';
import { joinOptions } from '../survey/commands/options/join.js';
import { membersOptions } from '../survey/commands/options/members.js';
import { payOptions } from '../survey/commands/options/pay.js';
import { serveOptions } from '../survey/commands/options/serve.js';
import { verb } from './verb.js';

const membersVerb = verb(() => new Command('members').argument('<survey>'), membersOptions, {
  group: 'survey',
  summary: 'list the members and the group id of a survey',
  after: `<survey> is the address of the survey contract. Notes go to stderr; stdout holds
only the list. Exit codes: 1 --contains found no member, 3 the list could not be
read or the contract contradicts it.

Examples:
  $ kaiactl survey members 0x6b66…3d4f --api-url https://survey.example
  $ kaiactl survey members 0x6b66…3d4f --verify --rpc-url http://127.0.0.1:8551
  $ kaiactl survey members 0x6b66…3d4f --contains 5252… && echo joined`,
  run: async (options, host, survey) =>
    (await import('../survey/commands/members.js')).run({ ...options, survey }, host),
});

const joinVerb = verb(() => new Command('join').argument('<survey>'), joinOptions, {
  group: 'survey',
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
});

const payVerb = verb(() => new Command('pay'), payOptions, {
  group: 'survey',
  summary: 'create a payment and print its identifier',
  after: `pay uses test mode; --live asks for confirmation first. It never sends a payment
twice: without an answer, check the portal before you run it again. KAIA takes
up to 4 decimals and USDT 2, from 0.01; STRIPE counts USD, THB and TWD in cents
(--price 499 is --amount 4.99), KRW and JPY in whole units.

Examples:
  $ kaiactl survey pay --buyer-address 0xB7b7… --item-identifier survey-7 \\
      --name Survey --image-url https://survey.example/icon.png --price 1.5`,
  run: async (options, host) => (await import('../survey/commands/pay.js')).run(options, host),
});

const examples = `The first line of stdout is the URL of the server. Secrets come from files or
the environment: KAIACTL_CHANNEL_SECRET, KAIACTL_PAYMENT_CLIENT_ID,
KAIACTL_PAYMENT_CLIENT_SECRET, KAIACTL_MANAGER_KEY, KAIACTL_OPERATOR_SECRET.

Examples:
  $ kaiactl survey serve --sandbox
  $ kaiactl survey serve --store survey.db --survey 0x6b66…3d4f \\
      --channel-id 1234567890
  $ kaiactl survey serve --rpc-url http://127.0.0.1:8551 --survey 0x6b66…3d4f \\
      --manager-key-file manager.key --channel-id 1234567890`;

const serveVerb = verb(() => new Command('serve'), serveOptions, {
  group: 'survey',
  summary: 'serve the survey API from an embedded store or an on-chain group',
  after: examples,
  run: async (options, host) => (await import('../survey/commands/serve.js')).run(options, host),
});

const adminVerb = verb(
  () => new Command('admin').addArgument(new Argument('<action>').choices(adminActions)).argument('[survey]'),
  adminOptions,
  {
    group: 'survey',
    summary: 'manage the surveys of a running server, and show its state',
    after: `list, add, close and export act on surveys. payments lists payments with their
status. outcomes counts joins by outcome since the server started. status shows
joins per minute, queue, joins left, nodes and errors. None shows who joined.
Of servers that share a store, outcomes and status show only the one that answers.

A closed survey accepts no more members and keeps its list. Changes are stored,
and apply to every server that shares the store.

Examples:
  $ kaiactl survey admin add 0x6b66…3d4f --store survey.db
  $ kaiactl survey admin export 0x6b66…3d4f --store survey.db > members.json
  $ kaiactl survey admin payments --format csv --store survey.db > payments.csv`,
    run: async (options, host, action, survey) =>
      (await import('../survey/commands/admin.js')).runAdmin(action, survey, options, host),
  },
);

const backupVerb = verb(() => new Command('backup').argument('<file>'), adminOptions, {
  group: 'survey',
  summary: 'copy a store consistently, even while its server runs',
  after: `A copy made with cp lacks the write-ahead log and is rejected. A backup does not
hold the participants’ secret: keep that secret elsewhere.

Examples:
  $ kaiactl survey backup /backup/survey-7.db --store survey.db`,
  run: async (options, host, file) =>
    (await import('../survey/commands/admin.js')).runBackup(file, options, host),
});

/** In the order help shows them. */
export const surveyVerbs = [membersVerb, joinVerb, payVerb, serveVerb, adminVerb, backupVerb];
