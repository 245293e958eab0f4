/** What a payment was ordered for, compared with what the portal recorded. */
import { field } from '../protocol/upstream.js';

/** The order of a payment, under the names of the API. Null fields: an earlier version did not record them. */
export interface Ordered {
  readonly itemIdentifier: string | null;
  readonly pgType: string | null;
  readonly currencyCode: string | null;
  readonly price: string | null;
  /** Whether no money moves. */
  readonly testMode: boolean | null;
}

/** Statuses that say the buyer has paid. */
const paidStatuses: readonly string[] = ['CAPTURED', 'CONFIRMED', 'FINALIZED'];

export function isPaid(status: string): boolean {
  return paidStatuses.includes(status);
}

/**
 * Why a payment that the portal calls paid does not count for its order; null: item, price, mode and, where the portal
 * names one, buyer are those of the order.
 * @param record the portal's; null: it gave none
 * @param isBuyer whether the address is the order's buyer
 */
export function orderProblem(
  order: Ordered,
  record: object | null,
  isBuyer: (address: string) => boolean,
): string | null {
  if (order.itemIdentifier === null) return 'the order was not recorded';
  if (record === null) return 'the portal did not say what was paid';
  const items = field(record, 'items');
  const item = Array.isArray(items) && items.length === 1 ? field(items[0], 'itemIdentifier') : undefined;
  const buyer = field(record, 'buyerDappPortalAddress');
  const same: Readonly<Record<string, boolean>> = {
    itemIdentifier: item === order.itemIdentifier,
    pgType: field(record, 'pgType') === order.pgType,
    currencyCode: field(record, 'currencyCode') === order.currencyCode,
    price: samePrice(field(record, 'price'), order.price),
    testMode: field(record, 'testMode') === order.testMode,
    buyerAddress: buyer === undefined || buyer === null || isBuyer(String(buyer)),
  };
  const differs = Object.keys(same).find((name) => same[name] === false);
  return differs === undefined ? null : `the ${differs} is not that of the order`;
}

/** The portal may add or drop zeros at the end. */
function samePrice(recorded: unknown, ordered: string | null): boolean {
  const text = typeof recorded === 'number' ? String(recorded) : recorded;
  return typeof text === 'string' && text !== '' && Number(text) === Number(ordered);
}
