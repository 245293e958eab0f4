/** A variable that alone is the module list of an interface. */
import { linesIn, spanOf } from '../../facts/settings.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { RpcListener } from './listeners.js';

/** A variable without a default that alone is the list: `${HTTP_API}`. `why` the list is not empty all the same; null if it is. */
export function unsetVariable(
  { values, source, nodeKind, missing = [] }: NodeSettings,
  kind: RpcListener['kind'],
): { readonly name: string; readonly why: string | null } | null {
  const setting = values[nodeKind.interfaces.flags[kind].api ?? ''];
  const at = spanOf(setting?.origin);
  if (setting?.indeterminate == null || at === null) return null;
  const lines = linesIn(source, at.file);
  const line = lines[at.line - 1] ?? '';
  const [word, name, bare = ''] =
    /^(?:["']?--?[\w.]+=)?["']?(\$(?:\{(?=\w+\}))?(\w+)\}?)["']?$/.exec(
      line.slice(at.column - 1, at.endColumn - 1),
    ) ?? [];
  // Another one is unknown where the variable holds the flag too: a whole command.
  if (name === undefined || !setting.indeterminate.startsWith(`${name} (`)) return null;
  const elsewhere = missing.find((one) => one.decides === 'variable' && one.name === bare)?.reason;
  const checked = endsWithout(lines, bare)
    ? `${name} is set elsewhere: the script ends where it is empty`
    : null;
  // Of a unit, only $NAME is split.
  const isAlone = !/(?:["'=,[]|^\s*-)\s*$/.test(line.slice(0, at.column - 1));
  const isSplit = isAlone && word === (source.kind === 'systemd' ? `$${bare}` : name);
  return { name, why: elsewhere ?? (isSplit ? setting.indeterminate : checked) };
}

/** Whether a script tests a variable, or each name of a list, and ends where it is empty. */
function endsWithout(lines: readonly string[], name: string): boolean {
  const isListed = lines.some((line) => line.trim().replace(/^(["'])(.*)\1$/, '$2') === name);
  const test = new RegExp(`-z\\s+["']?\\$\\{?(?:${name}\\b${isListed ? '|!\\w' : ''})`);
  return lines.some((line, at) => test.test(line) && /\bexit\b/.test(lines.slice(at, at + 6).join('\n')));
}
