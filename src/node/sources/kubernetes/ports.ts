/** Ports of containers and Services. */
import { type Tree, textAt } from '../yaml/tree.js';

/** The number of a container's port; null if it has none of this name. */
export function portNamed(container: Tree, name: string): number | null {
  const port = container.get('ports')?.items.find((one) => textAt(one, 'name') === name);
  return numberOf(port?.get('containerPort') ?? null);
}

export function numberOf(tree: Tree | null): number | null {
  const text = tree?.text?.text ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
