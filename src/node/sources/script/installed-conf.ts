/** The conf of a launcher that is started on a machine, outside of containers. */
import { dirname, join } from 'node:path';
import type { MissingFile } from '../../facts/settings.js';
import { isScripted } from '../../kinds/find.js';
import type { ScriptedKind } from '../../kinds/kind.js';
import type { Scope } from '../launch/files.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import type { ScriptStart, WrittenConf } from './follow.js';

interface Base {
  readonly base: 'packaged' | 'unknown' | 'none';
  readonly lines: readonly Placed[];
  /** The conf of a base `unknown`. */
  readonly missing?: MissingFile;
}

/**
 * The lines of the conf and what they are appended to. A conf that is not among the files is missing, unless the scripts
 * name the folder of the official image.
 */
export function installedConf(
  { kind, launcher, at }: ScriptStart,
  written: Pick<WrittenConf, 'base' | 'lines'> | undefined,
  scripts: readonly Placed[],
  files: Scope,
): Base {
  if (written?.base === 'none' || !isScripted(kind)) return written ?? { base: 'none', lines: [] };
  const lines = written?.lines ?? [];
  const paths = pathsOf(kind, launcher, at.text);
  const from = new LineIndex(at.span().file, '');
  for (const path of paths) {
    const conf = files.read(path, from, 'conf');
    if (!('problem' in conf)) return { base: 'none', lines: [Placed.at(conf), at.as('\n'), ...lines] };
  }
  if (isInImage(kind, launcher, [at, ...scripts])) return { base: 'packaged', lines };
  const [name = `${launcher}.conf`] = paths;
  const reason = `${name}, which ${launcher} reads, is not among the files`;
  return { base: 'unknown', lines, missing: { name, decides: 'settings', reason } };
}

/** Where the launcher looks: beside its folder `bin`, and where the RPM installs it. */
function pathsOf({ launchers }: ScriptedKind, launcher: string, command: string): string[] {
  const program = new RegExp(`(?:^|[\\s'"=])((?!/usr/)/[\\w./-]*/bin)/${launcher}(?![\\w.-])`).exec(
    command,
  )?.[1];
  const installed = launchers.installedConfs.filter((path) => path.endsWith(`/${launcher}.conf`));
  return program === undefined
    ? installed
    : [join(dirname(program), 'conf', `${launcher}.conf`), ...installed];
}

function isInImage({ launchers }: ScriptedKind, launcher: string, scripts: readonly Placed[]): boolean {
  const folders = launchers
    .confsInImage(launcher)
    .filter((path) => !launchers.installedConfs.includes(path))
    .map((path) => `${dirname(dirname(path))}/`);
  return scripts.some(({ text }) => folders.some((folder) => text.includes(folder)));
}
