/** Who gets through each forward of a file, as words: "private, any with a login". */
import { onMachine, type ProxyForward, passageOf } from '../../../../src/node/deployment/proxies.js';

export function told(forwards: readonly ProxyForward[] | null): string[] {
  return (forwards ?? []).map((forward) => {
    const passage = passageOf(forward, onMachine);
    if ('unread' in passage) return `? ${passage.unread}`;
    const { open, withLogin } = passage;
    const ways = [open ?? [], withLogin === null ? [] : `${withLogin} with a login`].flat();
    return ways.length === 0 ? 'nobody' : ways.join(', ');
  });
}
