/** The command line: groups, verbs, usage errors. */
import { Argument, Command, CommanderError, type CommandUnknownOpts, Help, type Option } from 'commander';
import { type ExitCode, exit } from '../errors.js';
import { type Host, print } from '../host.js';
import { widthOf } from '../terminal/capabilities.js';
import { fold } from '../terminal/wrap.js';
import { liveVerbs } from './node-live.js';
import { offlineVerbs } from './node-offline.js';
import { reportVerbs } from './report.js';
import { surveyVerbs } from './survey.js';
import type { BuildVerb, Outcome } from './verb.js';

const about = 'Audit what a Kaia node exposes, by its conf and by its answers; use and serve a survey API.';
const footer = `
The environment (KAIACTL_<OPTION>) and a settings file (--config, --profile) can
set every option.

Exit codes:
  0    done
  1    findings, or a negative answer
  2    invalid command line or input
  3    something could not be seen
  4    join accepted but not listed yet
  70   a defect of kaiactl
  130  interrupted`;

const groups = {
  node: 'lint, audit and simulate Kaia nodes',
  survey: 'use and serve the survey API: members, joins, payments',
  report: 'convert, merge and compare reports',
} as const;
const verbs: Readonly<Record<string, readonly BuildVerb[]>> = {
  node: [...offlineVerbs, ...liveVerbs],
  survey: surveyVerbs,
  report: reportVerbs,
};

/** The commands of a group's verbs, for one run. */
function build(group: string, host: Host, outcome: Outcome): CommandUnknownOpts[] {
  return (verbs[group] ?? []).map((verb) => verb(host, outcome));
}

/**
 * Parses the command line and runs the verb.
 * @throws {KaiactlError} on wrong invocation (exit 2)
 */
export async function runProgram(host: Host, version: string): Promise<ExitCode> {
  const outcome: Outcome = {
    code: exit.ok,
    verbs: (name) =>
      Object.keys(verbs).flatMap((group) =>
        name === undefined || name === group ? build(group, host, outcome) : [],
      ),
  };
  const program = group('kaiactl', about)
    .version(await versionText(host.argv, version), '--version')
    .addHelpText('after', footer);
  for (const [name, summary] of Object.entries(groups)) program.addCommand(group(name, summary));
  for (const one of program.commands) {
    if (host.argv.includes(one.name())) addVerbs(one, build(one.name(), host, outcome));
  }
  addPages(program, host, version);
  const printed: Promise<void>[] = [];
  prepare(program, host, printed);
  try {
    if (host.argv.length === 0) program.outputHelp();
    else await program.parseAsync(withoutHelpWord(host.argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    outcome.code = error.exitCode === 0 ? exit.ok : exit.usage;
  }
  await Promise.all(printed);
  return outcome.code;
}

/** `kaiactl 0.1.0`; with -v also the releases of nodes that it knows, which take time to load. */
async function versionText(argv: readonly string[], version: string): Promise<string> {
  const name = `kaiactl ${version}`;
  if (!argv.includes('--version') || !argv.some((word) => word === '-v' || word === '--verbose')) return name;
  const { knownReleases } = await import('../node/commands/known-releases.js');
  return `${name}\n${knownReleases()}`;
}

/** Adds `completion`, and for packaging the hidden command `man`. */
function addPages(program: CommandUnknownOpts, host: Host, version: string): void {
  const whole = async () => {
    const { outline } = await import('./outline.js');
    const { ruleNames } = await import('../node/commands/rule-named.js');
    const { policies } = await import('../node/kinds/index.js');
    return outline(declared(program, host), { rules: ruleNames, policies: Object.keys(policies) });
  };
  program.addCommand(
    new Command('completion')
      .summary('print the completion script of a shell')
      .description('print the completion script of a shell')
      .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
      .addHelpText('after', completionHelp)
      .action(async (shell) => {
        const { completionScript } = await import('./completion/index.js');
        await print(host.stdout, completionScript(shell, await whole()));
      }),
  );
  program.addCommand(
    new Command('man').action(async () => {
      const { manualPage } = await import('./manual.js');
      const date = new Date(host.now()).toISOString().slice(0, 10);
      await print(host.stdout, manualPage(await whole(), version, date, about));
    }),
    { hidden: true },
  );
}

const completionHelp = `
Examples:
  $ source <(kaiactl completion bash)
  $ kaiactl completion zsh > ~/.zfunc/_kaiactl
  $ kaiactl completion fish > ~/.config/fish/completions/kaiactl.fish`;

/** The program with every verb and every option; a run declares only those it needs. */
function declared(program: CommandUnknownOpts, host: Host): CommandUnknownOpts {
  const outcome: Outcome = { code: exit.ok, verbs: () => [] };
  for (const parent of program.commands.filter((one) => one.commands.length === 0)) {
    const argv = build(parent.name(), host, outcome).map((verb) => verb.name());
    addVerbs(parent, build(parent.name(), { ...host, argv }, outcome));
  }
  return program;
}

/** `help node lint` is `node lint --help`: commander's own help takes one word. */
function withoutHelpWord(words: readonly string[]): string[] {
  const [first, ...rest] = words;
  return first === 'help' && rest.length > 1 ? [...rest, '--help'] : [...words];
}

/** A command with verbs below it. Without a known verb commander prints help on stderr; the exit code is 2. */
function group(name: string, summary: string): Command {
  return new Command(name).summary(summary).description(summary);
}

function addVerbs(parent: CommandUnknownOpts, children: readonly CommandUnknownOpts[]): void {
  for (const one of children) parent.addCommand(one);
}

/** Fits a text of 80 columns to a narrower terminal: paragraphs and commands are refilled, indented lines are folded. */
function within(text: string, width: number): string {
  return (width < 80 ? text.replace(/^(\S.*)\n(?=\S)/gm, '$1 ').replace(/ \\\n +/g, ' ') : text)
    .split('\n')
    .map((line) => (line.startsWith('  $ ') ? foldCommand(line, width) : fold(line, width, restOf(line))))
    .join('\n');
}

function restOf(line: string): number {
  return /^\S/.test(line) ? 0 : line.length - line.trimStart().length + 2;
}

/** Breaks a shell command with backslashes, so that it can be pasted; quoted words stay whole. */
function foldCommand(line: string, width: number): string {
  if (line.length <= width) return line;
  const quoted = line.replace(/\x27[^\x27]*\x27/g, (word) => word.replaceAll(' ', '\u00a0'));
  return fold(quoted, width - 2, 6)
    .replaceAll('\n', ' \\\n')
    .replaceAll('\u00a0', ' ');
}

/** Without the default of a switch. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: false)', '');
}

/** Columns below which the description of an option stands below it, not beside it. */
const narrow = 60;

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  if (width >= narrow || description === '')
    return new Help().formatItem.call(helper, term, termWidth, description, helper);
  return `  ${term}\n${helper.boxWrap(description, width - 6).replace(/^/gm, '      ')}`;
}

/** Output to the host's streams, no process.exit, 80 columns unless the terminal is wider. */
function prepare(command: CommandUnknownOpts, host: Host, printed: Promise<unknown>[]): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void printed.push(print(host.stdout, within(text, widthOf(host.stdout, host)))),
    writeErr: (text) => void printed.push(print(host.stderr, text)),
    outputError: (text, write) => write(text.replace(/^error: /, 'kaiactl: ')),
    getOutHelpWidth: () => Math.min(widthOf(host.stdout, host), 100),
    getErrHelpWidth: () => Math.min(widthOf(host.stderr, host), 100),
  });
  command.configureHelp({ minWidthToWrap: 10, optionDescription, formatItem }).showSuggestionAfterError(true);
  for (const child of command.commands) prepare(child, host, printed);
}
