/** Options every command has, and the shapes options have. */
import { type Command, Option, type OptionValues } from 'commander';
import type { Declared, NoOptions } from './declared.js';

/** Adds the options every command has. */
export function common<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--config <file>', 'settings file (ini); default: kaiactl/config.ini in the user’s config folder')
    .option('--profile <name>', 'section of the settings file to use')
    .option('--no-color', 'plain text (NO_COLOR and FORCE_COLOR are honoured too)')
    .option('-q, --quiet', 'no progress and no notes on stderr', false)
    .option('-v, --verbose', 'more detail', false);
}

/** A repeatable option: each use adds one. */
export function repeatable<F extends string>(flags: F, description: string) {
  return new Option(flags, description).argParser(
    (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value],
  );
}

/** --assume-reach, as every verb that judges takes it. */
export function assumeReach() {
  return repeatable(
    '--assume-reach <kind=reach>',
    'who reaches an interface, where no tool sees it: http=private (repeatable)',
  );
}

/** --probe, as every verb that asks a node takes it. */
export function probe() {
  return new Option('--probe <depth>', 'none: what it is and offers; safe: also existence probes and access')
    .choices(['none', 'safe'])
    .default('safe');
}

/** --format among these names; the first is the default. */
export function format<const N extends readonly [string, ...string[]]>(
  names: N,
  carries = 'what stdout carries',
) {
  return new Option('--format <name>', carries).choices<N>(names).default<N[number]>(names[0]);
}

export type CommonOptions = Declared<typeof common<[], NoOptions>>;
