/** The user's settings file (ini): a section for each command group, and one for each profile. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { KaiactlError } from '../errors.js';
import type { Host } from '../host.js';
import { closest } from '../util/closest.js';
import { iniPlace } from '../util/ini-place.js';
import { visible } from '../util/visible.js';

/** Option values by option name. */
type Values = Readonly<Record<string, string | readonly string[]>>;

export interface Section {
  /** `/home/u/.config/kaiactl/config.ini [node fleet]`. */
  readonly where: string;
  /** With the line of a key: `/home/u/.config/kaiactl/config.ini:4 [node fleet]`. */
  placeOf(key: string): string;
  /** False for the section of the group, which a kaiactl.ini overrides. */
  readonly named: boolean;
  readonly values: Values;
}

/**
 * Reads the section `[group name]` when a profile is named, then `[group]`; the first that sets an option counts. Without
 * `file`, `kaiactl/config.ini` under XDG_CONFIG_HOME, else under ~/.config (Windows: %APPDATA%), is read if it exists.
 * @throws {KaiactlError} when a named file or profile is missing or unreadable (exit 2)
 */
export async function readSections(
  group: string,
  ask: { readonly file?: string | undefined; readonly name?: string | undefined },
  host: Pick<Host, 'env' | 'cwd' | 'platform'>,
): Promise<Section[]> {
  const file = ask.file === undefined ? defaultFile(host) : resolve(host.cwd, ask.file);
  if (ask.file === undefined && !existsSync(file)) {
    if (ask.name === undefined) return [];
    throw new KaiactlError(`profile ${ask.name}: there is no settings file at ${file}`, {
      hint: 'Name one with --config.',
    });
  }
  const [{ parse }, { readText }] = await Promise.all([import('ini'), import('../input.js')]);
  const hint = 'Its lines are option = value, below [node] or [survey].';
  const text = await readText(file, { what: `the settings file ${file}`, mib: 1, hint });
  const sections: Record<string, unknown> = parse(text);
  const section = (name: string, values: Values, named: boolean): Section => ({
    where: `${file} [${name}]`,
    named,
    values,
    placeOf: (key) => iniPlace(file, text, name, key),
  });
  checkSections(sections, file, text);
  const values = readSection(sections, group);
  const base = values === null ? [] : [section(group, values, false)];
  if (ask.name === undefined) return base;
  const own = readSection(sections, `${group} ${ask.name}`);
  if (own === null) {
    const names = Object.keys(sections).filter((name) => name.startsWith(`${group} `));
    throw new KaiactlError(`${file} has no section [${group} ${ask.name}]`, {
      hint: names.length === 0 ? `Add one.` : `It has: ${names.join(', ')}.`,
    });
  }
  return [section(`${group} ${ask.name}`, own, true), ...base];
}

const groups = ['node', 'survey', 'report'];

/** @throws {KaiactlError} on an unknown section, or a key outside a section (exit 2) */
function checkSections(sections: Readonly<Record<string, unknown>>, file: string, text: string): void {
  for (const [name, content] of Object.entries(sections)) {
    const [first = ''] = name.split(' ');
    if (groups.includes(first) && typeof content === 'object') continue;
    const isSection = typeof content === 'object';
    const shown = visible(name, 80);
    const near = isSection ? closest(first, groups) : null;
    throw new KaiactlError(
      `${iniPlace(file, text, name, null).replace(/ \[.*/s, '')}: ${isSection ? `unknown section [${shown}]` : `${shown} is outside a section`}`,
      {
        hint:
          near === null
            ? 'Sections: [node], [survey], [report], [node NAME], [survey NAME], [report NAME].'
            : `Did you mean [${near}]?`,
      },
    );
  }
}

function defaultFile({ env, platform }: Pick<Host, 'env' | 'platform'>): string {
  const own =
    platform === 'win32'
      ? env.APPDATA || join(env.USERPROFILE ?? homedir(), 'AppData', 'Roaming')
      : join(env.HOME ?? homedir(), '.config');
  return join(env.XDG_CONFIG_HOME || own, 'kaiactl', 'config.ini');
}

/** ini reads dotted sections as nested objects and bare keys as true: here values are strings or lists of strings. */
function readSection(all: Record<string, unknown>, name: string): Values | null {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (typeof found !== 'object' || found === null) return null;
  const text = (value: unknown) => (typeof value === 'object' ? '' : String(value));
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map(String) : text(value),
    ]),
  );
}
