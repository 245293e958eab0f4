/** The name, origin and place of a setting, for messages. */
import { basename } from 'node:path';
import {
  type Origin,
  type Settings,
  type SourceKind,
  type StartProblem,
  spanOf,
} from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { KindScripts } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';

/**
 * The place of the first of these flags that has one: its value, else its key, else the start of the file. Names that are null
 * are flags that the kind of node does not have.
 */
export function placeOfFlags(settings: Settings, ...names: readonly (string | null)[]): Span {
  const flags = names.filter((name) => name !== null);
  for (const flag of flags) {
    const at = spanOf(settings.values[flag]?.origin);
    if (at !== null) return at;
  }
  for (const flag of flags) {
    const at = settings.keys[flag]?.at ?? null;
    if (at !== null) return at;
  }
  return fileStart(settings);
}

/** The place of the file itself. */
export function fileStart({ source, at }: Settings): Span {
  return at ?? { file: source.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

/** Whether a place lies inside another. */
export function inside(inner: Span, outer: Span): boolean {
  const after = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const before =
    inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return inner.file === outer.file && after && before;
}

/** The variable that a setting comes from, else its flag as it is written. */
export function writtenName(settings: Settings, flag: string): string {
  const origin = settings.values[flag]?.origin;
  if (origin !== undefined && 'variable' in origin) return origin.variable;
  return `--${origin?.kind === 'flag' && origin.flag !== '' ? origin.flag : flag}`;
}

/** The variable or flag that sets it; of one that is not set, the variable that would. */
export function settingName(settings: Settings, flag: string): string {
  const given = settings.values[flag]?.origin.kind ?? 'default';
  return given === 'default' ? (settings.keys[flag]?.name ?? `--${flag}`) : writtenName(settings, flag);
}

/** The origin of a setting; if unresolved words may override it, the origin of the value below them. */
export function originOf({ values }: Settings, flag: string): Origin {
  const setting = values[flag];
  const hidden = setting?.indeterminate != null && setting.origin.kind === 'flag';
  const { shadowed = [] } = setting ?? {};
  const below = shadowed.find(({ value }) => value !== null) ?? shadowed[0];
  return (hidden ? below?.origin : setting?.origin) ?? { kind: 'default' };
}

export function addDashes(flag: string): string {
  return flag.startsWith('-') ? flag : `--${flag}`;
}

/** The variable whose words are appended to the command line; for a kind without launchers, the command line. */
export function extraFlags({ launchers }: KindScripts): string {
  return launchers?.extraFlags ?? 'the command line';
}

/** The variable that a start problem is about; null if there is none, or the variable of extra flags, where the flag says more. */
export function variableOf({ nodeKind }: NodeSettings, { variable }: StartProblem): string | null {
  return variable === nodeKind.launchers?.extraFlags ? null : variable;
}

/** The place of the command line, by kind of source; of other kinds `on the command line`. */
const commandLineOf: Readonly<Partial<Record<SourceKind, string>>> = {
  compose: 'in the service’s command',
  kubernetes: 'in the container’s command',
  dockerfile: 'in the image’s command',
  systemd: 'in the start command',
  script: 'in the script',
  'cloud-init': 'in the commands',
  ansible: 'in the tasks',
};

/** The origin of a value, as the subject of a sentence. */
export function originName(
  { source, nodeKind, called = [] }: Pick<NodeSettings, 'source' | 'nodeKind' | 'called'>,
  origin: Origin,
): string {
  switch (origin.kind) {
    case 'assignment':
      return origin.variable;
    case 'flag':
      return `${addDashes(origin.flag)} ${
        called.some(({ file, line }) => file === origin.at?.file && line === origin.at.line)
          ? 'in the call'
          : origin.on === undefined || source.kind === 'conf'
            ? `in ${extraFlags(nodeKind)}`
            : origin.at === null || origin.at.file === source.path
              ? (commandLineOf[source.kind] ?? 'on the command line')
              : `in ${basename(origin.at.file)}`
      }`;
    case 'environment':
      return `${origin.variable} in the environment`;
    case 'launcher':
      return `the launcher’s own ${addDashes(origin.flag)}`;
    case 'yaml':
    case 'toml':
      return origin.path;
    case 'packaged':
      return `${origin.variable} of the packaged conf`;
    case 'default':
      return 'the default';
  }
}
