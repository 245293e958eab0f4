/** What compilers write into a program: it outlives a renamed and a stripped file. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { BuildFacts } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';
import { goBuild, type Read } from './go-build.js';
import { attempt } from './proc.js';

/** One reader a language. */
const readers: readonly ((read: Read) => BuildFacts | null)[] = [goBuild];

/** Build information by file: many processes run the same program. */
export type KnownBuilds = Map<string, Seen<BuildFacts>>;

/** The build information of a program file; `not-applicable` when no reader knows it. Files in `known` are not read again. */
export function buildInfoOf(path: string, known: KnownBuilds = new Map()): Seen<BuildFacts> {
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
  const build = readers.map((reader) => reader(read)).find((one) => one !== null);
  return build === undefined
    ? notSeen('not-applicable', 'it is not a Go program for 64-bit Linux')
    : seen(build);
}
