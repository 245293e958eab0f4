/** Writes a plan for each product. */
import type { Product } from '../facts/products.js';
import { caddy } from './caddy.js';
import { compose } from './compose.js';
import { nftables } from './nftables.js';
import { nginx, njs } from './nginx.js';
import type { Plan } from './plan.js';
import { systemd } from './systemd.js';

export { readNetwork, readServerName } from './given.js';
export { type Plan, planOf } from './plan.js';

const writers: Readonly<Record<Product, (plan: Plan) => string>> = {
  nginx,
  njs,
  caddy,
  nftables,
  systemd,
  compose,
};

/** A whole file; its comments say where to save it, what it needs and what it assumes. */
export function snippet(product: Product, plan: Plan): string {
  return writers[product](plan);
}
