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
  const open = flags.flags.filter(
    (flag) => !given.has(flag) && flag.name !== file.flag && settable?.has(flag.name) !== false,
  );
  const names = open.map(({ name }) => name);
  shade(settings, names, `--${file.flag} names ${path}, which is not read`, origin);
}

/** A command that is not followed may set the variable of any flag that neither the command line nor a known variable sets. */
export function shadeByEnvironment(
  { flags }: FlagSet,
  settings: Record<string, Setting>,
  setter: string,
  file: ConfigFile | null,
): void {
  for (const { name, environment } of flags) {
    const variable = environment.at(-1);
    const isOpen = /^(?:default|yaml|toml)$/.test(settings[name]?.origin.kind ?? '');
    if (isOpen && variable !== undefined && name !== file?.flag)
      shade(settings, [name], `${setter} may set ${variable}`);
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

/** Unread environment variables may set any flag that nothing else sets; `reason` null if all variables were read. */
export function shadedByUnseen(
  values: Readonly<Record<string, Setting>>,
  reason: string | null,
  file: ConfigFile | null,
): Readonly<Record<string, Setting>> {
  if (reason === null) return values;
  const open = Object.keys(values).filter(
    (name) => values[name]?.origin.kind === 'default' && name !== file?.flag,
  );
  const shaded = { ...values };
  shade(shaded, open, reason);
  return shaded;
}

/** Makes these settings unknown; `origin`: what may change them, by default that of their value. */
export function shade(
  settings: Record<string, Setting>,
  names: readonly string[],
  reason: string,
  origin?: Origin,
): void {
  for (const name of names) {
    const before = settings[name];
    if (before === undefined) continue;
    const shadowed = [{ value: before.value, origin: before.origin }, ...before.shadowed];
    settings[name] = { value: null, origin: origin ?? before.origin, shadowed, indeterminate: reason };
  }
}
