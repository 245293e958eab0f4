/** What a plan can be written for. */

import type { Product } from '../facts/products.js';
import { caddy } from './caddy.js';
import { compose } from './compose.js';
import { nftables } from './nftables.js';
import { nginx } from './nginx.js';
import { njs } from './njs.js';
import type { Plan } from './plan.js';
import { systemd } from './systemd.js';

export { readNetwork } from './network.js';
export { type Plan, planOf } from './plan.js';
export { readServerName } from './server-name.js';

const writers: Readonly<Record<Product, (plan: Plan) => string>> = {
  nginx,
  njs,
  caddy,
  nftables,
  systemd,
  compose,
};

/** The snippet: a whole file, with what it needs, where it goes and what it assumes in its comments. */
export function snippet(product: Product, plan: Plan): string {
  return writers[product](plan);
}
