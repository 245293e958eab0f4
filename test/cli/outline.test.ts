/** The command line as data, and the manual page made from it. */
import { Argument, Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { completions } from '../../src/cli/completion/index.js';
import { manualPage } from '../../src/cli/manual.js';
import { outline } from '../../src/cli/outline.js';

const known = { rules: ['public-bind', 'open-socket'], policies: ['validator'] };

/** A program with a group of two verbs, and a hidden command. */
function program(): Command {
  const common = <A extends unknown[]>(command: Command<A>) =>
    command.option('--config <file>', 'settings file');
  const look = common(new Command('look').summary('look at .it - now').argument('[paths...]'))
    .addOption(
      new Option('-f, --format <name>', 'what stdout carries').choices(['text', 'json']).default('text'),
    )
    .option('--only <rules>', 'ask these rules only')
    .option('--policy <name>', 'what nodes may offer')
    .option('--report <format=file>', 'also write a report:')
    .option('--level <n>', 'the level (default: 3)', '3')
    .option('--note [text]', 'any “text”')
    .option('-q, --quiet', 'no notes', false)
    .addHelpText('after', '\nExamples:\n\n  $ tool node look\n');
  const ask = common(new Command('ask').summary('ask a node')).argument('<rule>').argument('[file]');
  return new Command('tool')
    .description('A tool.')
    .addCommand(new Command('node').summary('about nodes').addCommand(look).addCommand(ask))
    .addCommand(
      new Command('shell').summary('a script').addArgument(new Argument('<name>').choices(['bash', 'zsh'])),
    )
    .addCommand(new Command('man'), { hidden: true })
    .addHelpText('after', '\nExit codes:\n  0  done\n');
}

test('the outline lists commands in order and leaves out hidden commands', () => {
  const all = outline(program(), known);
  expect(all.map(({ path, summary, usage }) => [path.join(' '), summary, usage])).toEqual([
    ['', 'A tool.', ''],
    ['node', 'about nodes', ''],
    ['node look', 'look at .it - now', '[paths...]'],
    ['node ask', 'ask a node', '<rule> [file]'],
    ['shell', 'a script', '<name>'],
  ]);
  expect(all.map(({ children }) => children.map(({ name }) => name))).toEqual([
    ['node', 'shell'],
    ['look', 'ask'],
    [],
    [],
    [],
  ]);
  expect(all.map(({ after }) => after)).toEqual([
    'Exit codes:\n  0  done',
    '',
    'Examples:\n\n  $ tool node look',
    '',
    '',
  ]);
});

test('the outline knows the values of arguments and options', () => {
  const all = outline(program(), known);
  expect(all.map(({ values }) => values)).toEqual([
    { kind: 'none' },
    { kind: 'none' },
    { kind: 'file' },
    { kind: 'words', words: known.rules },
    { kind: 'words', words: ['bash', 'zsh'] },
  ]);
  const look = all.find(({ path }) => path.at(-1) === 'look');
  expect(look?.options.map(({ names, values, default: value }) => [names.join(), values, value])).toEqual([
    ['--config', { kind: 'file' }, null],
    ['-f,--format', { kind: 'words', words: ['text', 'json'] }, 'text'],
    ['--only', { kind: 'list', words: known.rules }, null],
    ['--policy', { kind: 'word-or-file', words: known.policies }, null],
    ['--report', { kind: 'report' }, null],
    ['--level', { kind: 'any' }, '3'],
    ['--note', { kind: 'any' }, null],
    ['-q,--quiet', { kind: 'none' }, null],
    ['-h,--help', { kind: 'none' }, null],
  ]);
});

test('the manual page has common options once, the others with their verb, and escapes what man would read', () => {
  const page = manualPage(outline(program(), known), '1.2.3', '2026-02-11', 'Audit nodes.');
  const part = page.slice(page.indexOf('.SH COMMON OPTIONS'), page.indexOf('.SH EXIT STATUS'));
  expect(part).toBe(
    String.raw`.SH COMMON OPTIONS
Every command has those from \-\-config to \-\-help; others name what they have
of the rest.
.IP "\fB\-\-config <file>\fR" 8
Settings file.
.IP "\fB\-h, \-\-help\fR" 8
Display help.
.SH NODE LOOK
\fBkaiactl node look\fR [\fIoptions\fR] [paths...]:
look at .it \- now.
.IP "\fB\-f, \-\-format <name>\fR" 8
What stdout carries (text, json) Default: text.
.IP "\fB\-\-only <rules>\fR" 8
Ask these rules only.
.IP "\fB\-\-policy <name>\fR" 8
What nodes may offer.
.IP "\fB\-\-report <format=file>\fR" 8
Also write a report:
.IP "\fB\-\-level <n>\fR" 8
The level (default: 3)
.IP "\fB\-\-note [text]\fR" 8
Any \[u201C]text\[u201D].
.IP "\fB\-q, \-\-quiet\fR" 8
No notes.
.PP
.nf
Examples:
.sp
  $ tool node look
.fi
.SH NODE ASK
\fBkaiactl node ask\fR [\fIoptions\fR] <rule> [file]:
ask a node.
.SH SHELL
\fBkaiactl shell\fR [\fIoptions\fR] <name>:
a script.
.SH NOTES
.nf
Exit codes:
  0  done
.fi
`,
  );
});

test('no line of the manual page begins with a roff request or is longer than 80 bytes', () => {
  const summary = `'tis .x ${'.word '.repeat(30)}and C:\\x "quoted"`;
  const command = new Command('tool').addCommand(new Command('look').summary(summary));
  const page = manualPage(outline(command, known), '1', '2026-02-11', 'A tool');
  const lines = page.split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.filter((line) => /^\.(?!TH|SH|IP|PD|PP|B |BR|I |RI|nf|fi|sp)|^'/.test(line))).toEqual([]);
  expect(page).toContain('\\e');
  expect(page).toContain('\\(dqquoted\\(dq');
});

/** The lines of a completion script that name a command or an option. */
function script(shell: 'fish' | 'zsh'): string[] {
  const lines = completions[shell](outline(program(), known)).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => /__kaiactl_at "|contains|^\('|^'|_arguments|path\+=/.test(line));
}

test('the script for fish has a line for each command, value and option', () => {
  const at = (path: string) => `complete -c kaiactl -n '__kaiactl_at "${path}"'`;
  const help = "-s h -l help -d 'display help'";
  expect(script('fish')).toEqual([
    `if contains -- "$path/$word" '/node' '/node/look' '/node/ask' '/shell'`,
    `${at('')} -a 'node' -d 'about nodes'`,
    `${at('')} -a 'shell' -d 'a script'`,
    `${at('')} ${help}`,
    `${at('/node')} -a 'look' -d 'look at .it - now'`,
    `${at('/node')} -a 'ask' -d 'ask a node'`,
    `${at('/node')} ${help}`,
    `${at('/node/look')} -F`,
    `${at('/node/look')} -l config -d 'settings file' -rF`,
    `${at('/node/look')} -s f -l format -d 'what stdout carries' -xa 'text json'`,
    `${at('/node/look')} -l only -d 'ask these rules only' -xa '(__kaiactl_list public-bind open-socket)'`,
    `${at('/node/look')} -l policy -d 'what nodes may offer' -rFa 'validator'`,
    `${at('/node/look')} -l report -d 'also write a report:' -xa '(__kaiactl_reports)'`,
    `${at('/node/look')} -l level -d 'the level (default: 3)' -x`,
    `${at('/node/look')} -l note -d 'any “text”' -x`,
    `${at('/node/look')} -s q -l quiet -d 'no notes'`,
    `${at('/node/look')} ${help}`,
    `${at('/node/ask')} -a 'public-bind open-socket'`,
    `${at('/node/ask')} -l config -d 'settings file' -rF`,
    `${at('/node/ask')} ${help}`,
    `${at('/shell')} -a 'bash zsh'`,
    `${at('/shell')} ${help}`,
  ]);
});

test('the script for zsh describes each command and option', () => {
  const described = script('zsh').map((line) => line.replace(/ (?:\\|;;)$/, ''));
  const help = "_arguments -S '(-h --help)'{-h,--help}'[display help]'";
  const config = "_arguments -S '--config=[settings file]:file:_files'";
  const helpAfter = "'(-h --help)'{-h,--help}'[display help]'";
  expect(described).toEqual([
    "('') list=('node:about nodes' 'shell:a script'); _describe command list",
    "('/node') list=('look:look at .it - now' 'ask:ask a node'); _describe command list",
    '(/node|/node/look|/node/ask|/shell) kaiactl_path+=/$words[at]; skip=$at',
    "('')",
    help,
    "'1:command:_kaiactl_commands'",
    "('/node')",
    help,
    "'1:command:_kaiactl_commands'",
    "('/node/look')",
    config,
    "'(-f --format)'{-f,--format=}'[what stdout carries]:value:(text json)'",
    `'*--only=[ask these rules only]:values:{_kaiactl_list "public-bind open-socket"}'`,
    `'--policy=[what nodes may offer]:value:{_kaiactl_word_or_file "validator"}'`,
    "'*--report=[also write a report:]:report:_kaiactl_reports'",
    "'--level=[the level (default: 3)]:value: '",
    "'--note=[any “text”]:value: '",
    "'(-q --quiet)'{-q,--quiet}'[no notes]'",
    helpAfter,
    "'*:file:_files'",
    "('/node/ask')",
    config,
    helpAfter,
    "'*:value:(public-bind open-socket)'",
    "('/shell')",
    help,
    "'*:value:(bash zsh)'",
  ]);
});

test('the script for bash offers options and words, and values after an option', () => {
  const lines = completions.bash(outline(program(), known)).split('\n');
  const shown = lines.map((line) => line.trim()).filter((line) => /^(?:'|\/)\S*\) /.test(line));
  const words = (list: string, files = '') => `_kaiactl_reply ${files}-W '${list}' -- "$cur"`;
  const names = 'compopt -o filenames 2>/dev/null';
  const file = `${names}; _kaiactl_reply -f -- "$cur"`;
  const formats =
    'text= concise= json= ndjson= sarif= junit= github= gitlab= rdjson= checkstyle= markdown= html= csv=';
  expect(shown).toEqual(
    [
      '/node|/node/look|/node/ask|/shell) path+=/${COMP_WORDS[i]}',
      `/node/look:--config) ${file}; return`,
      `/node/look:-f|/node/look:--format) ${words('text json')}; return`,
      "/node/look:--only) _kaiactl_list 'public-bind open-socket'; return",
      `/node/look:--policy) ${names}; ${words('validator', '-f ')}; return`,
      `/node/look:--report) compopt -o nospace 2>/dev/null; ${words(formats)}; return`,
      '/node/look:--level) return',
      '/node/look:--note) return',
      `/node/ask:--config) ${file}; return`,
      "'') options='-h --help' words='node shell'",
      "'/node') options='-h --help' words='look ask'",
      "'/node/look') options='--config -f --format --only --policy --report --level --note -q --quiet -h --help' words='' files=1",
      "'/node/ask') options='--config -h --help' words='public-bind open-socket'",
      "'/shell') options='-h --help' words='bash zsh'",
    ].map((line) => `${line} ;;`),
  );
});

test('the script for bash uses nothing that bash 3.2 lacks', () => {
  const whole = completions.bash(outline(program(), known));
  expect(whole).not.toMatch(/mapfile|readarray|declare -A|local -n|\$\{\w+(?:,,|\^\^)|&>>|\|&/);
});
