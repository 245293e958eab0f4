import { type Command, Option, type OptionValues } from 'commander';
import { type CommonOptions, common, format, headings } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';

/** Actions of `survey admin`, in the order of a survey's life. */
export const adminActions = [
  'list',
  'add',
  'set',
  'show',
  'report',
  'close',
  'open',
  'export',
  'import',
  'forget',
  'rotate-secret',
  'log',
  'payments',
  'outcomes',
  'status',
] as const;
export type AdminAction = (typeof adminActions)[number];

function atStore<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Server or store:')
    .option('--store <file|url>', 'the server’s store; opened itself if no server has it open')
    .option(
      '--participant-secret-file <file>',
      'key of the participants’ hashes (default: beside the store)',
    );
}

function atServer<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return atStore(command).option(
    '--admin-socket <path>',
    'the server’s admin socket (default: beside the store)',
  );
}

function output<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  const formats = ['text', 'json', 'csv'] as const;
  return command.addOption(
    new Option('--format <name>', 'output format on stdout (default: text; export: json)')
      .choices(formats)
      .helpGroup(headings.output),
  );
}

function policy<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Policy of a survey:')
    .option('--one-per-user', 'add, set: allow one join per user')
    .option('--no-one-per-user', 'add, set: allow any number of joins per user')
    .addOption(
      new Option('--scheme <scheme>', 'add, set: signatures that are accepted').choices(['eip712', 'any']),
    )
    .option('--closes-at <time>', 'add, set: closing time, as 2026-12-31T18:00Z; never: none')
    .option('--max-members <n>', 'add, set: limit of members; none: no limit')
    .option('--allowlist <file>', 'add, set: only these users and accounts may join, one a line; none: all');
}

function single<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Single actions:')
    .option('--html', 'report: a page of its own, safe to hand round', false)
    .option('--user-id <id>', 'forget: the platform’s id of the user whose record is erased')
    .option('--allow-rejoin', 'forget: the user may join again', false)
    .option('--drop-keys', 'rotate-secret: drop the former keys, and the record of who joined', false)
    .option('--not-moved', 'open: also a survey that was exported after it was closed', false)
    .option('--yes', 'close, forget, rotate-secret: do not ask', false)
    .option('--status <name>', 'payments: only with this status')
    .option('--item <identifier>', 'payments: only of this item')
    .addOption(new Option('--mode <mode>', 'payments: only test or real ones').choices(['test', 'real']))
    .option('--limit <n>', 'payments: maximum number')
    .option('--after <id>', 'payments: only those after this payment in the list');
}

/** Options of `survey admin`. Each group is added to the command itself: a chain of all is too deep for the compiler. */
export function adminOptions<A extends unknown[]>(command: Command<A, NoOptions>): Command<A, AdminOptions> {
  for (const add of [atServer, policy, single, output, common]) add(command);
  return command as unknown as Command<A, AdminOptions>;
}

export function backupOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    atServer(command)
      .option('--verify', 'check the backup <file> instead of writing it', false)
      .addOption(format(['text', 'json'], 'output format of --verify')),
  );
}

export function restoreOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    atStore(command)
      .addOption(
        new Option('--apply', 'repeat the missing decisions in the store')
          .default(false)
          .conflicts('acceptOlder'),
      )
      .option('--accept-older', 'discard the missing decisions', false)
      .addOption(format(['text', 'json'], 'output format on stdout')),
  );
}

export type RestoreOptions = Declared<typeof restoreOptions<[], NoOptions>>;
export type ServerOptions = CommonOptions & Declared<typeof atServer<[], NoOptions>>;
export type BackupOptions = Declared<typeof backupOptions<[], NoOptions>>;
export type AdminOptions = ServerOptions &
  Declared<typeof output<[], NoOptions>> &
  Declared<typeof policy<[], NoOptions>> &
  Declared<typeof single<[], NoOptions>>;
