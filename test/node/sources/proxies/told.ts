/** Who gets through each forward of a file, as words: "private, any with a login". */
import { isLoopbackAddress, isSameDestination } from '../../../../src/node/reach/address.js';
import { accessThrough, onMachine, withoutOwnLogins } from '../../../../src/node/reach/gate.js';
import type { GatedHop } from '../../../../src/node/reach/hop.js';

export function told(forwards: readonly GatedHop[] | null): string[] {
  return (forwards ?? []).map((forward) => {
    const gate = withoutOwnLogins(forward.gate, (to) => isSameDestination(to, forward.to));
    const access = accessThrough({ ...forward, gate }, onMachine);
    if ('unread' in access) return `? ${access.unread}`;
    const { open, withLogin } = access;
    const ways = [open ?? [], withLogin === null ? [] : `${withLogin} with a login`].flat();
    return ways.length === 0 ? 'nobody' : ways.join(', ');
  });
}

/** Where each forward stands, where it leads, and which address it listens on: "http://a:1 a:1 on 127.0.0.1:80 (loopback)". */
export function ledBy(text: string, forwards: readonly GatedHop[] | null): string[] {
  return (forwards ?? []).map(({ at, to, listens, program }) => {
    const led =
      to !== null && 'host' in to ? `${to.host}:${to.port}` : to !== null && 'socket' in to ? to.socket : to;
    const isLoopback = listens !== null && isLoopbackAddress(listens);
    const own = `${listens}${isLoopback ? ' (loopback)' : ''}`;
    return `${program}: ${text.slice(at.start, at.end)} leads to ${led} on ${own}`;
  });
}
