/** A payment as it is asked for: checked before the portal sees it. */

import { priceProblem } from '../protocol/price.js';
import { field } from '../protocol/upstream.js';
import { gateways, type StoreRequest } from '../protocol/wire.js';

/** The order, or the sentence that says what is wrong with it. */
export type Order = { readonly order: StoreRequest } | { readonly wrong: string };

/** Reads the body of a payment request. Lengths and price forms are the portal's. */
export function readOrder(body: unknown): Order {
  const text = (name: string): string => {
    const value = field(body, name);
    return typeof value === 'string' ? value : '';
  };
  const order = {
    buyerAddress: text('buyerAddress'),
    itemIdentifier: text('itemIdentifier'),
    name: text('name'),
    imageUrl: text('imageUrl'),
    pgType: text('pgType') as StoreRequest['pgType'],
    currencyCode: text('currencyCode'),
    price: text('price'),
    testMode: field(body, 'testMode') as boolean,
  };
  const wrong = fault(order);
  return wrong === null ? { order } : { wrong };
}

function fault(order: StoreRequest): string | null {
  if (!/^0x[0-9a-f]{40}$/i.test(order.buyerAddress)) return 'buyerAddress is not an address';
  if (order.itemIdentifier === '' || order.itemIdentifier.length > 256)
    return 'itemIdentifier is missing or long';
  if (order.name === '' || order.name.length > 256) return 'name is missing or long';
  if (order.imageUrl.length > 512 || !/^https?:\/\/\S+$/.test(order.imageUrl))
    return 'imageUrl is not an http(s) URL';
  if (!gateways.includes(order.pgType)) return `pgType is none of ${gateways.join(', ')}`;
  if (typeof order.testMode !== 'boolean') return 'testMode is neither true nor false';
  return priceProblem(order.pgType, order.currencyCode, order.price);
}
