/** The verb `kaiactl survey serve` and its options. */
import { Command, type CommandUnknownOpts } from 'commander';
import type { Host } from '../host.js';
import { serveOptions } from './options/serve.js';
import { type Outcome, verb } from './verb.js';

const examples = `Examples:
  kaiactl survey serve --sandbox
  kaiactl survey serve --store survey.db --survey 0x6b66…3d4f --channel-id 1234567890
  kaiactl survey serve --rpc-url http://127.0.0.1:8551 --survey 0x6b66…3d4f --manager-key-file manager.key \\
    --channel-id 1234567890

Secrets come from files or the environment: KAIACTL_CHANNEL_SECRET, KAIACTL_PAYMENT_CLIENT_ID,
KAIACTL_PAYMENT_CLIENT_SECRET, KAIACTL_MANAGER_KEY, KAIACTL_OPERATOR_SECRET. The first line on stdout is the server's URL.`;

/** The verb. */
export function serveVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('serve');
  return verb(
    {
      group: 'survey',
      command,
      summary: 'the survey API itself: embedded store or on-chain group',
      options: () => serveOptions(command),
      after: examples,
      run: async (options, host) => (await import('../survey/commands/serve.js')).run(options, host),
    },
    host,
    outcome,
  );
}
