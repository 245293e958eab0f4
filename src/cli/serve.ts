/** The verb `kaiactl survey serve` and its options. */
import { Command } from 'commander';
import { serveOptions } from '../survey/commands/options/serve.js';
import { verb } from './verb.js';

const examples = `Examples:
  kaiactl survey serve --sandbox
  kaiactl survey serve --store survey.db --survey 0x6b66…3d4f --channel-id 1234567890
  kaiactl survey serve --rpc-url http://127.0.0.1:8551 --survey 0x6b66…3d4f --manager-key-file manager.key \\
    --channel-id 1234567890

Secrets come from files or the environment: KAIACTL_CHANNEL_SECRET, KAIACTL_PAYMENT_CLIENT_ID,
KAIACTL_PAYMENT_CLIENT_SECRET, KAIACTL_MANAGER_KEY, KAIACTL_OPERATOR_SECRET. The first line on stdout is the server's URL.`;

/** The verb. */
export const serveVerb = verb(() => new Command('serve'), serveOptions, {
  group: 'survey',
  summary: 'the survey API itself: embedded store or on-chain group',
  after: examples,
  run: async (options, host) => (await import('../survey/commands/serve.js')).run(options, host),
});
