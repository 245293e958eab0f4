/** An interface bound to this machine alone. */
import type { Settings } from '../facts/settings.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { advise, either, type Fix, setTo, together, turnOff } from './fix.js';
import type { ListenerOf } from './listeners.js';
import { closedToPages } from './wildcard.js';

/**
 * To this machine alone, so that a proxy there says who gets in; what has no address to bind is switched off. Whatever
 * lets every page in goes with it: browsers would be a way in to what others no longer reach.
 */
export function bindLocally(
  settings: Settings,
  listener: ListenerOf<'http' | 'ws' | 'grpc' | 'mainbridge'>,
): Fix {
  const { kind } = listener;
  const flags = listenerFlags[kind];
  if (!('addr' in flags)) return turnOff(settings, flags.enable);
  const bound = setTo(settings, flags.addr, '127.0.0.1', { beside: flags.enable });
  const open = kind === 'http' || kind === 'ws' ? closedToPages(settings, listener) : [];
  const more = open.map(({ say }) => say[0]?.toLowerCase() + say.slice(1, -1)).join(', and ');
  const local =
    open.length === 0 ? bound : together(`${bound.say.slice(0, -1)}, and ${more}.`, [bound, ...open]);
  return either(
    local,
    advise('Bind it to a private address, and let a firewall or a proxy pass only what clients need.'),
  );
}
