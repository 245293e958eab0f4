/** The severity of access lists that are too wide. */

import { linesIn } from '../../facts/settings.js';
import { mostSevere, type Severity } from '../../facts/severity.js';
import { moduleImpact, type OfferedOn } from '../../kinds/impact.js';
import type { Node, NodeSettings } from '../../kinds/node.js';

/** Where browsers become a way in: at least medium, or the severity of the most dangerous module offered; null: not known. */
export function accessSeverity(node: Node, modules: readonly string[] | null, on: OfferedOn): Severity {
  return mostSevere(['medium', ...(modules ?? []).map((name) => moduleImpact(node, name, on).severity)]);
}

/** True if the settings unlock an account. */
export function unlocksAccount({ values, nodeKind }: Pick<NodeSettings, 'values' | 'nodeKind'>): boolean {
  const { value = null } = values[nodeKind.flags.unlock ?? ''] ?? {};
  return value !== null && value !== '';
}

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
