/** The severity of access lists that are too wide. */

import { linesIn } from '../../facts/settings.js';
import { mostSevere, type Severity } from '../../facts/severity.js';
import { moduleImpact, type OfferedOn } from '../../kinds/impact.js';
import type { Node, NodeSettings } from '../../kinds/node.js';

/** Where browsers become a way in: at least medium, or the severity of the most dangerous module offered; null if it is not known. */
export function accessSeverity(node: Node, modules: readonly string[] | null, on: OfferedOn): Severity {
  return mostSevere(['medium', ...(modules ?? []).map((name) => moduleImpact(node, name, on).severity)]);
}

/** Whether the settings unlock an account. */
export function unlocksAccount({ values, nodeKind }: Pick<NodeSettings, 'values' | 'nodeKind'>): boolean {
  const { value = null } = values[nodeKind.flags.unlock ?? ''] ?? {};
  return value !== null && value !== '';
}

/** Who can have the secret of the engine API, by a file or a line of the start that holds it; null if it is not known to be seen. */
export function engineSecret({ source, secretFiles = [], nodeKind }: NodeSettings): EngineSecret | null {
  const lines = [source.path, ...Object.keys(source.others ?? {})].flatMap((file) => linesIn(source, file));
  const words = lines.flatMap(
    (line) => line.slice(0, 64_000).match(/(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/gi) ?? [],
  );
  const isPrinted =
    secretFiles.some((one) => one.isPublic === true) ||
    words.some((word) => nodeKind.secrets.some((one) => one.isPublic?.(word) === true));
  if (isPrinted)
    return {
      severity: 'critical',
      says: 'and public repositories print the secret of its tokens',
      evidence: 'public',
    };
  const tracked = secretFiles.find((one) => one.opens === 'authrpc' && one.isTracked === true);
  if (tracked === undefined) return null;
  const says = `and the secret of its tokens is in this repository (${tracked.path})`;
  return tracked.isPublished === true
    ? { severity: 'critical', says: `${says}, which is public`, evidence: 'published' }
    : { severity: 'high', says, evidence: 'tracked' };
}

interface EngineSecret {
  /** Of the engine API at any address. */
  readonly severity: Severity;
  /** A clause about the engine API. */
  readonly says: string;
  readonly evidence: 'public' | 'published' | 'tracked';
}
