/** The options and operands of each node and report verb. */
import { Argument, type Command, Option, type OptionValues } from 'commander';
import { assumeReach, common, format, headings, probe, repeatable } from '../../../options/common.js';
import type { Declared } from '../../../options/declared.js';
import { products } from '../../facts/products.js';
import { confOptions, connection, counting, failOn, outputs, reporting, selection } from './shared.js';

/** Adds the lists of a fleet. */
function fleet<A extends unknown[], O extends OptionValues>(command: Command<A, O>, stdin = '') {
  return command
    .optionsGroup(headings.input)
    .option('--inventory <file>', 'read the fleet from an ini file, one section per node')
    .option('--targets-from <file>', `read targets from a file, one per line${stdin}`);
}

/** Adds how the nodes of a fleet are asked. */
function asking<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup(headings.asking)
    .addOption(probe())
    .option('--concurrency <n>', 'maximum number of nodes audited at a time', '16')
    .option('--rate <n>', 'maximum number of audits started per second');
}

function excluded() {
  return repeatable('--exclude <glob>', 'skip files and folders, with the pattern rules of git (repeatable)');
}

export const verbs = {
  lint: (command: Command) =>
    common(
      reporting(
        confOptions(command)
          .option('--command-line <words>', 'judge the command line of a node, parsed as a shell does')
          .addOption(excluded())
          .option('--skip-foreign', 'skip named files that start no node, instead of exit code 2', false)
          .optionsGroup('Fixes:')
          .option('--fix', 'apply the safe fixes, which keep the node’s start unchanged', false)
          .option('--unsafe-fixes', 'with --fix or --diff: also fixes that change how the node starts', false)
          .option('--diff', 'print the fixes as a patch for git apply; write no file', false)
          .option('--dry-run', 'with --fix: count the fixes; write no file', false)
          .option('--backup', 'with --fix: keep each original as NAME.bak', false),
      )
        .option('--trust-config <file>', 'take the settings of this kaiactl.ini only, or of none')
        .addOption(assumeReach()),
    ).argument('[paths...]'),
  explain: (command: Command) => common(command.addOption(format(['text', 'json']))).argument('[rule]'),
  settings: (command: Command) =>
    common(confOptions(command).addOption(format(['text', 'json']))).argument('<conf>'),
  harden: (command: Command) =>
    common(
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
    ).argument('[source]'),
  lsp: (command: Command) =>
    common(
      selection(
        command
          .optionsGroup(headings.input)
          .option('--follow-outside', 'also read files outside the folder of the file that names them')
          .addOption(excluded())
          .option('--stdio', 'speak over stdin and stdout, which is the only way; editors add it', false),
      ).addOption(assumeReach()),
    ),
  demo: (command: Command) => common(command).argument('<folder>'),
  init: (command: Command) =>
    common(
      command
        .addOption(
          new Option('--ci <service>', 'write the job of this service').choices([
            'github',
            'gitlab',
            'pre-commit',
            'none',
          ] as const),
        )
        .option('--baseline', 'accept the findings of today, so that only new ones fail', false)
        .option('--yes', 'do not ask before files are written', false),
    ),
  audit: (command: Command) =>
    common(
      reporting(
        connection(
          asking(
            confOptions(
              fleet(command, ' (-: stdin)')
                .option(
                  '--shard <k/n>',
                  'audit one part of the targets, such as 3/10; report merge joins the parts',
                )
                .option('--simulate', 'audit a simulated node of each conf instead of the real node', false)
                .option('--facts <file>', 'judge the saved facts of a file; send nothing'),
            ),
          )
            .option('--plan', 'print the requests; send nothing', false)
            .option(
              '--metrics-port <port>',
              'also look for the profiler on this port of each named endpoint',
            ),
        ),
      )
        .addOption(assumeReach())
        .optionsGroup(headings.output)
        .option('--save-facts <file>', 'save the gathered facts, for --facts'),
    ).argument('[targets...]'),
  modules: (command: Command) =>
    common(connection(command).addOption(format(['text', 'json']))).argument('<endpoint>'),
  simulate: (command: Command) =>
    common(
      confOptions(command)
        .optionsGroup('What is simulated:')
        .option('--free-ports', 'listen on free ports instead of the conf’s ports', false)
        .option('--ipc <path>', 'path of the ipc socket; must not exist')
        .option('--client-version <text>', 'answer of web3_clientVersion')
        .addOption(repeatable('--account <address>', 'account that the node lists (repeatable)'))
        .addOption(repeatable('--unlocked <address>', 'account that the node lists as unlocked (repeatable)'))
        .option('--force', 'simulate even if a node with this conf would not start', false),
    ).argument('<conf>'),
  watch: (command: Command) =>
    common(
      asking(counting(connection(confOptions(fleet(command)))))
        .option('--interval <time>', 'time between two rounds, plus or minus 10 %', '5m')
        .optionsGroup(headings.output)
        .addOption(format(['text', 'json']))
        .option(
          '--textfile <file>',
          'write metrics for the textfile collector of the Prometheus node exporter',
        )
        .option('--listen <address>', 'serve metrics to Prometheus on this address, such as 127.0.0.1:9469')
        .option(
          '--serve-probe',
          'instead of rounds, audit the node of the inventory that a request to /probe names',
          false,
        )
        .option('--webhook <url>', 'post each change to this URL as JSON')
        .option('--notify-initial', 'also post the first state to the webhook', false)
        .option('--state <file>', 'keep the last state in a file, to report after a restart what changed'),
    ).argument('[targets...]'),
  policy: (command: Command) =>
    common(
      connection(confOptions(command))
        .optionsGroup(headings.input)
        .option('--from <source>', 'make: conf, endpoint or saved report to read')
        .option('--name <name>', 'make: name of the policy (default: own)'),
    )
      .addArgument(new Argument('<action>').choices(['list', 'make', 'check']))
      .argument('[policy]'),
  schema: (command: Command) =>
    common(command).addArgument(
      new Argument('[format]', 'ndjson: the schema of a line').choices(['json', 'ndjson']).default('json'),
    ),
  convert: (command: Command) => common(outputs(command)).argument('<report>'),
  merge: (command: Command) =>
    common(
      outputs(command)
        .optionsGroup(headings.gates)
        .option('--exit-zero', 'exit with 0 despite findings or unseen facts', false),
    ).argument('<reports...>'),
  diff: (command: Command) =>
    common(
      command
        .optionsGroup(headings.input)
        .option(
          '--vantage',
          '<before> from inside, <after> from outside: list private interfaces that outside reaches',
          false,
        )
        .addOption(format(['text', 'json', 'markdown']))
        .addOption(failOn())
        .optionsGroup(headings.gates)
        .option('--exit-zero', 'exit with 0 even if something got worse', false)
        .option('--allow-blind', 'exit with 0 if something is no longer seen', false),
    )
      .argument('<before>')
      .argument('<after>'),
};

export type VerbOptions<V extends keyof typeof verbs> = Declared<(typeof verbs)[V]>;
