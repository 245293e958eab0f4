/** Completion scripts for bash, zsh and fish, from the outline of the command line. */
import { formats } from '../node/report/index.js';
import type { CommandOutline, OptionOutline, Values } from './outline.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The script for a shell; it asks kaiactl nothing, so a key press stays fast. */
export function completionScript(shell: Shell, commands: readonly CommandOutline[]): string {
  return { bash, zsh, fish }[shell](commands);
}

const reports = Object.keys(formats);

/** `/node/lint`. */
function key({ path }: CommandOutline): string {
  return path.map((word) => `/${word}`).join('');
}

/** Single quotes mean the same in all three; fish also reads backslashes inside them. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
}

/** A verb, an option and the values that follow it. */
function valued(
  commands: readonly CommandOutline[],
): { readonly at: string; readonly option: OptionOutline }[] {
  return commands.flatMap((command) =>
    command.options
      .filter(({ values }) => values.kind !== 'none')
      .map((option) => ({ at: key(command), option })),
  );
}

function bash(commands: readonly CommandOutline[]): string {
  const below = commands.filter(({ path }) => path.length > 0).map(key);
  const after = valued(commands).map(
    ({ at, option }) =>
      `    ${option.names.map((name) => `${at}:${name}`).join('|')}) ${bashValues(option.values)} ;;`,
  );
  const words = commands.map((command) => {
    const own =
      command.values.kind === 'words' ? command.values.words : command.children.map(({ name }) => name);
    const files = command.values.kind === 'file' ? ' files=1' : '';
    return `    ${quoted(key(command))}) options=${quoted(command.options.flatMap(({ names }) => names).join(' '))} words=${quoted(own.join(' '))}${files} ;;`;
  });
  return `# bash completion for kaiactl: source <(kaiactl completion bash)
_kaiactl_list() {
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -P "\${cur%"\${cur##*,}"}" -W "$1" -- "\${cur##*,}")
}
_kaiactl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path= options= words= files= i
  local prev=\${COMP_WORDS[COMP_CWORD - 1]} left=
  COMPREPLY=()
  # bash cuts words at =: --format=json arrives as three.
  if [[ $cur == = ]]; then left=$prev cur=; elif [[ $prev == = ]]; then left=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $left == -* ]]; then
    prev=$left
  elif [[ -n $left ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case $path/\${COMP_WORDS[i]} in
    ${below.join('|')}) path+=/\${COMP_WORDS[i]} ;;
    esac
  done
  case $path:$prev in
${after.join('\n')}
  esac
  case $path in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  elif [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}
complete -F _kaiactl kaiactl
`;
}

function bashValues(values: Values): string {
  const words = (list: readonly string[]): string =>
    `mapfile -t COMPREPLY < <(compgen -W ${quoted(list.join(' '))} -- "$cur")`;
  switch (values.kind) {
    case 'words':
      return `${words(values.words)}; return`;
    case 'list':
      return `_kaiactl_list ${quoted(values.words.join(' '))}; return`;
    case 'word-or-file':
      return `compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -W ${quoted(values.words.join(' '))} -- "$cur"); return`;
    case 'report':
      return `compopt -o nospace 2>/dev/null; ${words(reports.map((name) => `${name}=`))}; return`;
    case 'file':
      return 'compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return';
    case 'any':
    case 'none':
      return 'return';
  }
}

function zsh(commands: readonly CommandOutline[]): string {
  const blocks = commands.map((command) => {
    const specs = command.options.flatMap((option) => option.names.map((name) => zshOption(name, option)));
    const rest = zshRest(command);
    return `  (${quoted(key(command))})\n    _arguments -S ${[...specs, ...rest].map(quoted).join(' \\\n      ')} ;;`;
  });
  const lists = commands
    .filter(({ children }) => children.length > 0)
    .map((command) => {
      const items = command.children.map(({ name, summary }) => quoted(`${name}:${plain(summary)}`));
      return `  (${quoted(key(command))}) list=(${items.join(' ')}); _describe command list ;;`;
    });
  const below = commands.filter(({ path }) => path.length > 0).map(key);
  return `#compdef kaiactl
# zsh completion for kaiactl: kaiactl completion zsh > "\${fpath[1]}/_kaiactl", or source it after compinit
_kaiactl_reports() {
  if compset -P '*='; then _files; else compadd -S = -- ${reports.join(' ')}; fi
}
_kaiactl_list() {
  compset -P '*,'
  compadd -S '' -- $=1
}
_kaiactl_word_or_file() {
  compadd -- $=1
  _files
}
_kaiactl_commands() {
  local -a list
  case $kaiactl_path in
${lists.join('\n')}
  esac
}
_kaiactl() {
  local kaiactl_path= word skip=1
  local -i at
  for ((at = 2; at < CURRENT; at++)); do
    case $kaiactl_path/$words[at] in
      (${below.join('|')}) kaiactl_path+=/$words[at]; skip=$at ;;
    esac
  done
  words=("\${(@)words[skip,-1]}")
  (( CURRENT -= skip - 1 ))
  case $kaiactl_path in
${blocks.join('\n')}
  esac
}
if [[ $funcstack[1] == _kaiactl ]]; then _kaiactl "$@"; else compdef _kaiactl kaiactl; fi
`;
}

function zshOption(name: string, { description, values }: OptionOutline): string {
  const repeat = values.kind === 'report' || values.kind === 'list' ? '*' : '';
  const equals = values.kind !== 'none' && name.startsWith('--') ? '=' : '';
  return `${repeat}${name}${equals}[${plain(description)}]${zshValues(values)}`;
}

function zshValues(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `:value:(${values.words.join(' ')})`;
    case 'list':
      return `:values:{_kaiactl_list "${values.words.join(' ')}"}`;
    case 'word-or-file':
      return `:value:{_kaiactl_word_or_file "${values.words.join(' ')}"}`;
    case 'report':
      return ':report:_kaiactl_reports';
    case 'file':
      return ':file:_files';
    case 'any':
      return ':value: ';
    case 'none':
      return '';
  }
}

function zshRest({ children, values }: CommandOutline): string[] {
  if (children.length > 0) return ['1:command:_kaiactl_commands'];
  return values.kind === 'none' ? [] : [`*${zshValues(values)}`];
}

/** Without what _arguments and _describe would read as theirs. */
function plain(text: string): string {
  return text
    .replace(/[[\]:\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function fish(commands: readonly CommandOutline[]): string {
  const below = commands.filter(({ path }) => path.length > 0).map((command) => quoted(key(command)));
  const lines = commands.flatMap((command) => {
    const at = `complete -c kaiactl -n ${quoted(`__kaiactl_at "${key(command)}"`)}`;
    return [
      ...(command.values.kind === 'file' ? [`${at} -F`] : []),
      ...(command.values.kind === 'words' ? [`${at} -a ${quoted(command.values.words.join(' '))}`] : []),
      ...command.children.map(({ name, summary }) => `${at} -a ${quoted(name)} -d ${quoted(summary)}`),
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
function __kaiactl_reports
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
${lines.join('\n')}
`;
}

function fishOption({ names, description, values }: OptionOutline): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return `${flags.join(' ')} -d ${quoted(description)}${fishValues(values)}`;
}

function fishValues(values: Values): string {
  switch (values.kind) {
    case 'words':
      return ` -xa ${quoted(values.words.join(' '))}`;
    case 'list':
      return ` -xa ${quoted(`(__kaiactl_list ${values.words.join(' ')})`)}`;
    case 'word-or-file':
      return ` -rFa ${quoted(values.words.join(' '))}`;
    case 'report':
      return ` -xa '(__kaiactl_reports)'`;
    case 'file':
      return ' -rF';
    case 'any':
      return ' -x';
    case 'none':
      return '';
  }
}
