/** How help is laid out: 80 columns, more on a wider terminal, less on a narrower one. */
import { type Argument, type CommandUnknownOpts, Help, type Option } from 'commander';
import { type Host, print } from '../host.js';
import { widthOf } from '../terminal/capabilities.js';
import { fold } from '../terminal/wrap.js';
import { suggest } from '../util/closest.js';
import { maskUrls } from '../util/mask-url.js';

/** Output to the host's streams, no process.exit, 80 columns unless the terminal is wider. */
export function prepareHelp(command: CommandUnknownOpts, host: Host, printed: Promise<unknown>[]): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void printed.push(print(host.stdout, within(text, widthOf(host.stdout, host)))),
    writeErr: (text) => void printed.push(print(host.stderr, maskUrls(text))),
    outputError: (text, write) => {
      write(`${text.replace(/^error: /, 'kaiactl: ')}${nextStep(command, text, host)}`);
    },
    getOutHelpWidth: () => Math.min(widthOf(host.stdout, host), 100),
    getErrHelpWidth: () => Math.min(widthOf(host.stderr, host), 100),
  });
  command
    .configureHelp({ minWidthToWrap: 10, optionDescription, subcommandTerm, formatItem })
    .showSuggestionAfterError(false);
  for (const child of command.commands) prepareHelp(child, host, printed);
}

/** Options of other tools, and what there is for them: the last option or argument, behind a verb that has it. */
const guesses: readonly (readonly [RegExp, advice: string, option?: string])[] = [
  [
    /option '--(json|ndjson|sarif|junit|github|gitlab|html|csv|markdown)\b/,
    'Write --format NAME.',
    '--format',
  ],
  [/option '(?:-o|--out(?:put)?)\b/, 'Write --format json > FILE, or --report json=FILE.', '--report'],
  [/option '(?:-o|--out(?:put)?)\b/, 'Leave the option out: the file is an argument.', '<file>'],
  [/option '(?:-o|--out(?:put)?)\b/, 'Write > FILE behind the command.'],
  [
    /option '--(id-token|key|private-key|manager-key|password|signature)'/,
    'Secrets come from files (options that end in -file) and from the environment.',
  ],
  [/option '(-V|--version)'/, 'kaiactl --version prints the version.'],
  [/option '-v'/, 'kaiactl --version prints the version; -v follows a command: kaiactl node lint -v.'],
];

/** What to do about an error of commander that does not say it. */
function nextStep(command: CommandUnknownOpts, error: string, { argv }: Host): string {
  const names: string[] = [];
  for (let at: CommandUnknownOpts | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const path = names.join(' ');
  const isGroup = command.commands.length > 0;
  const own = [
    ...command.options.flatMap(({ long }) => long ?? []),
    ...command.registeredArguments.map((one) => `<${one.name()}>`),
  ];
  const has = (name?: string) => name === undefined || own.includes(name);
  const guess = guesses.find(([form, , option]) => form.test(error) && (isGroup || has(option)));
  if (guess !== undefined) {
    const [form, advice, option] = guess;
    const told = advice.replace('NAME', form.exec(error)?.[1] ?? '');
    return `  ${isGroup && option !== undefined ? told.replace(/\.$/, ' behind the command.') : told}\n`;
  }
  const program = argv[argv.includes('--command-line') ? argv.indexOf('--command-line') + 1 : 2] ?? '';
  const isLine = command.options.some(({ long }) => long === '--command-line') && /^\w[\w-]*$/.test(program);
  if (isLine && error.startsWith('error: unknown option'))
    return `  A node’s own words are one argument: ${path} --command-line '${program} …'\n`;
  const [, unknown] = /^error: unknown option '(.*)'/.exec(error) ?? [];
  const inGroup = 'Options follow the command: kaiactl node lint --quiet.';
  if (unknown !== undefined)
    return `  ${suggest(unknown, own, isGroup ? inGroup : `${path} --help lists the options.`)}\n`;
  if (!error.startsWith('error: missing required argument')) return '';
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const listed = choices.length === 0 ? '' : `  One of: ${choices.join(', ')}.\n`;
  return `  Write: ${path} ${command.usage()}\n${listed}  ${path} --help has examples.\n`;
}

/** Fits a text of 80 columns to a narrower terminal: paragraphs and commands are refilled, indented lines are folded. */
function within(text: string, width: number): string {
  return (width < 80 ? text.replace(/^(\S.*)\n(?=\S)/gm, '$1 ').replace(/ \\\n +/g, ' ') : text)
    .split('\n')
    .map((line) => {
      if (line.startsWith('  $ ')) return foldCommand(line, width);
      return fold(line, width, /^\S/.test(line) ? 0 : line.length - line.trimStart().length + 2);
    })
    .join('\n');
}

/** Breaks a shell command with backslashes, so that it can be pasted; quoted words stay whole. */
function foldCommand(line: string, width: number): string {
  if (line.length <= width) return line;
  const quoted = line.replace(/\x27[^\x27]*\x27/g, (word) => word.replaceAll(' ', '\u00a0'));
  return fold(quoted, width - 2, 6)
    .replaceAll('\n', ' \\\n')
    .replaceAll('\u00a0', ' ');
}

/** Without the words for options, which every verb has. */
function subcommandTerm(command: CommandUnknownOpts): string {
  return [command.name(), ...command.registeredArguments.map(argumentName)].join(' ');
}

/** `<file>`, `[paths...]`. */
export function argumentName(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
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
