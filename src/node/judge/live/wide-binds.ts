/** The addresses of a live interface that other machines reach. */
import type { EndpointFacts } from '../../facts/live.js';
import { reachOfHost } from '../../facts/reach.js';
import { seenValue } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';

/** Each address that the kernel shows, and the name that the settings give it. */
export function wideBinds({
  bind,
  listener,
}: Pick<EndpointFacts, 'bind'> & { readonly listener: Listener | null }) {
  const isWide = (host: string | null) => reachOfHost(host).reach !== 'loopback';
  const declared = listener?.state === 'on' && isWide(listener.host) ? listener.host : null;
  return (seenValue(bind) ?? []).filter(isWide).map((host) => ({ host, about: declared ?? host }));
}
