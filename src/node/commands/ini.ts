/** Ini files with what their parser drops: places, repeated names, and brackets in section names. */

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'ini';
import { KaiactlError } from '../../errors.js';
import { readText } from '../../input.js';
import { iniPlace as placeIn } from '../../util/ini-place.js';
import { visible } from '../../util/visible.js';

export interface IniSource {
  readonly file: string;
  readonly text: string;
}

/** The place of a key, or of a section, in a file. */
export function iniPlace({ file, text }: IniSource, section: string, key: string | null): string {
  return visible(placeIn(file, text, section, key));
}

export interface Section {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** @throws {KaiactlError} on a repeated section or key, or a key outside a section (exit 2) */
export function sectionsOf(source: IniSource): Section[] {
  checkRepeated(source);
  const sections = Object.entries(parse(hideSigns(source.text)));
  const loose = sections.find(
    ([, value]) => typeof value !== 'object' || value === null || Array.isArray(value),
  );
  if (loose !== undefined) {
    throw new KaiactlError(
      `${lineOf(source.text, loose[0], source.file)}: ${loose[0]} is outside a section`,
      {
        hint: 'Each node is a section: [en-1]. --targets-from reads a list of one target per line.',
      },
    );
  }
  return sections.map(([name, values]) => ({ name: showSigns(name), values }));
}

/** The parser keeps only the last of a repeated name, so that a node would be skipped. */
function checkRepeated({ file, text }: IniSource): void {
  const sections = new Set<string>();
  const keys = new Set<string>();
  const once = (met: Set<string>, name: string, at: number, what: () => string) => {
    if (met.size === met.add(name).size) {
      throw new KaiactlError(`${file}:${at + 1}: ${visible(what(), 80)} appears twice`, {
        hint: 'Use each node name once, and each key once per node.',
      });
    }
  };
  let section = '';
  for (const [at, line] of text.split('\n').entries()) {
    const header = /^\[(.*)\]$/.exec(line.trim())?.[1]?.trim();
    if (header !== undefined) {
      section = header;
      keys.clear();
      once(sections, section, at, () => `[${section}]`);
      continue;
    }
    const key = /^\s*([\w-]+)\s*=/.exec(line)?.[1];
    if (key !== undefined) once(keys, key, at, () => `${key} of [${section}]`);
  }
}

/** ini ends a header at its first bracket and nests at dots. During parsing, control characters replace these signs. */
const signs = { '[': '\u0001', ']': '\u0002', '.': '\u0003' } as const;

function hideSigns(text: string): string {
  return text.replace(
    /^([ \t]*\[)(.*)(\][ \t]*\r?)$/gm,
    (_, start: string, name: string, end: string) =>
      start + name.replace(/[[\].]/g, (sign) => signs[sign as keyof typeof signs]) + end,
  );
}

function showSigns(name: string): string {
  return Object.entries(signs).reduce((text, [sign, hidden]) => text.replaceAll(hidden, sign), name);
}

/** The values of `[node]`; `where` is `/srv/fleet/kaiactl.ini [node]`. */
interface RepositorySettings {
  readonly where: string;
  readonly file: string;
  /** `/srv/fleet/kaiactl.ini:3 [node]`. */
  placeOf(key: string): string;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const name = 'kaiactl.ini';

/**
 * Searches the folder and the folders above it, up to the root of a git repository, and skips folders that every user can
 * write. Returns null if it is not found.
 * @param trusted - the file to read instead, or `none`
 * @throws {KaiactlError} when the file cannot be read or has another section (exit 2)
 */
export async function findRepositorySettings(
  folder: string,
  trusted?: string,
): Promise<RepositorySettings | null> {
  if (trusted === 'none') return null;
  if (trusted !== undefined) return read(trusted, await readText(trusted, { what: trusted, mib: 1 }));
  const file = join(folder, name);
  if (!isShared(folder) && existsSync(file)) return read(file, await readText(file, { what: file, mib: 1 }));
  const above = dirname(folder);
  if (above === folder || existsSync(join(folder, '.git'))) return null;
  return await findRepositorySettings(above);
}

function read(file: string, text: string): RepositorySettings {
  const sections: Record<string, unknown> = parse(text);
  const other = Object.keys(sections).find((one) => one !== 'node' || typeof sections[one] !== 'object');
  if (other !== undefined)
    throw new KaiactlError(`${lineOf(text, other, file)}: unknown section or key ${visible(other, 80)}`, {
      hint: 'kaiactl.ini has one section: [node].',
    });
  const values = Object.entries((sections.node ?? {}) as Record<string, unknown>).map(
    ([key, value]) =>
      [key, (Array.isArray(value) ? value : [value]).flatMap((one) => splitSetting(key, one))] as const,
  );
  const placeOf = (key: string) => placeIn(file, text, 'node', key);
  return { where: `${file} [node]`, file, placeOf, values: Object.fromEntries(values) };
}

/** `kaiactl.ini:7`: the line of a section, or of a key outside of one. */
function lineOf(text: string, name: string, file: string): string {
  const at = text
    .split('\n')
    .findIndex(
      (line) => /^\[?([^\]=]*)/.exec(line.trim().replace(/\[\](?=\s*=|$)/, ''))?.[1]?.trim() === name,
    );
  return at < 0 ? file : `${file}:${at + 1}`;
}

/** `exclude = a, b` is two patterns; the options of other keys split their own lists. */
function splitSetting(key: string, value: unknown): string[] {
  return key === 'exclude' ? String(value).split(/\s*,\s*/) : [String(value)];
}

function isShared(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    return false;
  }
}
