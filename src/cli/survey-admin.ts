/** The verbs of `kaiactl survey` for whoever runs a server. */
import { Argument, Command } from 'commander';
import { adminOptions } from '../survey/commands/options/admin.js';
import { verb } from './verb.js';

/** `survey admin`. */
export const adminVerb = verb(
  () =>
    new Command('admin')
      .addArgument(new Argument('<action>').choices(['list', 'add', 'close', 'export'] as const))
      .argument('[survey]'),
  adminOptions,
  {
    group: 'survey',
    summary: 'surveys of a running server: list, add, close, export',
    after: `A closed survey takes no more members; its list stays. What is added and
closed is kept in the store, for every server that shares it.
  $ kaiactl survey admin add 0x6b66…3d4f --store survey.db
  $ kaiactl survey admin export 0x6b66…3d4f --store survey.db > members.json`,
    run: async (options, host, action, survey) =>
      (await import('../survey/commands/admin.js')).runAdmin(action, survey, options, host),
  },
);

/** `survey backup`. */
export const backupVerb = verb(() => new Command('backup').argument('<file>'), adminOptions, {
  group: 'survey',
  summary: 'a consistent copy of a store, also while its server runs',
  after: `A copy of the file made by other means lacks what stands in its log, and is
refused. The participants’ secret is not in a backup: keep it elsewhere.
  $ kaiactl survey backup /backup/survey-7.db --store survey.db`,
  run: async (options, host, file) =>
    (await import('../survey/commands/admin.js')).runBackup(file, options, host),
});
