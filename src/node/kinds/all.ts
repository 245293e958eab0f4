/** Every kind of node that kaiactl knows: a kind more is a folder and a line here. */
import { kaia } from './kaia/index.js';
import type { Kind } from './kind.js';

/** In the order in which a source is held against them. */
export const kinds: readonly Kind[] = [kaia];
