/** Every kind of node that kaiactl knows. */
import { kinds } from './all.js';

export { kinds };

/** The roles of all kinds. */
export const roles: readonly string[] = [...new Set(kinds.flatMap((kind) => kind.roles))];

/** The programs of all kinds. */
export const programs: readonly string[] = [...new Set(kinds.flatMap((kind) => kind.programs))];
