/** Who may ask for a payment with real money: the operator, or anybody at the prices of a list. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { PaymentGateway, StoreRequest } from '../protocol/wire.js';

/** What an item costs. The unit of a price depends on its gateway: STRIPE counts cents, the others whole units. */
export interface Item {
  readonly pgType: PaymentGateway;
  readonly currencyCode: string;
  readonly price: string;
}

export interface LiveRules {
  /** Sent as `Authorization: Bearer …` by the operator's own programs; null: there is none. */
  readonly secret: string | null;
  /** By item identifier; null: there is no list. */
  readonly items: ReadonlyMap<string, Item> | null;
}

/** Why the order may not be made with real money, for the log; null: it may, or it is a test. */
export function liveProblem(
  order: StoreRequest,
  authorization: string | undefined,
  { secret, items }: LiveRules,
): string | null {
  if (order.testMode) return null;
  if (secret !== null && authorization !== undefined && same(authorization, `Bearer ${secret}`)) return null;
  if (items === null) return 'testMode false needs the operator’s secret, or a price list (--items)';
  const item = items.get(order.itemIdentifier);
  if (item === undefined) return 'the item is not in the price list';
  const differs = (['pgType', 'currencyCode', 'price'] as const).find((name) => item[name] !== order[name]);
  return differs === undefined ? null : `the ${differs} is not that of the price list`;
}

function same(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
