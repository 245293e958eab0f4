/** A survey's list as the bytes that are sent: what is added is appended, nothing is rendered twice. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Group } from '../store/group-store.js';

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** One version of the list. */
export interface Version {
  readonly group: Group;
  readonly etag: string;
  /** The body as it is sent uncompressed; a large one in pieces, of which only the last is this version's own. */
  readonly body: Buffer | readonly Buffer[];
  /** The body compressed, once it is; asking begins it. Lists that are small are waited for. */
  compressed(encoding: Encoding): Promise<Buffer | null>;
}

/** Bodies from this size on are large: sent as they are until they are compressed, in bytes. */
const worthWaiting = 256 << 10;
/** Below that compression gains nothing. */
const worthwhile = 1024;

const opening = Buffer.from('{"data":"{\\"members\\":[');

export class Rendering {
  #members: readonly string[] = [];
  #bytes: Buffer = opening;
  #length = opening.length;
  #hash = createHash('sha256').update(opening);
  #version: Version | null = null;
  readonly #underWay = new Set<Encoding>();

  /** The list as of now. A group's earlier members are usually those of before; if not, all is rendered anew. */
  version(group: Group): Version {
    if (this.#version !== null && this.#version.group === group) return this.#version;
    const { members, groupId, grownFrom } = group;
    if (grownFrom !== this.#members && !startsWith(members, this.#members)) this.#reset();
    const added = members.slice(this.#members.length).map((one) => `\\"${one}\\"`);
    if (added.length > 0) this.#append(`${this.#members.length === 0 ? '' : ','}${added.join(',')}`);
    this.#members = members;
    const closing = Buffer.from(`],\\"groupId\\":\\"${groupId}\\"}"}`);
    const pieces = [this.#bytes.subarray(0, this.#length), closing];
    const small = this.#length < worthWaiting ? Buffer.concat(pieces) : null;
    const body = small ?? pieces;
    const compressed = small === null ? largeCompressed(pieces, this.#underWay) : smallCompressed(small);
    const etag = `W/"${this.#hash.copy().update(closing).digest('base64url')}"`;
    this.#version = { group, body, etag, compressed };
    return this.#version;
  }

  /** Begins anew, in other memory: what is being sent is not written over. */
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

/** Strings that were kept are the same objects, so this compares little more than addresses. */
function startsWith(members: readonly string[], before: readonly string[]): boolean {
  return before.length <= members.length && before.every((one, at) => one === members[at]);
}

const compress: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gzip)(body, { level: 6 }),
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** A small body is waited for. */
function smallCompressed(body: Buffer): Version['compressed'] {
  const begun = new Map<Encoding, Promise<Buffer>>();
  return async (encoding) => {
    if (body.length < worthwhile) return null;
    const work = begun.get(encoding) ?? compress[encoding](body);
    begun.set(encoding, work);
    return work;
  };
}

/** A large one is not, and none is begun while one of another version is under way: each join makes a version. */
function largeCompressed(pieces: readonly Buffer[], underWay: Set<Encoding>): Version['compressed'] {
  const done = new Map<Encoding, Buffer>();
  return async (encoding) => {
    const known = done.get(encoding) ?? null;
    if (known !== null || underWay.has(encoding)) return known;
    underWay.add(encoding);
    compress[encoding](Buffer.concat(pieces))
      .then((bytes) => done.set(encoding, bytes))
      .catch(() => undefined)
      .finally(() => underWay.delete(encoding));
    return null;
  };
}

/** The best encoding that a header's list takes (RFC 9110, 12.5.3); null: none but the plain one. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const offers = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.split(';').map((part) => part.trim()));
  const takes = (name: string) =>
    offers.some(([offered, ...rest]) => offered === name && !rest.some((part) => /^q=0(\.0*)?$/.test(part)));
  return encodings.find(takes) ?? null;
}
