/** What the Go linker writes into a program. */
import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildInfoOf, goBuild } from '../../../../src/node/probe/local/build-info.js';
import {
  buildInformation,
  header,
  kenLines as lines,
  marked,
  withSection,
} from '../../../peers/go-program.js';

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

/** As Go 1.18 and later write it. */
function inline(text: string): Buffer {
  return elf(buildInformation(text));
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

const infoIn = (file: Buffer) => goBuild((offset, length) => file.subarray(offset, offset + length));

test.each([
  ['inline', inline],
  ['by pointers', pointed],
])('a Go program has build information, %s', (_, made) => {
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

test('the table of sections tells where the header is, or that there is none', () => {
  expect(infoIn(withSection(elf(Buffer.alloc(0)), buildInformation(lines)))).toEqual(ken);
  const read: number[] = [];
  const counted = withSection(elf(Buffer.alloc(1 << 20)), Buffer.alloc(8), '.data');
  const info = goBuild((offset, length) => {
    const part = counted.subarray(offset, offset + length);
    read.push(part.length);
    return part;
  });
  expect(info).toBeNull();
  expect(read.reduce((sum, one) => sum + one, 0)).toBeLessThan(1024);
});

test('a file is read once, however many processes run it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'build-info-'));
  try {
    const known = new Map();
    writeFileSync(join(folder, 'ken'), inline(lines));
    linkSync(join(folder, 'ken'), join(folder, 'kaia-en'));
    const first = buildInfoOf(join(folder, 'ken'), known);
    expect(buildInfoOf(join(folder, 'kaia-en'), known)).toBe(first);
    expect(known.size).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a damaged file and a program of another language have no build information', () => {
  const whole = pointed(lines);
  expect(infoIn(Buffer.from('#!/bin/sh\n'))).toBeNull();
  expect(infoIn(elf(Buffer.alloc(400)))).toBeNull();
  fc.assert(
    fc.property(
      fc.constantFrom(inline(lines), whole, withSection(elf(Buffer.alloc(0)), buildInformation(lines))),
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

test('build information is read from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'build-info-'));
  try {
    writeFileSync(join(folder, 'renamed'), inline(lines));
    expect(buildInfoOf(join(folder, 'renamed'), new Map())).toEqual({ state: 'seen', value: ken });
    expect(buildInfoOf(join(folder, 'none'), new Map())).toMatchObject({
      state: 'not-seen',
      code: 'not-found',
    });
    expect(buildInfoOf(folder, new Map())).toMatchObject({ state: 'not-seen' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
