/** Settings as rules speak of them: what decides one, where it stands, what to write instead. */

import type { Origin, Settings, SourceKind } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
/** Where an origin stands in the file; null when it stands nowhere in it. */
export function originPlace(origin: Origin): Span | null {
  switch (origin.kind) {
    case 'assignment':
    case 'flag':
    case 'environment':
    case 'yaml':
      return origin.at;
    case 'launcher':
    case 'packaged':
    case 'default':
      return null;
  }
}

/** Where the first of these flags that are in force stands, or else the key that keeps it off; else the start. */
export function placeOf(settings: Settings, ...flags: readonly string[]): Span {
  for (const flag of flags) {
    const setting = settings.values[flag];
    const at = setting === undefined ? null : originPlace(setting.origin);
    if (at !== null) return at;
  }
  for (const flag of flags) {
    const at = settings.keys[flag]?.at ?? null;
    if (at !== null) return at;
  }
  return fileStart(settings);
}

/** The place where nothing in particular stands: the file itself. */
export function fileStart({ source, at }: Settings): Span {
  return at ?? { file: source.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

/** True when a place lies inside another. */
export function inside(inner: Span, outer: Span): boolean {
  const after = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const before =
    inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return inner.file === outer.file && after && before;
}

/** What the reader calls a setting: the variable it comes from, else the flag. */
export function nameOf(settings: Settings, flag: string): string {
  const origin = settings.values[flag]?.origin;
  if (origin !== undefined && 'variable' in origin) return origin.variable;
  return `--${flag}`;
}

/** Where a setting comes from; under words nobody knows, where the value they may hide comes from. */
export function originOf({ values }: Settings, flag: string): Origin {
  const setting = values[flag];
  const hidden = setting?.indeterminate != null && setting.origin.kind === 'flag';
  const { shadowed = [] } = setting ?? {};
  const below = shadowed.find(({ value }) => value !== null) ?? shadowed[0];
  return (hidden ? below?.origin : setting?.origin) ?? { kind: 'default' };
}

/** A flag as people write it. */
export function dashed(flag: string): string {
  return flag.startsWith('-') ? flag : `--${flag}`;
}

/** Where the words stand that start a node. */
const among: Readonly<Record<SourceKind, string>> = {
  conf: 'in ADDITIONAL',
  'command line': 'on the command line',
  process: 'on the command line',
  compose: 'in the service’s command',
  kubernetes: 'in the container’s command',
  dockerfile: 'in the image’s command',
  systemd: 'in ExecStart',
  script: 'in the script',
  environment: 'on the command line',
  yaml: 'on the command line',
};

/** Where a value comes from, as the subject of a sentence. */
export function whence({ source }: Pick<Settings, 'source'>, origin: Origin): string {
  switch (origin.kind) {
    case 'assignment':
      return origin.variable;
    case 'flag':
      return `${dashed(origin.flag)} ${origin.on === undefined ? 'in ADDITIONAL' : among[source.kind]}`;
    case 'environment':
      return `${origin.variable} in the environment`;
    case 'launcher':
      return `the launcher’s own ${dashed(origin.flag)}`;
    case 'yaml':
      return origin.path;
    case 'packaged':
      return `${origin.variable} of the packaged conf`;
    case 'default':
      return 'the default';
  }
}
