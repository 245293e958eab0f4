/** The kinds that scripts start. A run that reads only confs loads no others. */
import { kaia } from './kaia/index.js';
import type { Kind } from './kind.js';

export const scriptedKinds: readonly Kind[] = [kaia];
