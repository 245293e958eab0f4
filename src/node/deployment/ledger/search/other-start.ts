/** The start of another client, where its words open an interface. */
import type { Kind } from '../../../kinds/kind.js';
import { describe, isForPeers, type OpenInterface, type OtherClient } from '../../../kinds/others.js';
import type { Range } from '../../../sources/text/line-index.js';
import { mayName } from '../../../sources/text/secret-content.js';
import { environmentIn, hasMore, publishedIn, targetsIn } from '../published.js';
import type { Sign } from './sign.js';

/** The sign as one of a node, or of a client that is no kind. */
export function startSign(text: string, sign: Sign, starts: Kind | OtherClient, block: Range): Sign[] {
  return 'signs' in starts ? [{ ...sign, kind: starts }] : otherSign(text, sign, starts, block);
}

/** The sign as one of this client; none where it opens no interface and names no key. */
export function otherSign(text: string, sign: Sign, client: OtherClient, block: Range): Sign[] {
  const around = text.slice(block.start, block.end);
  const words = hasMore(around) ? [...sign.words, null] : sign.words;
  const all = describe(client, words, environmentIn(around), isContainer(sign, around));
  // A client that opens no interface is a sign of the keys that it names.
  if (all.length === 0 && !words.some((word) => word !== null && mayName.test(word))) return [];
  const ports = targetsIn(around);
  // What is not known may set another port than the usual one, and does where another one is published.
  const isOther = ({ name, bind, port }: OpenInterface) =>
    bind === null &&
    ports.length > 0 &&
    client.interfaces.some((one) => one.name === name && one.usual[1] === port) &&
    !ports.some((one) => one === port);
  const interfaces = all.map((one) => (isOther(one) ? { ...one, port: null } : one));
  const isPeers = (target: number) =>
    isForPeers(client, sign.words, target) && !interfaces.some((one) => one.port === target);
  return [{ ...sign, other: { client, interfaces, published: publishedIn(around, isPeers) } }];
}

/** Whether the client runs in a container, as far as the words around it say. */
function isContainer({ type }: Pick<Sign, 'type'>, around: string): boolean {
  return (
    type === 'image' || /\b[Ii]mage\b|\b(?:docker|podman|nerdctl)\b|^\s*(?:CMD|ENTRYPOINT)\b/m.test(around)
  );
}
