/** Every kind of node that kaiactl knows: a new kind is a folder and a line here. */
import { erigon } from './erigon/index.js';
import { bsc, geth, opGeth } from './geth/index.js';
import type { Kind } from './kind.js';
import { opReth, reth } from './reth/index.js';
import { scriptedKinds } from './scripted.js';

/** A source is compared with the kinds in this order. */
export const kinds: readonly Kind[] = [...scriptedKinds, geth, bsc, opGeth, erigon, reth, opReth];
