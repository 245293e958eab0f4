/** Who gets through to a port of a container. */
import type { Admission, Listener } from '../facts/settings.js';
import type { Container } from './launch.js';

/** A listener as others find it behind what the container publishes. */
export function admitted(listener: Listener, container: Container | null): Listener {
  if (container === null || listener.kind === 'ipc') return listener;
  return { ...listener, container: admission(listener, container) };
}

function admission({ port }: Listener, { published, network }: Container): Admission {
  const all = published.filter((one) => one.port === null || port === null || one.port === port);
  const open = all.find(({ host }) => host === null || host === '0.0.0.0' || host === '::') ?? all[0];
  if (open === undefined) return { published: null, network };
  const { host, hostPort, at, because, instead } = open;
  return { published: { host, port: hostPort, at, because, instead }, network };
}
