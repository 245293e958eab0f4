/** The user's settings file (ini): a section for each command group, and one for each profile. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { KaiactlError } from '../errors.js';
import type { Host } from '../host.js';
import type { IniSection } from '../options/ini.js';
import { closest } from '../util/closest.js';
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
  const [{ sectionsOf }, { readText }] = await Promise.all([
    import('../options/ini.js'),
    import('../input.js'),
  ]);
  const hint = 'Its lines are option = value, below [node] or [survey].';
  const text = await readText(file, { what: `the settings file ${file}`, mib: 1, hint });
  const sections = sectionsOf(file, text, known);
  checkSections(sections);
  const named = ask.name === undefined ? group : `${group} ${ask.name}`;
  if (named !== group && sections.every(({ name }) => name !== named)) {
    const names = sections.map(({ name }) => name).filter((name) => name.startsWith(`${group} `));
    throw new KaiactlError(`${file} has no section [${named}]`, {
      hint: names.length === 0 ? `Add one.` : `It has: ${names.join(', ')}.`,
    });
  }
  return [...new Set([named, group])].flatMap((name) =>
    sections
      .filter((one) => one.name === name)
      .map(({ values, placeOf }) => ({
        where: `${file} [${name}]`,
        named: name !== group,
        // A key without a value is true.
        values: Object.fromEntries(
          Object.entries(values).map(([key, one]) => [
            key,
            Array.isArray(one) ? one.map(String) : String(one),
          ]),
        ),
        placeOf,
      })),
  );
}

const groups = ['node', 'survey', 'report'];
const known = 'Sections: [node], [survey], [report], [node NAME], [survey NAME], [report NAME].';

/** @throws {KaiactlError} on an unknown section (exit 2) */
function checkSections(sections: readonly IniSection[]): void {
  for (const { name, placeOf } of sections) {
    const [first = ''] = name.split(' ');
    if (groups.includes(first)) continue;
    const near = closest(first, groups);
    throw new KaiactlError(`${placeOf().replace(/ .*/s, '')}: unknown section [${visible(name, 80)}]`, {
      hint: near === null ? known : `Did you mean [${near}]?`,
    });
  }
}

function defaultFile({ env, platform }: Pick<Host, 'env' | 'platform'>): string {
  const own =
    platform === 'win32'
      ? env.APPDATA || join(env.USERPROFILE ?? homedir(), 'AppData', 'Roaming')
      : join(env.HOME ?? homedir(), '.config');
  return join(env.XDG_CONFIG_HOME || own, 'kaiactl', 'config.ini');
}
