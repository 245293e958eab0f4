/** Completion for bash. */
import type { CommandOutline, Values } from '../outline.js';
import { below, joinChoices, key, quoteForShell, reports } from './words.js';

const opening = `# bash completion for kaiactl: eval "$(kaiactl completion bash)"
# Adds each line of compgen. macOS has bash 3.2, so this is a loop.
_kaiactl_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
}
_kaiactl_list() {
  compopt -o nospace 2>/dev/null
  _kaiactl_reply -P "\${cur%"\${cur##*,}"}" -W "$1" -- "\${cur##*,}"
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
    _kaiactl_reply -f -- "$cur"
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case $path/\${COMP_WORDS[i]} in
`;

const closing = `  esac
  if [[ $cur == -* ]]; then
    _kaiactl_reply -W "$options" -- "$cur"
  elif [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    _kaiactl_reply -f -- "$cur"
  else
    _kaiactl_reply -W "$words" -- "$cur"
  fi
}
complete -F _kaiactl kaiactl
`;

export function bash(commands: readonly CommandOutline[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(key);
  const after = commands.flatMap((command) =>
    command.options
      .filter(({ values }) => values.kind !== 'none')
      .map(({ names, values }) => {
        const options = names.map((name) => `${key(command)}:${name}`);
        return `    ${options.join('|')}) ${bashValues(values)} ;;`;
      }),
  );
  const words = commands.map((command) => {
    const files = command.values.kind === 'file' ? ' files=1' : '';
    return `    ${quoteForShell(key(command))}) options=${quoteForShell(command.options.flatMap(({ names }) => names).join(' '))} words=${quoteForShell(below(command).join(' '))}${files} ;;`;
  });
  return `${opening}    ${paths.join('|')}) path+=/\${COMP_WORDS[i]} ;;
    esac
  done
  case $path:$prev in
${after.join('\n')}
  esac
  case $path in
${words.join('\n')}
${closing}`;
}

function bashValues(values: Values): string {
  const words = quoteForShell(joinChoices(values));
  const reply = {
    words: `_kaiactl_reply -W ${words} -- "$cur"; `,
    list: `_kaiactl_list ${words}; `,
    'word-or-file': `compopt -o filenames 2>/dev/null; _kaiactl_reply -f -W ${words} -- "$cur"; `,
    report: `compopt -o nospace 2>/dev/null; _kaiactl_reply -W ${quoteForShell(reports.map((name) => `${name}=`).join(' '))} -- "$cur"; `,
    file: 'compopt -o filenames 2>/dev/null; _kaiactl_reply -f -- "$cur"; ',
    any: '',
    none: '',
  }[values.kind];
  return `${reply}return`;
}
