/** Options of the node verbs that only read files. */
import { type Command, Option, type OptionValues } from 'commander';
import { assumeReach, common, format, headings, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { products } from '../../facts/products.js';
import { confOptions, reporting, selection } from './shared.js';

/** Options of `node lint`. */
export function lintOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(trusted(reporting(fixing(inputs(command)))).addOption(assumeReach()));
}

function inputs<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return confOptions(command)
    .option('--command-line <words>', 'judge the command line of a node, parsed as a shell does')
    .addOption(excluded())
    .option('--skip-foreign', 'skip named files that start no node, instead of exit code 2', false);
}

function trusted<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command.option('--trust-config <file>', 'take the settings of this kaiactl.ini only, or of none');
}

function excluded() {
  return repeatable('--exclude <glob>', 'skip files and folders, with the pattern rules of git (repeatable)');
}

function fixing<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup('Fixes:')
    .option('--fix', 'apply the safe fixes, which keep the node’s start unchanged', false)
    .option('--unsafe-fixes', 'with --fix or --diff: also fixes that change how the node starts', false)
    .option('--diff', 'print the fixes as a patch for git apply; write no file', false)
    .option('--dry-run', 'with --fix: count the fixes; write no file', false)
    .option('--backup', 'with --fix: keep each original as NAME.bak', false);
}

export type LintOptions = Declared<typeof lintOptions<[], NoOptions>>;

/** Options of `node explain`. */
export function explainOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(command.addOption(format(['text', 'json'])));
}

export type ExplainOptions = Declared<typeof explainOptions<[], NoOptions>>;

/** Options of `node lsp`. */
export function lspOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    selection(
      command
        .optionsGroup(headings.input)
        .option('--follow-outside', 'also read files outside the folder of the file that names them')
        .addOption(excluded())
        .option('--stdio', 'speak over stdin and stdout, which is the only way; editors add it', false),
    ).addOption(assumeReach()),
  );
}

export type LspOptions = Declared<typeof lspOptions<[], NoOptions>>;

/** Options of `node demo`. */
export function demoOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(command);
}

export type DemoOptions = Declared<typeof demoOptions<[], NoOptions>>;

/** Options of `node init`. */
export function initOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  const service = new Option('--ci <service>', 'write the job of this service');
  return common(
    command
      .addOption(service.choices(['github', 'gitlab', 'pre-commit', 'none'] as const))
      .option('--baseline', 'accept the findings of today, so that only new ones fail', false)
      .option('--yes', 'do not ask before files are written', false),
  );
}

export type InitOptions = Declared<typeof initOptions<[], NoOptions>>;
export type Service = NonNullable<InitOptions['ci']>;

/** Options of `node settings`. */
export function settingsOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(confOptions(command).addOption(format(['text', 'json'])));
}

export type SettingsOptions = Declared<typeof settingsOptions<[], NoOptions>>;

/** Options of `node harden`. */
export function hardenOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    confOptions(command)
      .addOption(new Option('--for <product>', 'product to write the snippet for').choices(products))
      .option('--command-line <words>', 'command line of a node, instead of a file')
      .addOption(
        repeatable(
          '--monitoring <subnet>',
          'subnet that may read the metrics, such as 10.20.0.0/16 (repeatable)',
        ),
      )
      .option(
        '--server-name <name>',
        'host name that clients use (default: the first Host name the node accepts)',
      )
      .optionsGroup(headings.gates)
      .option('--allow-blind', 'exit with 0 if the settings leave something undetermined', false),
  );
}

export type HardenOptions = Declared<typeof hardenOptions<[], NoOptions>>;
