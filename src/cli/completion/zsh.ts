/** Completion for zsh. */
import type { CommandOutline, OptionOutline, Values } from '../outline.js';
import { joinChoices, key, quoteForShell, reports } from './words.js';

const helpers = `_kaiactl_reports() {
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
`;

export function zsh(commands: readonly CommandOutline[]): string {
  const blocks = commands.map((command) => {
    const specs = command.options.map(zshOption);
    const rest = zshRest(command);
    return `  (${quoteForShell(key(command))})\n    _arguments -S ${[...specs, ...rest.map(literal)].join(' \\\n      ')} ;;`;
  });
  const lists = commands
    .filter(({ children }) => children.length > 0)
    .map((command) => {
      const items = command.children.map(({ name, summary }) =>
        literal(`${name}:${summary.replaceAll(':', '\\:')}`),
      );
      return `  (${quoteForShell(key(command))}) list=(${items.join(' ')}); _describe command list ;;`;
    });
  const below = commands.filter(({ path }) => path.length > 0).map(key);
  return `#compdef kaiactl
# zsh completion for kaiactl: kaiactl completion zsh > "\${fpath[1]}/_kaiactl", or source it after compinit
${helpers}_kaiactl_commands() {
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

/** `'(-v --verbose)'{-v,--verbose}'[show more detail]'`: the names of an option exclude each other. */
function zshOption({ names, description, values }: OptionOutline): string {
  const repeat = values.kind === 'report' || values.kind === 'list' ? '*' : '';
  const text = `[${description.replace(/[[\]\\]/g, '\\$&')}]${zshValues(values)}`;
  const [first = '', ...others] = names.map((name) =>
    values.kind !== 'none' && name.startsWith('--') ? `${name}=` : name,
  );
  return others.length === 0
    ? literal(`${repeat}${first}${text}`)
    : `${literal(`(${names.join(' ')})${repeat}`)}{${[first, ...others].join(',')}}${literal(text)}`;
}

function zshValues(values: Values): string {
  const words = joinChoices(values);
  return {
    words: `:value:(${words})`,
    list: `:values:{_kaiactl_list "${words}"}`,
    'word-or-file': `:value:{_kaiactl_word_or_file "${words}"}`,
    report: ':report:_kaiactl_reports',
    file: ':file:_files',
    any: ':value: ',
    none: '',
  }[values.kind];
}

function zshRest({ children, values }: CommandOutline): string[] {
  if (children.length > 0) return ['1:command:_kaiactl_commands'];
  return values.kind === 'none' ? [] : [`*${zshValues(values)}`];
}

/** In single quotes. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
