/** The severity of a module on an interface that offers it to any address. */
import type { Listener } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { isKnown, moduleOn } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';

/** gRPC serves only the Public part of a namespace: of admin that is peers, nodeInfo and datadir. */
const publicPart: Readonly<Record<string, string>> = {
  admin: 'read the node’s peers, addresses and folders',
};

/** How severe it is, and what whoever calls it can do. */
export function meaning(
  node: NodeIdentity,
  kind: Listener['kind'],
  name: string,
): { readonly severity: Severity; readonly does: string } {
  const narrow = kind === 'grpc' ? publicPart[name] : undefined;
  if (narrow !== undefined) return { severity: 'low', does: narrow };
  const { severity, does } = moduleOn(node, name) ?? { severity: 'info', does: '' };
  return { severity, does };
}

/** Whether a known module should stay private on this node. */
export function isPrivateOn(node: NodeIdentity): (name: string) => boolean {
  return (name) => moduleOn(node, name)?.privileged === true;
}

/** Those of the modules that should stay private; debug is unsafe-debug’s where the node has that switch. */
export function privilegedOf(node: NodeIdentity, names: readonly string[]): string[] {
  return names.filter(
    (name) => !(name === 'debug' && isKnown(node)) && moduleOn(node, name)?.privileged === true,
  );
}

/** Modules of another kind of node that no table knows; those of a Kaia node are unknown-module’s. */
export function unknownModules(node: NodeIdentity, names: readonly string[]): string[] {
  return isKnown(node) ? [] : names.filter((name) => moduleOn(node, name) === null);
}
