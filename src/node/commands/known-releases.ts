/** The releases of each kind of node whose flags, modules and variables are known, as `kaiactl --version -v` prints them. */
import { kinds } from '../kinds/index.js';
import { anyRelease, periodName, rangeName } from '../kinds/release.js';

export function knownReleases(): string {
  return kinds.map((kind) => `${kind.label}: ${rangeName(anyRelease(kind))}`).join('\n');
}

/** The releases that have each of these flags and variables: `--conf from klaytn v1.9.1`. */
export function releasesByName(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    kinds.flatMap(({ flags, launchers }) => {
      const period = name.startsWith('--') ? flags.period(name.slice(2)) : (launchers?.period(name) ?? null);
      return period === null ? [] : [`${name} ${periodName(period)}`];
    }),
  );
}
