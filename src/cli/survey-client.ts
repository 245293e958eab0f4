/** The verbs of `kaiactl survey` that call the API. */
import { Command } from 'commander';
import { joinOptions } from '../survey/commands/options/join.js';
import { membersOptions } from '../survey/commands/options/members.js';
import { payOptions } from '../survey/commands/options/pay.js';
import { verb } from './verb.js';

/** `survey members`. */
export const membersVerb = verb(() => new Command('members').argument('<survey>'), membersOptions, {
  group: 'survey',
  summary: 'members and group id of a survey',
  after: `<survey> is the address of the survey contract. Talk goes to stderr, so stdout
can be saved as it is. Exit codes: 1 --contains found none, 3 the list could
not be had or the contract contradicts it.
  $ kaiactl survey members 0x6b66…3d4f --api-url https://survey.example
  $ kaiactl survey members 0x6b66…3d4f --verify --rpc-url http://127.0.0.1:8551
  $ kaiactl survey members 0x6b66…3d4f --contains 5252… && echo joined`,
  run: async (options, host, survey) =>
    (await import('../survey/commands/members.js')).run({ ...options, survey }, host),
});

/** `survey join`. */
export const joinVerb = verb(() => new Command('join').argument('<survey>'), joinOptions, {
  group: 'survey',
  summary: 'submits a join and waits until it is listed',
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
});

/** `survey pay`. */
export const payVerb = verb(() => new Command('pay'), payOptions, {
  group: 'survey',
  summary: 'creates a payment, prints its identifier',
  after: `In test mode unless --live, which asks first. A payment is never sent twice:
when no answer comes, look in the portal before running it again. KAIA takes up
to 4 decimals and USDT 2, from 0.01; STRIPE counts USD, THB and TWD in cents
(--price 499 is --amount 4.99), KRW and JPY in whole units.
  $ kaiactl survey pay --buyer-address 0xB7b7… --item-identifier survey-7 \\
      --name Survey --image-url https://survey.example/icon.png --price 1.5`,
  run: async (options, host) => (await import('../survey/commands/pay.js')).run(options, host),
});
