/** File names that kustomize and Helm prescribe. */
import { posix } from 'node:path';

export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/** Whether the path is that of a kustomization, which needs no `kind`. */
export function isKustomization(path: string): boolean {
  return (kustomizationNames as readonly string[]).includes(posix.basename(path));
}

/** What `helm template` calls the release. */
export const release = { Name: 'release-name', Namespace: 'default', Service: 'Helm' };

/** The folder of a chart's templates; null if the file is not in a folder of this name. */
export function templatesFolder(path: string): string | null {
  const parts = path.split('/');
  const at = parts.lastIndexOf('templates', parts.length - 2);
  return at < 0 ? null : parts.slice(0, at + 1).join('/');
}
