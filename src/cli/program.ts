/** The command line: groups, verbs, usage errors. The only folder that knows commander. */
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

const about = 'What a Kaia node exposes, by its conf and by asking it; and a survey API, from both ends.';
const footer = `
Every option can also be set by KAIACTL_<OPTION> in the environment or by a
profile (--config, --profile).

Exit codes:
  0    done
  1    findings, or the answer is no
  2    wrong invocation or input
  3    something could not be seen
  4    join accepted, not yet listed
  70   a defect of kaiactl
  130  interrupted`;

const groups = {
  node: 'Kaia nodes: lint their conf, ask them what they offer',
  survey: 'the survey API: members, joins, payments, and the server',
  report: 'the reports of lint and audit',
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
    .version(`kaiactl ${version}`, '--version')
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

/** What is made from the program itself: completion, and (hidden, for packaging) the manual page. */
function addPages(program: CommandUnknownOpts, host: Host, version: string): void {
  const whole = async () => {
    const { outline } = await import('./outline.js');
    const { ruleNames } = await import('../node/commands/rule-named.js');
    const { policies } = await import('../node/kinds/index.js');
    return outline(declared(program, host), { rules: ruleNames, policies: Object.keys(policies) });
  };
  program.addCommand(
    new Command('completion')
      .summary('the completion script of a shell')
      .description('the completion script of a shell')
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

/** The program with every verb and every option, which a run declares only as far as it needs them. */
function declared(program: CommandUnknownOpts, host: Host): CommandUnknownOpts {
  const outcome: Outcome = { code: exit.ok, verbs: () => [] };
  for (const parent of program.commands.filter((one) => one.commands.length === 0)) {
    const argv = build(parent.name(), host, outcome).map((verb) => verb.name());
    addVerbs(parent, build(parent.name(), { ...host, argv }, outcome));
  }
  return program;
}

/** `help node lint` is `node lint --help`: commander's own help knows one word only. */
function withoutHelpWord(words: readonly string[]): string[] {
  const [first, ...rest] = words;
  return first === 'help' && rest.length > 1 ? [...rest, '--help'] : [...words];
}

/** A word with verbs below it; without a known verb commander shows help on stderr and we end with 2. */
function group(name: string, summary: string): Command {
  return new Command(name).summary(summary).description(summary);
}

function addVerbs(parent: CommandUnknownOpts, children: readonly CommandUnknownOpts[]): void {
  for (const one of children) parent.addCommand(one);
}

/** Texts are written for 80 columns; in fewer, paragraphs are set anew, and lines that are laid out go on below. */
function within(text: string, width: number): string {
  return (width < 80 ? text.replace(/^(\S.*)\n(?=\S)/gm, '$1 ') : text)
    .split('\n')
    .map((line) => fold(line, width, /^\S/.test(line) ? 0 : line.length - line.trimStart().length + 2))
    .join('\n');
}

/** That a switch is off until it is given goes without saying. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: false)', '');
}

/** Terminals below this width get what an option does below it, not beside it. */
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
