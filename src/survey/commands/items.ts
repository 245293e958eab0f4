/** The price list of `survey serve --items`: an INI file with a section for each item. */
import { parse } from 'ini';
import { KaiactlError } from '../../errors.js';
import { readText } from '../../input.js';
import { priceProblem } from '../protocol/price.js';
import { gateways, type PaymentGateway } from '../protocol/wire.js';
import type { Item } from '../server/live-orders.js';

/**
 * Items by identifier. A section holds `price`, and `currency-code` (KAIA) and `pg-type` (CRYPTO) where they differ.
 * @throws {KaiactlError} when the file cannot be read or is larger than 16 MiB, or a price is not one (exit 2)
 */
export async function readItems(path: string): Promise<ReadonlyMap<string, Item>> {
  const text = await readText(path, { what: `the price list ${path}`, mib: 16 });
  return new Map(Object.entries(parse(text)).map(([name, section]) => [name, item(path, name, section)]));
}

function item(path: string, name: string, section: unknown): Item {
  const where = `${path}: [${name}]`;
  if (typeof section !== 'object' || section === null) {
    throw new KaiactlError(`${where} is not a section`, { hint: 'Write [item] and below it price = 1.5.' });
  }
  const entries = section as Record<string, unknown>;
  const text = (key: string, otherwise: string) => String(entries[key] ?? otherwise);
  const unknown = Object.keys(entries).find((key) => !['price', 'currency-code', 'pg-type'].includes(key));
  if (unknown !== undefined) throw new KaiactlError(`${where} has an unknown key ${unknown}`);
  const [price, currencyCode] = [text('price', ''), text('currency-code', 'KAIA')];
  const gateway = gateways.find((one) => one === text('pg-type', 'CRYPTO'));
  if (gateway === undefined) throw new KaiactlError(`${where}: pg-type is none of ${gateways.join(', ')}`);
  const problem = priceProblem(gateway satisfies PaymentGateway, currencyCode, price);
  if (problem !== null) throw new KaiactlError(`${where}: ${problem}`);
  return { price, currencyCode };
}
