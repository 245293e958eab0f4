import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildInfo, buildInfoOf } from '../../../../src/node/probe/local/build-info.js';

const lines = [
  'path\tgithub.com/kaiachain/kaia/cmd/ken',
  'mod\tgithub.com/kaiachain/kaia\t(devel)\t',
  'dep\tgithub.com/beorn7/perks\tv1.0.1\th1:x=',
  'build\t-ldflags="-X main.gitCommit=c26bba73a -X github.com/kaiachain/kaia/cmd/utils/nodecmd.gitTag=v2.2.1"',
  '',
].join('\n');
const ken = {
  path: 'github.com/kaiachain/kaia/cmd/ken',
  module: 'github.com/kaiachain/kaia',
  version: '(devel)',
  tag: 'v2.2.1',
};

const data = 0x200;
const address = 0x400000;

/** An ELF file of 64 bits with one writable segment of these bytes. */
function elf(content: Buffer): Buffer {
  const file = Buffer.alloc(data + content.length);
  file.write('\x7fELF\x02\x01', 'latin1');
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, 64);
  file.writeUInt32LE(6, 68);
  file.writeBigUInt64LE(BigInt(data), 72);
  file.writeBigUInt64LE(BigInt(address), 80);
  file.writeBigUInt64LE(BigInt(content.length), 96);
  content.copy(file, data);
  return file;
}

function marked(text: string): Buffer {
  const mark = Buffer.alloc(16, 0xff);
  return Buffer.concat([mark, Buffer.from(text), mark]);
}

function header(flags: number): Buffer {
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

/** As Go 1.18 and later write it. */
function inline(text: string): Buffer {
  return elf(Buffer.concat([header(2), withLength(Buffer.from('go1.25.3')), withLength(marked(text))]));
}

/** As Go 1.17 and earlier write it: a pointer to a pointer and a length. */
function pointed(text: string): Buffer {
  const body = marked(text);
  const head = header(0);
  head.writeBigUInt64LE(BigInt(address + 48), 24);
  const string = Buffer.alloc(16);
  string.writeBigUInt64LE(BigInt(address + 64), 0);
  string.writeBigUInt64LE(BigInt(body.length), 8);
  return elf(Buffer.concat([head, Buffer.alloc(16), string, body]));
}

const infoIn = (file: Buffer) => buildInfo((offset, length) => file.subarray(offset, offset + length));

test.each([
  ['inline', inline],
  ['by pointers', pointed],
])('a Go program, %s', (_, made) => {
  expect(infoIn(made(lines))).toEqual(ken);
  expect(infoIn(made('path\tgithub.com/klaytn/klaytn/cmd/kcn\n'))).toEqual({
    path: 'github.com/klaytn/klaytn/cmd/kcn',
    module: null,
    version: null,
    tag: null,
  });
});

test('the header is found behind other data, at a multiple of 16 bytes alone', () => {
  const before = Buffer.concat([
    Buffer.alloc(8),
    Buffer.from('\xff Go buildinf:', 'latin1'),
    Buffer.alloc(10),
  ]);
  expect(infoIn(elf(Buffer.concat([before, inline(lines).subarray(data)])))).toEqual(ken);
  expect(infoIn(elf(Buffer.concat([Buffer.alloc(8), inline(lines).subarray(data)])))).toBeNull();
});

test('a file that is damaged, or no Go program', () => {
  const whole = pointed(lines);
  expect(infoIn(Buffer.from('#!/bin/sh\n'))).toBeNull();
  expect(infoIn(elf(Buffer.alloc(400)))).toBeNull();
  fc.assert(
    fc.property(
      fc.constantFrom(inline(lines), whole),
      fc.nat(whole.length - 1),
      fc.nat(255),
      fc.nat(whole.length),
      (file, at, byte, end) => {
        const damaged = Buffer.from(file.subarray(0, end));
        if (at < damaged.length) damaged[at] = byte;
        const info = infoIn(damaged);
        expect(info === null || /^[\w./~@()+-]{1,200}$/.test(info.path)).toBe(true);
      },
    ),
  );
});

test('from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'build-info-'));
  try {
    writeFileSync(join(folder, 'renamed'), inline(lines));
    expect(buildInfoOf(join(folder, 'renamed'))).toEqual({ state: 'seen', value: ken });
    expect(buildInfoOf(join(folder, 'none'))).toMatchObject({ state: 'not-seen', code: 'not-found' });
    expect(buildInfoOf(folder)).toMatchObject({ state: 'not-seen' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
