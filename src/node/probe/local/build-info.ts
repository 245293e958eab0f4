/** What compilers write into a program: it outlives a renamed and a stripped file. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { BuildFacts } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';
import { attempt } from './proc.js';

/** Build information by file: many processes run the same program. */
export type KnownBuilds = Map<string, Seen<BuildFacts>>;

/** The build information of a program file; `not-applicable` when it has none. Files in `known` are not read again. */
export function buildInfoOf(path: string, known: KnownBuilds): Seen<BuildFacts> {
  const build = attempt(() => {
    const file = openSync(path, 'r');
    try {
      const { dev, ino } = fstatSync(file);
      const id = `${dev}:${ino}`;
      const found = known.get(id) ?? readFile(file);
      known.set(id, found);
      return found;
    } finally {
      closeSync(file);
    }
  });
  return build.state === 'seen' ? build.value : build;
}

function readFile(file: number): Seen<BuildFacts> {
  const read: Read = (offset, length) => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
  };
  const build = goBuild(read);
  return build === null ? notSeen('not-applicable', 'it is not a Go program for 64-bit Linux') : seen(build);
}

const magic = Buffer.from('\xff Go buildinf:', 'latin1');
const headerBytes = 32;
/** The caps on what is read, in bytes and rows; a Go program has about 30 sections and 30 kB of module information. */
const maxText = 1 << 20;
const maxSearch = 1 << 20;
const maxRows = 512;

/** Reads up to `length` bytes of the program at an offset. */
type Read = (offset: number, length: number) => Buffer;

/** A part of the file, and the address at which it is loaded. */
interface Segment {
  readonly offset: number;
  readonly size: number;
  readonly address: number;
  readonly isWritable: boolean;
}

/** The build information of an ELF program of 64 bits, little-endian; null when there is none, or the file is damaged. */
export function goBuild(read: Read): BuildFacts | null {
  const elf = read(0, 64);
  if (elf.length < 64 || !elf.subarray(0, 6).equals(Buffer.from('\x7fELF\x02\x01', 'latin1'))) return null;
  const segments = segmentsOf(elf, read);
  const start = sectionOf(elf, read) ?? searchAll(segments, read);
  if (start === null || start === 'none') return null;
  const header = read(start, headerBytes);
  if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic)) return null;
  const flags = header[15] ?? 0;
  const isInline = (flags & 2) !== 0;
  const isBigEndian = (flags & 1) !== 0;
  if (!isInline && (isBigEndian || header[14] !== 8)) return null;
  const text = isInline ? inlineText(start + headerBytes, read) : pointedText(header, segments, read);
  return text === null ? null : parse(text);
}

function segmentsOf(elf: Buffer, read: Read): Segment[] {
  const [offset, size, count] = [numberAt(elf, 32), elf.readUInt16LE(54), elf.readUInt16LE(56)];
  if (offset === null || size < 56) return [];
  const rows = read(offset, size * Math.min(count, maxRows));
  const segments: Segment[] = [];
  for (let at = 0; at + 56 <= rows.length; at += size) {
    const [from, address, length] = [8, 16, 32].map((field) => numberAt(rows, at + field)) as (
      | number
      | null
    )[];
    const isLoaded = rows.readUInt32LE(at) === 1;
    if (isLoaded && from != null && address != null && length != null)
      segments.push({
        offset: from,
        address,
        size: length,
        isWritable: (rows.readUInt32LE(at + 4) & 2) !== 0,
      });
  }
  return segments;
}

const section = Buffer.from('.go.buildinfo\0', 'latin1');

/** The offset of the header by the table of sections; `none`: no section is for it. Returns null if the table was stripped. */
function sectionOf(elf: Buffer, read: Read): number | 'none' | null {
  const [offset, size, count] = [numberAt(elf, 40), elf.readUInt16LE(58), elf.readUInt16LE(60)];
  if (!offset || size < 64) return null;
  const rows = read(offset, size * Math.min(count, maxRows));
  const place = (row: number) => [numberAt(rows, row + 24), numberAt(rows, row + 32)] as const;
  const [namesAt, length] = place(size * elf.readUInt16LE(62));
  if (namesAt === null || length === null) return null;
  const names = read(namesAt, Math.min(length, maxText));
  for (let row = 0; row + 64 <= rows.length; row += size) {
    const name = rows.readUInt32LE(row);
    if (names.subarray(name, name + section.length).equals(section)) return place(row)[0] ?? 'none';
  }
  return 'none';
}

/** The linker puts the header at the start of the data, at a multiple of 16 bytes. */
function searchAll(segments: readonly Segment[], read: Read): number | null {
  for (const { offset, size } of segments.filter(({ isWritable }) => isWritable)) {
    const data = read(offset, Math.min(size, maxSearch));
    for (let at = data.indexOf(magic); at >= 0; at = data.indexOf(magic, at + 1))
      if (at % 16 === 0) return offset + at;
  }
  return null;
}

/** Reads the format of Go 1.18 and later: the header, then two strings with their lengths: compiler version, modules. */
function inlineText(start: number, read: Read): string | null {
  const version = lengthAt(start, read);
  if (version === null) return null;
  const text = lengthAt(version.end + version.length, read);
  return text === null ? null : textAt(text.end, text.length, read);
}

/** A length as unsigned LEB128, and where it ends. */
function lengthAt(offset: number, read: Read): { readonly length: number; readonly end: number } | null {
  let length = 0;
  for (const [at, byte] of read(offset, 4).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return length <= maxText ? { length, end: offset + at + 1 } : null;
  }
  return null;
}

/** Up to Go 1.17: a pointer to the text's pointer and length. */
function pointedText(header: Buffer, segments: readonly Segment[], read: Read): string | null {
  const string = numberAt(header, 24);
  const place = string === null ? null : offsetOf(string, segments);
  if (place === null) return null;
  const [address, length] = [numberAt(read(place, 16), 0), numberAt(read(place, 16), 8)];
  const start = address === null ? null : offsetOf(address, segments);
  return start === null || length === null || length > maxText ? null : textAt(start, length, read);
}

function offsetOf(address: number, segments: readonly Segment[]): number | null {
  const segment = segments.find((one) => address >= one.address && address < one.address + one.size);
  return segment === undefined ? null : address - segment.address + segment.offset;
}

/** The text without the 16 bytes that mark either end of it. */
function textAt(offset: number, length: number, read: Read): string | null {
  return length < 33 ? null : read(offset + 16, length - 32).toString('utf8');
}

/** An unsigned number of 8 bytes; null if there is none, or no file is that large. */
function numberAt(bytes: Buffer, at: number): number | null {
  if (at + 8 > bytes.length) return null;
  const value = Number(bytes.readBigUInt64LE(at));
  return Number.isSafeInteger(value) ? value : null;
}

/** Lines of a key and its values, each behind a tab: `mod github.com/kaiachain/kaia v2.2.1`. */
function parse(text: string): BuildFacts | null {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const path = lines.find(([key]) => key === 'path')?.[1];
  const [, module = null, version = null] = lines.find(([key]) => key === 'mod') ?? [];
  const flags = lines.find(([key, value]) => key === 'build' && value?.startsWith('-ldflags='))?.[1] ?? '';
  const tag = /\bgitTag=(v[\w.+-]{1,40})/.exec(flags)?.[1] ?? null;
  const short = (name: string | null) => (name !== null && /^[\w./~@()+-]{1,200}$/.test(name) ? name : null);
  const known = short(path ?? null);
  return known === null ? null : { path: known, module: short(module), version: short(version), tag };
}
