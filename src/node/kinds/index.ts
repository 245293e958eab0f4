/** Every kind of node that kaiactl knows. */
import type { Policy } from '../facts/policy.js';
import { kinds } from './all.js';

export { kinds };

/** The built-in policies of all kinds, by name. */
export const policies: Readonly<Record<string, Policy>> = Object.assign(
  {},
  ...kinds.map((kind) => kind.policies),
);

/** The roles of all kinds. */
export const roles: readonly string[] = [...new Set(kinds.flatMap((kind) => kind.roles))];

/** The programs of all kinds. */
export const programs: readonly string[] = [...new Set(kinds.flatMap((kind) => kind.programs))];

/** The launchers of all kinds. */
export const launchers: readonly string[] = kinds.flatMap((kind) => kind.launchers?.names ?? []);

/** The packages of all kinds. */
export const packages: readonly string[] = [
  ...new Set(kinds.flatMap((kind) => kind.launchers?.packages ?? [])),
];
