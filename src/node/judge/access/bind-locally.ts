/** An interface that this machine alone reaches. */
import type { Settings } from '../../facts/settings.js';
import { listenerFlags } from '../../kinds/index.js';
import { advise, either, type Fix, publishLocally, setTo, together, turnOff } from '../fix/fix.js';
import type { ListenerOf } from '../settings/listeners.js';
import { closedToPages } from './wildcard.js';

type Bound = ListenerOf<'http' | 'ws' | 'grpc' | 'mainbridge'>;

/**
 * To this machine alone, so that a proxy there says who gets in: by the port a container publishes, since the node has to
 * bind every address in it, and else by what the node binds. What has no address to bind is switched off.
 */
export function bindLocally(settings: Settings, listener: Bound): Fix {
  const { kind, port, container } = listener;
  const flags = listenerFlags(settings)[kind];
  if (container?.published != null)
    return withoutPages(settings, listener, publishLocally(container.published));
  if (settings.source.kind === 'dockerfile') {
    const ports = `127.0.0.1:${port ?? 'PORT'}:${port ?? 'PORT'}`;
    return advise(`Publish the port on 127.0.0.1 alone where the image is run: -p ${ports}.`);
  }
  if (!('addr' in flags)) return turnOff(settings, flags.enable);
  const bound = setTo(settings, flags.addr, '127.0.0.1', { beside: flags.enable });
  return either(
    withoutPages(settings, listener, bound),
    advise('Bind it to a private address, and let a firewall or a proxy pass only what clients need.'),
  );
}

/** Whatever lets every page in goes too: browsers would be a way in to what others no longer reach. */
function withoutPages(settings: Settings, listener: Bound, local: Fix): Fix {
  const { kind } = listener;
  const open = kind === 'http' || kind === 'ws' ? closedToPages(settings, listener) : [];
  if (open.length === 0) return local;
  const more = open.map(({ say }) => say[0]?.toLowerCase() + say.slice(1, -1)).join(', and ');
  return together(`${local.say.slice(0, -1)}, and ${more}.`, [local, ...open]);
}
