/** Writes patches for `git apply` and `patch -p1`. */
import { structuredPatch } from 'diff';

/** A unified diff of one file with three lines of context; empty when the texts are equal. */
export function patchOf(path: string, before: string, after: string): string {
  if (before === after) return '';
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const name = path.replace(/^(?:\.?\/)+/, '');
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return [`--- ${named(`a/${name}`)}`, `+++ ${named(`b/${name}`)}`, ...lines, ''].join('\n');
}

/** A file name as git writes it: quoted if it needs escapes; a name with a blank is followed by a tab. */
function named(name: string): string {
  if (!/[\p{Cc}"\\]/u.test(name)) return name.includes(' ') ? `${name}\t` : name;
  const escaped = name.replace(/[\p{Cc}"\\]/gu, (one) =>
    /["\\]/.test(one)
      ? `\\${one}`
      : [...Buffer.from(one)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  );
  return `"${escaped}"`;
}
