/** Every kind of node that kaiactl knows: a new kind is a folder and a line here. */
import { erigon } from './erigon/index.js';
import { bsc, geth, opGeth } from './geth/index.js';
import { kaia } from './kaia/index.js';
import type { Kind } from './kind.js';
import { opReth, reth } from './reth/index.js';

/** A source is compared with the kinds in this order. */
export const kinds: readonly Kind[] = [kaia, geth, bsc, opGeth, erigon, reth, opReth];
