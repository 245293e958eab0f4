/** Completion for PowerShell. */
import type { CommandOutline, Values } from '../outline.js';
import { below, key, reports, valued } from './words.js';

const opening = `# PowerShell completion for kaiactl: kaiactl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName kaiactl, kaiactl.cmd, kaiactl.ps1 -ScriptBlock {
  param($word, $ast, $cursor)
`;

/** PowerShell offers files where a completer offers nothing. */
const closing = `  $before = @($ast.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $path = ''
  foreach ($one in $before) { if ($words.ContainsKey("$path/$one")) { $path = "$path/$one" } }
  $left = [string]$word
  $prefix = ''
  $option = if ($before.Count -gt 0) { $before[-1] } else { '' }
  if ($left -match '^(--[a-z-]+)=') {
    $option = $Matches[1]
    $prefix = $Matches[0]
    $left = $left.Substring($prefix.Length)
  }
  $at = $path + ':' + $option
  if ($values.ContainsKey($at)) {
    if ($lists.Contains($at) -and $left.Contains(',')) {
      $cut = $left.LastIndexOf(',') + 1
      $prefix += $left.Substring(0, $cut)
      $left = $left.Substring($cut)
    }
    $offered = $values[$at]
  } elseif ($left.StartsWith('-')) {
    $offered = $options[$path]
  } else {
    $offered = $words[$path]
  }
  $offered.Split(' ', [StringSplitOptions]::RemoveEmptyEntries) |
    Where-Object { $_.StartsWith($left, [StringComparison]::Ordinal) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new("$prefix$_", $_, 'ParameterValue', $_) }
}
`;

/** The script for PowerShell 5.1 and later. */
export function powershell(commands: readonly CommandOutline[]): string {
  const options = valued(commands).flatMap(({ at, names, values }) =>
    names.map((name) => ({ at: `${at}:${name}`, values })),
  );
  const lists = options.filter(({ values }) => values.kind === 'list').map(({ at }) => literal(at));
  const names = (command: CommandOutline) => command.options.flatMap((option) => option.names);
  return `${opening}${[
    table(
      'words',
      commands.map((command) => [key(command), below(command)]),
    ),
    table(
      'options',
      commands.map((command) => [key(command), names(command)]),
    ),
    table(
      'values',
      options.map(({ at, values }) => [at, wordsOf(values)]),
    ),
    `  $lists = @(${lists.join(', ')})\n`,
  ].join('')}${closing}`;
}

/** A hashtable; its keys ignore case. */
function table(name: string, rows: readonly (readonly [at: string, words: readonly string[]])[]): string {
  const lines = rows.map(([at, words]) => `    ${literal(at)} = ${literal(words.join(' '))}\n`);
  return `  $${name} = @{\n${lines.join('')}  }\n`;
}

function wordsOf(values: Values): readonly string[] {
  if (values.kind === 'report') return reports.map((name) => `${name}=`);
  return 'words' in values ? values.words : [];
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
