/** The conf of a launcher that is started on a machine, outside of containers. */
import { dirname } from 'node:path';
import type { ReleaseRange } from '../../facts/release.js';
import type { MissingFile } from '../../facts/settings.js';
import { isScripted } from '../../kinds/find.js';
import type { ScriptedKind } from '../../kinds/kind.js';
import type { Files, Unread } from '../launch/files.js';
import type { ConfBase } from '../launch/launch.js';
import { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import type { ScriptStart, WrittenConf } from './followed.js';
import { releasesBeside } from './launcher-script.js';
import { fileAt, pathIn } from './paths.js';

/** The folder that the paths of places start at. */
const here = new LineIndex('', '');

interface Base {
  readonly base: ConfBase;
  readonly lines: readonly Placed[];
  /** The conf of a base `unknown`. */
  readonly missing?: MissingFile;
  /** The releases of the launcher beside the conf. */
  readonly script?: ReleaseRange | null;
}

/**
 * The lines of the conf and what they are appended to. A conf that is not among the files is missing, unless the scripts
 * name the folder of the official image.
 */
export function installedConf(
  start: ScriptStart,
  written: Pick<WrittenConf, 'base' | 'lines'> | undefined,
  scripts: readonly Placed[],
  open: (path: string) => Placed | Unread | null,
  files: Pick<Files, 'peek'>,
): Base {
  const { kind, launcher, at } = start;
  if (written?.base === 'none' || !isScripted(kind)) return written ?? { base: 'none', lines: [] };
  const lines = written?.lines ?? [];
  const paths = pathsOf(kind, start);
  for (const path of paths) {
    const conf = open(path);
    if (conf === null || 'problem' in conf) continue;
    const script = releasesBeside([kind], conf.span().file, (path) => files.peek(path, here));
    return { base: 'none', lines: [conf, at.as('\n'), ...lines], script };
  }
  if (isInImage(kind, launcher, [at, ...scripts])) return { base: 'packaged', lines };
  const [name = `${launcher}.conf`] = paths;
  const script = releasesBeside([kind], name, (path) => files.peek(path, new LineIndex(at.span().file, '')));
  const reason = `${name}, which ${launcher} reads, is not among the files`;
  return { base: 'unknown', lines, missing: { name, decides: 'settings', reason }, script };
}

/** Where the launcher looks: beside its folder `bin`, and where the RPM installs it. */
function pathsOf({ launchers }: ScriptedKind, { launcher, program = '', folder = '' }: ScriptStart) {
  const path = pathIn(folder, program);
  const above = program.includes('/') && !path.startsWith('/usr/') ? /^(.*\/)?bin\/[^/]*$/.exec(path) : null;
  const beside = above === null ? null : fileAt(`${above[1] ?? ''}conf/${launcher}.conf`);
  const installed = launchers.installedConfs.filter((one) => one.endsWith(`/${launcher}.conf`));
  return beside === null ? installed : [beside, ...installed];
}

function isInImage({ launchers }: ScriptedKind, launcher: string, scripts: readonly Placed[]): boolean {
  const folders = launchers
    .confsInImage(launcher)
    .filter((path) => !launchers.installedConfs.includes(path))
    .map((path) => `${dirname(dirname(path))}/`);
  return scripts.some(({ text }) => folders.some((folder) => text.includes(folder)));
}
