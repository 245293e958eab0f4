/** What is known of a module on a node of a kind. */
import { type CommonModule, commonModules } from './common-modules.js';
import { canonicalModule, moduleSeverity, modules } from './kaia/modules.js';
import type { NodeKind } from './kaia/names.js';

/** True for kaia; a node whose kind is not known is judged as any node. */
export function isKaia({ kind = 'kaia' }: Pick<NodeKind, 'kind'>): boolean {
  return kind === 'kaia';
}

/** What offering a module to any address amounts to on this node; null: no such module is known. */
export function moduleOn(node: NodeKind, name: string): CommonModule | null {
  if (!isKaia(node)) return ownValue(commonModules, name);
  const known = ownValue(modules, canonicalModule(name));
  return known === null ? null : { ...known, severity: moduleSeverity(canonicalModule(name), node) };
}

function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
