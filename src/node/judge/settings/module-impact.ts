/** What modules let their callers do. */
import type { Listener } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { hasUnsafeDebug, moduleOn, type Node } from '../../kinds/node.js';

/** gRPC serves only the Public part of a namespace; for admin: peers, nodeInfo and datadir. */
const publicPart: Readonly<Record<string, string>> = {
  admin: 'read the node’s peers, addresses and folders',
};

/** The severity for any address, and what callers can do, as a clause after "can". */
export function moduleImpact(
  node: Node,
  kind: Listener['kind'],
  name: string,
): { readonly severity: Severity; readonly does: string } {
  const narrow = kind === 'grpc' ? publicPart[name] : undefined;
  if (narrow !== undefined) return { severity: 'low', does: narrow };
  const { severity, does } = moduleOn(node, name) ?? { severity: 'info', does: '' };
  return { severity, does };
}

/** A test for modules that should stay private on this node. */
export function isPrivateOn(node: Node): (name: string) => boolean {
  return (name) => moduleOn(node, name)?.privileged === true;
}

/** The modules that should stay private, without debug on kinds of node with its switch: unsafe-debug reports it. */
export function privilegedOf(node: Node, names: readonly string[]): string[] {
  return names.filter(
    (name) => !(name === 'debug' && hasUnsafeDebug(node)) && moduleOn(node, name)?.privileged === true,
  );
}

/** Unknown modules on an unknown kind of node; unknown-module reports those of known kinds. */
export function unknownModules(node: Node, names: readonly string[]): string[] {
  return node.nodeKind !== null ? [] : names.filter((name) => moduleOn(node, name) === null);
}
