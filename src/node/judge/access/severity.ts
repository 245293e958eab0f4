/** The severity of access lists that are too wide. */

import { linesIn } from '../../facts/settings.js';
import { mostSevere, type Severity } from '../../facts/severity.js';
import { hasUnsafeDebug, moduleOn, type Node, type NodeSettings } from '../../kinds/node.js';
import { type SwitchState, switchSeverity } from '../exposure/unsafe-debug.js';

export interface Access {
  /** Offered modules; null: not known. */
  readonly modules: readonly string[] | null;
  /** The unsafe-debug switch, for an interface that offers debug. */
  readonly unsafeDebug: SwitchState;
  /** True if an account is unlocked. */
  readonly unlocked: boolean;
  readonly kind: Node;
}

/** Where browsers become a way in: at least medium, or the severity of the most dangerous module offered. */
export function accessSeverity(access: Access): Severity {
  return mostSevere(['medium', ...(access.modules ?? []).map((name) => moduleSeverity(name, access))]);
}

function moduleSeverity(name: string, { unsafeDebug, unlocked, kind }: Access): Severity {
  if (name === 'debug' && hasUnsafeDebug(kind)) return switchSeverity[unsafeDebug];
  if (unlocked && kind.nodeKind?.modules.signing.includes(name) === true) return 'critical';
  const known = moduleOn(kind, name);
  return known?.privileged === true ? known.severity : 'low';
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
