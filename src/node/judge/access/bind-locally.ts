/** The fix that makes an interface reachable from this machine only. */

import { publishedBy } from '../../facts/reach.js';
import type { PortKind } from '../../facts/settings.js';
import {
  advise,
  combineFixes,
  type Fix,
  publishLocally,
  setTo,
  switchOff,
  withAlternatives,
} from '../../fix/proposal/fix.js';
import { localAddress } from '../../kinds/interfaces.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { ListenerOf } from '../settings/listeners.js';
import { removeWildcards } from './wildcard.js';

type Bound = ListenerOf<Exclude<PortKind, 'metrics' | 'pprof'>>;

/**
 * Limits an interface to this machine, where a proxy can control access. In a container the published port changes, since
 * the node has to bind every address there; elsewhere the bind address. An interface without an address is switched off.
 */
export function bindLocally(settings: NodeSettings, listener: Bound): Fix {
  const { kind, port, boundBy } = listener;
  const published = publishedBy(listener);
  const flags = settings.nodeKind.interfaces.flags[kind];
  if (published !== null) return withoutPages(settings, listener, publishLocally(published));
  if (settings.source.kind === 'dockerfile') {
    const ports = `127.0.0.1:${port ?? 'PORT'}:${port ?? 'PORT'}`;
    return advise(`Publish the port only on 127.0.0.1 when the image is run: -p ${ports}.`);
  }
  if (flags.addr === null) return switchOff(settings, flags.enable);
  const address = localAddress(flags, listener, settings.values);
  const bound = setTo(settings, boundBy ?? flags.addr, address, { beside: flags.enable });
  return withAlternatives(
    withoutPages(settings, listener, bound),
    advise(
      'Bind it to a private address, and let a firewall or a proxy pass only the requests that clients need.',
    ),
  );
}

/** Removes wildcard entries too: with them, browsers still give every web page access. */
function withoutPages(settings: NodeSettings, listener: Bound, local: Fix): Fix {
  const { kind } = listener;
  const open = kind === 'http' || kind === 'ws' ? removeWildcards(settings, listener) : [];
  if (open.length === 0) return local;
  const more = open.map(({ say }) => say[0]?.toLowerCase() + say.slice(1, -1)).join(', and ');
  return combineFixes(`${local.say.slice(0, -1)}, and ${more}.`, [local, ...open]);
}
