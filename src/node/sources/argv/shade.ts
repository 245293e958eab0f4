/** Marks settings unknown that an unread source may change. The value without that source is kept as shadowed. */
import type { Origin, Setting } from '../../facts/settings.js';
import type { ConfigFile, Flag, FlagSet } from '../../kinds/kind.js';

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
