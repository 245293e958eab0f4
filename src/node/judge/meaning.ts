/** What a module is worth on an interface that offers it to any address. */
import type { Listener } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { moduleSeverity, modules } from '../kinds/kaia/modules.js';
import type { NodeKind } from '../kinds/kaia/names.js';

/** gRPC serves only the Public part of a namespace: of admin that is peers, nodeInfo and datadir. */
const publicPart: Readonly<Record<string, string>> = {
  admin: 'read the node’s peers, addresses and folders',
};

/** How severe it is, and what whoever calls it can do. */
export function meaning(
  node: NodeKind,
  kind: Listener['kind'],
  name: string,
): { readonly severity: Severity; readonly does: string } {
  const narrow = kind === 'grpc' ? publicPart[name] : undefined;
  return narrow === undefined
    ? { severity: moduleSeverity(name, node), does: modules[name]?.does ?? '' }
    : { severity: 'low', does: narrow };
}
