/** The command line: groups, verbs, usage errors. */
import { Argument, Command, CommanderError, type CommandUnknownOpts } from 'commander';
import { type ExitCode, exit, KaiactlError } from '../errors.js';
import { type Host, print } from '../host.js';
import { closest } from '../util/closest.js';
import { visible } from '../util/visible.js';
import { configVerbs } from './config.js';
import { prepareHelp } from './help.js';
import { nodeVerbs } from './node.js';
import { reportVerbs } from './report.js';
import { surveyVerbs } from './survey.js';
import type { BuildVerb, Outcome } from './verb.js';

const about =
  'Audit what a Kaia or geth-family node exposes, by its settings and by its answers; use and serve a survey API.';
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
  node: 'lint, audit and simulate Kaia and geth-family nodes',
  survey: 'use and serve the survey API: members, joins, payments',
  report: 'convert, merge and compare reports',
  config: 'show the settings in effect',
} as const;
const verbs: Readonly<Record<string, Readonly<Record<string, BuildVerb>>>> = {
  node: nodeVerbs,
  survey: surveyVerbs,
  report: reportVerbs,
  config: configVerbs,
};

/** The commands of a group's verbs, for one run. */
function build(group: string, host: Host, outcome: Outcome): CommandUnknownOpts[] {
  return Object.entries(verbs[group] ?? {}).map(([name, verb]) => verb(name, host, outcome, group));
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
    .version(await versionText(host.argv, version), '-V, --version')
    .addHelpText('after', footer);
  // Help, completion and the hint for a misspelt command need all commands, any other run the one that it asks for.
  const words = withoutHelpWord(host.argv);
  const [first = '', second = ''] = words;
  const known = verbs[first] ?? {};
  const asked = Object.hasOwn(known, second) ? known[second] : undefined;
  for (const [name, summary] of Object.entries(groups)) {
    if (asked !== undefined && name !== first) continue;
    const parent = group(name, summary);
    if (asked !== undefined) parent.addCommand(asked(second, host, outcome, name));
    else for (const verb of build(name, host, outcome)) parent.addCommand(verb);
    program.addCommand(parent);
  }
  if (asked === undefined) addPages(program, host, version);
  const printed: Promise<void>[] = [];
  prepareHelp(program, host, printed);
  try {
    if (words.length === 0) program.outputHelp();
    else {
      checkCommand(program, words);
      await program.parseAsync(words, { from: 'user' });
    }
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
  const has = (...words: readonly string[]) => argv.some((word) => words.includes(word));
  if (!has('--version', '-V') || !has('-v', '--verbose')) return name;
  const { knownReleases } = await import('../node/commands/explain.js');
  return `${name}\n${knownReleases()}`;
}

/** Adds `completion`, and for packaging the hidden command `man`. */
function addPages(program: CommandUnknownOpts, host: Host, version: string): void {
  const whole = async () => {
    const { outline } = await import('./outline.js');
    const { ruleNames } = await import('../node/commands/rule-named.js');
    const { policies } = await import('../node/kinds/policies.js');
    return outline(program, { rules: ruleNames, policies: Object.keys(policies) });
  };
  program.addCommand(
    new Command('completion')
      .summary('print the completion script of a shell')
      .description('print the completion script of a shell')
      .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
      .addHelpText('after', completionHelp)
      .action(async (shell) => {
        const { completions } = await import('./completion/index.js');
        await print(host.stdout, completions[shell](await whole()));
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
  $ eval "$(kaiactl completion bash)"
  $ kaiactl completion zsh > ~/.zfunc/_kaiactl
  $ kaiactl completion fish > ~/.config/fish/completions/kaiactl.fish`;

/** `help node lint` is `node lint --help`: commander's own help takes one word. `help help` is `--help`. */
function withoutHelpWord(words: readonly string[]): string[] {
  const [first, ...rest] = words;
  if (first !== 'help' || rest.length === 0) return [...words];
  return [...rest.filter((word) => word !== 'help'), '--help'];
}

/**
 * Commander answers an unknown command with help where --help follows, and does not look below a group.
 * @throws {KaiactlError} on a word that is no command, with the command that was probably meant (exit 2)
 */
function checkCommand(program: CommandUnknownOpts, words: readonly string[]): void {
  const path: string[] = [];
  let at = program;
  for (const word of words) {
    if (word.startsWith('-') || word === 'help') return;
    const child = at.commands.find((one) => one.name() === word);
    if (child === undefined) {
      if (at !== program && at.commands.length === 0) return;
      const paths = [
        ...at.commands.map((one) => [...path, one.name()]),
        ...at.commands.flatMap((one) => wordsBelow(one).map((next) => [...path, one.name(), next])),
      ];
      const near = closest(
        word,
        paths.map((one) => one.at(-1) as string),
      );
      const meant = guessed(path, word) ?? paths.find((one) => one.at(-1) === near)?.join(' ');
      throw new KaiactlError(`unknown command '${visible([...path, word].join(' '), 80)}'`, {
        hint: meant === undefined ? 'kaiactl --help lists the commands.' : `Did you mean kaiactl ${meant}?`,
      });
    }
    path.push(word);
    at = child;
  }
}

/** The verbs of a group, or the first words that a verb takes. */
function wordsBelow({ commands, registeredArguments: [argument] }: CommandUnknownOpts): readonly string[] {
  return commands.length > 0 ? commands.map((verb) => verb.name()) : (argument?.argChoices ?? []);
}

/** The command that an address, a file or `version` in place of a command asks for; null if there is none. */
function guessed(path: readonly string[], word: string): string | null {
  if (word === 'version') return '--version';
  if (path.length > 1 || (path.length === 1 && path[0] !== 'node')) return null;
  if (/^(?:https?|wss?|ipc):|^[\w.-]+:\d+$/i.test(word)) return `node audit ${visible(word, 80)}`;
  return /[./]/.test(word) ? `node lint ${visible(word, 80)}` : null;
}

/** A command with verbs below it. Without a known verb commander prints help on stderr; the exit code is 2. */
function group(name: string, summary: string): Command {
  return new Command(name).summary(summary).description(summary).enablePositionalOptions();
}
