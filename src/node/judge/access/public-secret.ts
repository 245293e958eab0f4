/** Whether a secret of the node is one that public repositories print. */
import { linesIn } from '../../facts/settings.js';
import type { NodeSettings } from '../../kinds/node.js';

/** True where a file or a line of the start holds such a secret. */
export function hasPublicSecret({ source, secretFiles = [], nodeKind }: NodeSettings): boolean {
  const lines = [source.path, ...Object.keys(source.others ?? {})].flatMap((file) => linesIn(source, file));
  const words = lines.flatMap(
    (line) => line.slice(0, 64_000).match(/(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/gi) ?? [],
  );
  return (
    secretFiles.some((one) => one.isPublic === true) ||
    words.some((word) => nodeKind.secrets.some((one) => one.isPublic?.(word) === true))
  );
}
