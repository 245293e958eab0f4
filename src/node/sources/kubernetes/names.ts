/** File names that kustomize and Helm prescribe. */
import { posix } from 'node:path';

export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/** True for the path of a kustomization, which needs no `kind`. */
export function isKustomization(path: string): boolean {
  return (kustomizationNames as readonly string[]).includes(posix.basename(path));
}
