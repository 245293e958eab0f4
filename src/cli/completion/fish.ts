/** Completion for fish. */
import type { CommandOutline, OptionOutline, Values } from '../outline.js';
import { joinChoices, key, quoteForShell, reports } from './words.js';

const helpers = `function __kaiactl_reports
    set -l word (string replace -r '^--report=' '' -- (commandline -ct))
    if string match -q '*=*' -- $word
        set -l format (string split -m 1 = -- $word)[1]
        __fish_complete_path (string replace -r '^[^=]*=' '' -- $word) | string replace -r '^' "$format="
    else
        printf '%s=\\n' ${reports.join(' ')}
    end
end
function __kaiactl_list
    set -l word (string replace -r '^--[a-z]+=' '' -- (commandline -ct))
    set -l before (string replace -r '[^,]*$' '' -- $word)
    printf '%s\\n' "$before"$argv
end
complete -c kaiactl -f
`;

export function fish(commands: readonly CommandOutline[]): string {
  const below = commands.filter(({ path }) => path.length > 0).map((command) => quoteForShell(key(command)));
  const lines = commands.flatMap((command) => {
    const at = `complete -c kaiactl -n ${quoteForShell(`__kaiactl_at "${key(command)}"`)}`;
    return [
      ...(command.values.kind === 'file' ? [`${at} -F`] : []),
      ...(command.values.kind === 'words'
        ? [`${at} -a ${quoteForShell(command.values.words.join(' '))}`]
        : []),
      ...command.children.map(
        ({ name, summary }) => `${at} -a ${quoteForShell(name)} -d ${quoteForShell(summary)}`,
      ),
      ...command.options.map((option) => `${at} ${fishOption(option)}`),
    ];
  });
  return `# fish completion for kaiactl: kaiactl completion fish | source
function __kaiactl_at
    set -l path
    for word in (commandline -opc)[2..]
        if contains -- "$path/$word" ${below.join(' ')}
            set path "$path/$word"
        end
    end
    test "$path" = "$argv[1]"
end
${helpers}${lines.join('\n')}
`;
}

function fishOption({ names, description, values }: OptionOutline): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return `${flags.join(' ')} -d ${quoteForShell(description)}${fishValues(values)}`;
}

function fishValues(values: Values): string {
  const words = joinChoices(values);
  return {
    words: ` -xa ${quoteForShell(words)}`,
    list: ` -xa ${quoteForShell(`(__kaiactl_list ${words})`)}`,
    'word-or-file': ` -rFa ${quoteForShell(words)}`,
    report: ` -xa '(__kaiactl_reports)'`,
    file: ' -rF',
    any: ' -x',
    none: '',
  }[values.kind];
}
