/** Options that every command has, and options that several commands share. */
import { type Command, Option, type OptionValues } from 'commander';
import type { Declared, NoOptions } from './declared.js';

/** The headings under which help lists the options of node and report commands. */
export const headings = {
  input: 'What is looked at:',
  asking: 'How it is asked:',
  gates: 'Findings and exit code:',
  output: 'Output:',
} as const;

/** Adds the options every command has. */
export function common<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Options:')
    .option('--config <file>', 'settings file, ini (default: kaiactl/config.ini in the user’s config folder)')
    .option('--profile <name>', 'profile of the settings file to use')
    .addOption(
      new Option('--color <when>', 'colour on stdout; auto: NO_COLOR, FORCE_COLOR, or on a terminal')
        .choices<['auto', 'always', 'never']>(['auto', 'always', 'never'])
        .default<'auto'>('auto'),
    )
    .addOption(new Option('--no-color', 'disable colour: --color never').preset('never'))
    .option('-q, --quiet', 'hide progress and notes on stderr', false)
    .option('-v, --verbose', 'show more detail', false);
}

/** A repeatable option: each use adds one. */
export function repeatable<F extends string>(flags: F, description: string) {
  return new Option(flags, description).argParser(
    (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value],
  );
}

export function assumeReach() {
  return repeatable(
    '--assume-reach <kind=reach>',
    'set who reaches an interface, such as http=private (repeatable)',
  ).helpGroup(headings.gates);
}

export function probe() {
  return new Option(
    '--probe <depth>',
    'none: identity and modules; safe: also existence probes and access checks',
  )
    .choices(['none', 'safe'])
    .default('safe')
    .helpGroup(headings.asking);
}

/** --format among these names; the first is the default. */
export function format<const N extends readonly [string, ...string[]]>(
  names: N,
  description = 'output format on stdout',
) {
  return new Option('--format <name>', description)
    .choices<N>(names)
    .default<N[number]>(names[0])
    .helpGroup(headings.output);
}

export type CommonOptions = Declared<typeof common<[], NoOptions>>;
