/** Renders a survey's member list incrementally: new members are appended to the bytes of the last version. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { oncePerKey } from '../../util/once-per.js';
import type { Group } from '../store/group-store.js';

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export interface Version {
  readonly group: Group;
  readonly etag: string;
  /** The headers of every answer, as names and values in turn. */
  readonly head: string[];
  /** Of the uncompressed body, in bytes. */
  readonly length: number;
  /** The uncompressed body. A very large one is in pieces, and shares all but the last with other versions. */
  readonly body: Buffer | readonly Buffer[];
  /** The compressed body. The first call starts the compression; for a large list it resolves with null until that is done. */
  compressed(encoding: Encoding): Promise<Buffer | null>;
}

/** Bodies from this size on are large, in bytes. */
const largeBytes = 256 << 10;
/** Bodies below this size are copied for each version, in bytes: one piece is sent faster than two. */
const maxWhole = 2 << 20;
/** Bodies below this size are not compressed, in bytes. */
export const minCompressed = 1024;
/** What an answer varies by, beside the origin. */
export const varied = 'accept, accept-encoding';

const opening = Buffer.from('{"data":"{\\"members\\":[');

export class Rendering {
  #members: readonly string[] = [];
  #bytes: Buffer = opening;
  #length = opening.length;
  #hash = createHash('sha256').update(opening);
  #version: Version | null = null;
  readonly #compressing = new Set<Encoding>();

  /** The current version. If earlier members changed, the whole list is rendered again. */
  version(group: Group): Version {
    if (this.#version !== null && this.#version.group === group) return this.#version;
    const { members, groupId, grownFrom } = group;
    // Fast in practice: unchanged members are the same string objects.
    const isContinued = grownFrom === this.#members || this.#members.every((one, at) => one === members[at]);
    if (!isContinued) this.#reset();
    const added = members.slice(this.#members.length).map((one) => `\\"${one}\\"`);
    if (added.length > 0) this.#append(`${this.#members.length === 0 ? '' : ','}${added.join(',')}`);
    this.#members = members;
    const closing = Buffer.from(`],\\"groupId\\":\\"${groupId}\\"}"}`);
    const pieces = [this.#bytes.subarray(0, this.#length), closing];
    const whole = this.#length < maxWhole ? Buffer.concat(pieces) : null;
    const isSmall = whole !== null && this.#length < largeBytes;
    const compressed = isSmall ? smallCompressed(whole) : largeCompressed(pieces, this.#compressing);
    const body = whole ?? pieces;
    const etag = `W/"${this.#hash.copy().update(closing).digest('base64url')}"`;
    const head = ['cache-control', 'no-cache', 'etag', etag, 'vary', varied];
    const length = this.#length + closing.length;
    this.#version = { group, body, etag, head, length, compressed };
    return this.#version;
  }

  /** Starts over in a new buffer: the old one may still be in use by responses. */
  #reset(): void {
    this.#members = [];
    this.#bytes = opening;
    this.#length = opening.length;
    this.#hash = createHash('sha256').update(opening);
  }

  #append(text: string): void {
    const added = Buffer.from(text);
    const needed = this.#length + added.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(needed * 2);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    added.copy(this.#bytes, this.#length);
    this.#length = needed;
    this.#hash.update(added);
  }
}

const compress: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gzip)(body, { level: 6 }),
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

function smallCompressed(body: Buffer): Version['compressed'] {
  const compressed = oncePerKey((encoding: Encoding) => compress[encoding](body));
  return async (encoding) => (body.length < minCompressed ? null : compressed(encoding));
}

/** Compresses in the background, one version at a time per encoding: each join makes a version. */
function largeCompressed(pieces: readonly Buffer[], compressing: Set<Encoding>): Version['compressed'] {
  const done = new Map<Encoding, Buffer>();
  return async (encoding) => {
    const known = done.get(encoding) ?? null;
    if (known !== null || compressing.has(encoding)) return known;
    compressing.add(encoding);
    compress[encoding](Buffer.concat(pieces))
      .then((bytes) => done.set(encoding, bytes))
      .catch(() => undefined)
      .finally(() => compressing.delete(encoding));
    return null;
  };
}

/** The best encoding that an Accept-Encoding header allows (RFC 9110, 12.5.3); null if there is none. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const offers = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.split(';').map((part) => part.trim()));
  const takes = (name: string) =>
    offers.some(([offered, ...rest]) => offered === name && !rest.some((part) => /^q=0(\.0*)?$/.test(part)));
  return encodings.find(takes) ?? null;
}
