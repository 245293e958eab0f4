/** The containers of a compose file, whatever they run: what they mount, and who reaches their ports. */
import type { Scope } from '../launch/files.js';
import type { Container } from '../launch/launch.js';
import type { Mount } from '../script/mounts.js';
import type { LineIndex } from '../text/line-index.js';
import { mountsOf } from './compose.js';
import { last } from './layers.js';
import { projectsOf } from './project.js';
import { containerOf } from './reach.js';

export interface MountingContainer {
  /** '' for one that is built. */
  readonly image: string;
  readonly mounts: readonly Mount[];
  /** Null if it is on the network of the host. */
  readonly container: Container | null;
}

export function containersOf(file: LineIndex, files: Scope): MountingContainer[] {
  const { projects } = projectsOf(file, files);
  return projects.flatMap((project) =>
    project.all().flatMap((one) =>
      one.services().map((name) => {
        const own = one.files.scope();
        const layers = one.layersOf(name, own);
        const image = one.textOf(last(layers, 'image')?.node)?.text ?? '';
        return { image, mounts: mountsOf(layers, one, own), container: containerOf(name, layers, one, own) };
      }),
    ),
  );
}
