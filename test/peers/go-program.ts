/** Programs with the build information that Go's linker writes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The build information of ken v2.2.1, a line each. */
export const kenLines = [
  'path\tgithub.com/kaiachain/kaia/cmd/ken',
  'mod\tgithub.com/kaiachain/kaia\t(devel)\t',
  'dep\tgithub.com/beorn7/perks\tv1.0.1\th1:x=',
  'build\t-ldflags="-X main.gitCommit=c26bba73a -X github.com/kaiachain/kaia/cmd/utils/nodecmd.gitTag=v2.2.1"',
  '',
].join('\n');

/** The text between the marks of 16 bytes that Go puts around it. */
export function marked(text: string): Buffer {
  const mark = Buffer.alloc(16, 0xff);
  return Buffer.concat([mark, Buffer.from(text), mark]);
}

export function header(flags: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write('\xff Go buildinf:', 'latin1');
  bytes[14] = 8;
  bytes[15] = flags;
  return bytes;
}

function withLength(bytes: Buffer): Buffer {
  const { length } = bytes;
  return Buffer.concat([Buffer.from([(length & 0x7f) | 0x80, (length >> 7) & 0x7f]), bytes]);
}

/** The header and the text as Go 1.18 and later write them. */
export function buildInformation(text: string): Buffer {
  return Buffer.concat([header(2), withLength(Buffer.from('go1.25.3')), withLength(marked(text))]);
}

/** An ELF file of 64 bits with a section of this content and name, and no other. It runs as before. */
export function withSection(file: Buffer, content: Buffer, name = '.go.buildinfo'): Buffer {
  const names = Buffer.from(`\0${name}\0`);
  const rows = Buffer.alloc(3 * 64);
  const row = (at: number, nameAt: number, offset: number, size: number) => {
    rows.writeUInt32LE(nameAt, at * 64);
    rows.writeBigUInt64LE(BigInt(offset), at * 64 + 24);
    rows.writeBigUInt64LE(BigInt(size), at * 64 + 32);
  };
  row(1, 0, file.length + content.length, names.length);
  row(2, 1, file.length, content.length);
  const whole = Buffer.concat([file, content, names, rows]);
  whole.writeBigUInt64LE(BigInt(whole.length - rows.length), 40);
  [64, 3, 1].forEach((value, at) => {
    whole.writeUInt16LE(value, 58 + 2 * at);
  });
  return whole;
}

/** A program that waits, called `name`, with the build information of ken; `remove` deletes it. */
export function renamedKen(name: string, text = kenLines): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-go-'));
  const path = join(folder, name);
  writeFileSync(path, withSection(readFileSync('/bin/sleep'), buildInformation(text)), { mode: 0o755 });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
