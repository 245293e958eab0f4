/** A payment: what an order may hold, who may ask for one with real money, and whether what was paid is what was ordered. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { field } from '../../util/json.js';
import { priceProblem } from '../protocol/price.js';
import { gateways, type PaymentGateway, type StoreRequest } from '../protocol/wire.js';

/** The order in the body of a request, or what is wrong with it. Limits on lengths and prices are the portal's. */
export function readOrder(body: unknown): { readonly order: StoreRequest } | { readonly wrong: string } {
  const text = (name: string): string => {
    const value = field(body, name);
    return typeof value === 'string' ? value : '';
  };
  const order = {
    buyerAddress: text('buyerAddress'),
    itemIdentifier: text('itemIdentifier'),
    name: text('name'),
    imageUrl: text('imageUrl'),
    pgType: text('pgType') as PaymentGateway,
    price: text('price'),
    currencyCode: text('currencyCode'),
    testMode: field(body, 'testMode') as boolean,
  };
  const wrong = fault(order);
  return wrong === null ? { order } : { wrong };
}

function fault(order: StoreRequest): string | null {
  const isShort = (text: string) => text !== '' && text.length <= 256;
  if (!/^0x[0-9a-f]{40}$/i.test(order.buyerAddress)) return 'buyerAddress is not an address';
  if (!isShort(order.itemIdentifier)) return 'itemIdentifier is missing or long';
  if (!isShort(order.name)) return 'name is missing or long';
  const texts = ['itemIdentifier', 'name'] as const;
  const hidden = texts.find((one) => isHidden(order[one]));
  if (hidden !== undefined) return `${hidden} holds control characters`;
  if (order.imageUrl.length > 512 || !/^https?:\/\/\S+$/.test(order.imageUrl))
    return 'imageUrl is not an http(s) URL';
  if (!gateways.includes(order.pgType)) return `pgType is none of ${gateways.join(', ')}`;
  if (typeof order.testMode !== 'boolean') return 'testMode is neither true nor false';
  return priceProblem(order.pgType, order.currencyCode, order.price);
}

/** Whether the text holds characters that change how it is shown: control characters, and marks of direction. */
export function isHidden(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** An item's price. Its unit depends on the gateway: STRIPE counts cents, the others whole units. */
export type Item = Pick<StoreRequest, 'pgType' | 'currencyCode' | 'price'>;

export interface LiveRules {
  /** The operator's bearer token; null if there is none. */
  readonly secret: string | null;
  /** By item identifier; null if there is no list. */
  readonly items: ReadonlyMap<string, Item> | null;
  readonly testPayments: boolean;
}

/** Why the order is refused, for the log; null if it is allowed. */
export function liveProblem(order: StoreRequest, authorization: string | undefined, rules: LiveRules) {
  const { items } = rules;
  if (order.testMode) return rules.testPayments ? null : 'test payments are refused (--no-test-payments)';
  if (isOperator(authorization, rules)) return null;
  if (items === null) return 'testMode false needs the operator’s secret, or a price list (--items)';
  const item = items.get(order.itemIdentifier);
  if (item === undefined) return 'the item is not in the price list';
  const differs = (['pgType', 'currencyCode', 'price'] as const).find((name) => item[name] !== order[name]);
  return differs === undefined ? null : `the ${differs} is not that of the price list`;
}

/** Whether the Authorization header holds the operator's secret. */
export function isOperator(authorization: string | undefined, { secret }: LiveRules): boolean {
  if (secret === null || authorization === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization), digest(`Bearer ${secret}`));
}

export interface Ordered {
  readonly itemIdentifier: string;
  readonly pgType: string;
  readonly currencyCode: string;
  readonly price: string;
  /** Whether no money moves. */
  readonly testMode: boolean;
}

/**
 * Why a payment that the portal calls paid does not count for its order; null if item, price, mode and, where the portal
 * names one, buyer are those of the order.
 * @param record the portal's; null if it gave none
 * @param isBuyer whether the address is the order's buyer
 */
export function orderProblem(order: Ordered, record: object | null, isBuyer: (address: string) => boolean) {
  if (record === null) return 'the portal did not say what was paid';
  const items = field(record, 'items');
  const item = Array.isArray(items) && items.length === 1 ? field(items[0], 'itemIdentifier') : undefined;
  const buyer = field(record, 'buyerDappPortalAddress');
  const price = field(record, 'price');
  // The portal may add or drop zeros at the end.
  const isText = typeof price === 'number' || (typeof price === 'string' && price !== '');
  const same: Readonly<Record<string, boolean>> = {
    itemIdentifier: item === order.itemIdentifier,
    pgType: field(record, 'pgType') === order.pgType,
    currencyCode: field(record, 'currencyCode') === order.currencyCode,
    price: isText && Number(price) === Number(order.price),
    testMode: field(record, 'testMode') === order.testMode,
    buyerAddress: buyer === undefined || buyer === null || isBuyer(String(buyer)),
  };
  const differs = Object.keys(same).find((name) => same[name] === false);
  return differs === undefined ? null : `the ${differs} is not that of the order`;
}
