/** Marks settings unknown that an unread source may change. The value without that source is kept as shadowed. */
import type { ReleaseFound } from '../../facts/release.js';
import type { Origin, Setting } from '../../facts/settings.js';
import type { ConfigFile, Flag, FlagSet, Kind } from '../../kinds/kind.js';

/** The node's own file of flags may set whatever neither the command line nor the environment sets. */
export function shadeByFile(
  file: ConfigFile,
  flags: FlagSet,
  settings: Record<string, Setting>,
  given: ReadonlyMap<Flag, unknown>,
  origin: Origin,
  path: string,
): void {
  const settable =
    file.format === 'toml' ? new Set([...file.keys.values(), ...file.switches.values()]) : null;
  for (const flag of flags.flags) {
    if (given.has(flag) || flag.name === file.flag || settable?.has(flag.name) === false) continue;
    const before = settings[flag.name];
    const shadowed = before === undefined ? [] : [{ value: before.value, origin: before.origin }];
    const indeterminate = `--${file.flag} names ${path}, which is not read`;
    settings[flag.name] = { value: null, origin, shadowed, indeterminate };
  }
}

/** A command that is not followed may set the variable of any flag that neither the command line nor a known variable sets. */
export function shadeByEnvironment(
  { flags }: FlagSet,
  settings: Record<string, Setting>,
  setter: string,
  file: ConfigFile | null,
): void {
  for (const { name, environment } of flags) {
    const before = settings[name];
    const variable = environment.at(-1);
    if (before === undefined || variable === undefined || name === file?.flag) continue;
    if (!/^(?:default|yaml|toml)$/.test(before.origin.kind)) continue;
    const shadowed = [{ value: before.value, origin: before.origin }, ...before.shadowed];
    settings[name] = { ...before, value: null, shadowed, indeterminate: `${setter} may set ${variable}` };
  }
}

/** A fork reads variables that the release does not; the node may be that fork, unless its image is a published one. */
export function shadeByForks(
  { dialect, flags, signs }: Kind,
  settings: Record<string, Setting>,
  release: ReleaseFound,
  environment: ReadonlyMap<string, { readonly value: string | null; readonly origin: Origin }>,
  image: string | null,
): void {
  if (image !== null && signs.entrypoint?.image.test(image) === true) return;
  for (const [name, { value, origin }] of environment) {
    const { fork, flag = '' } = flags.ofFork(name, release) ?? {};
    const parsed = dialect.value('bool', value ?? 'true');
    const isOn = 'value' in parsed && parsed.value === true;
    if (fork === undefined || !isOn || settings[flag]?.origin.kind !== 'default') continue;
    shade(settings, [flag], `${name} switches it on if the node is ${fork}, which is not known`, origin);
  }
}

/** Unread environment variables may set any flag that nothing else sets; `reason` null: all variables were read. */
export function shadedByUnseen(
  values: Readonly<Record<string, Setting>>,
  reason: string | null,
  file: ConfigFile | null,
): Readonly<Record<string, Setting>> {
  if (reason === null) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, setting]) => [
      name,
      setting.origin.kind === 'default' && name !== file?.flag
        ? {
            ...setting,
            value: null,
            shadowed: [{ value: setting.value, origin: setting.origin }],
            indeterminate: reason,
          }
        : setting,
    ]),
  );
}

/** Unknown words may change these settings. */
export function shade(
  settings: Record<string, Setting>,
  names: readonly string[],
  reason: string,
  origin: Origin,
): void {
  for (const name of names) {
    const before = settings[name];
    if (before === undefined) continue;
    const shadowed = [{ value: before.value, origin: before.origin }, ...before.shadowed];
    settings[name] = { value: null, origin, shadowed, indeterminate: reason };
  }
}
