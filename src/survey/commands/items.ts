/** The price list of `survey serve --items`: an INI file with a section per item. */
import { parse } from 'ini';
import { KaiactlError } from '../../errors.js';
import { readText } from '../../input.js';
import { visible } from '../../util/visible.js';
import { priceProblem } from '../protocol/price.js';
import { gateways } from '../protocol/wire.js';
import type { Item } from '../server/order.js';

const keys = ['pg-type', 'currency-code', 'price'] as const;

/**
 * Items by identifier. A section holds `pg-type`, `currency-code` and `price`, all three: STRIPE prices are in the
 * smallest unit (500 is 5 USD), others in whole units, so a price without its gateway could be undercharged.
 * @throws {KaiactlError} when the file cannot be read or is larger than 16 MiB, or a price is not one (exit 2)
 */
export async function readItems(path: string): Promise<ReadonlyMap<string, Item>> {
  const text = await readText(path, { what: `the price list ${path}`, mib: 16 });
  refuseRepeats(path, text);
  return new Map(Object.entries(parse(text)).map(([name, section]) => [name, item(path, name, section)]));
}

/**
 * A section or a key that is written twice: the parser merges sections and keeps the last value of a key.
 * @throws {KaiactlError} with the line (exit 2)
 */
function refuseRepeats(path: string, text: string): void {
  const sections = new Set<string>();
  let own = new Set<string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const written = line.trim();
    const [, section] = /^\[(.*)\]$/.exec(written) ?? [];
    const key = /^[;#]/.test(written) ? undefined : /^([^=]*?)\s*=/.exec(written)?.[1];
    const [name, known] = section === undefined ? [key, own] : [written, sections];
    if (name === undefined) continue;
    if (known.has(name))
      throw new KaiactlError(`${path}:${at + 1}: ${visible(name, 60)} is written twice`, {
        hint: 'Write each item once, with one price.',
      });
    known.add(name);
    if (section !== undefined) own = new Set();
  }
}

function item(path: string, name: string, section: unknown): Item {
  const wrong = (why: string) =>
    new KaiactlError(`${path}: [${name}] ${why}`, {
      hint: `Write [${name}], and below it pg-type = CRYPTO, currency-code = KAIA and price = 1.5.`,
    });
  if (typeof section !== 'object' || section === null) throw wrong('is not a section');
  const entries = section as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(entries).find((key) => !keys.some((one) => one === key));
  if (unknown !== undefined) throw wrong(`has an unknown key ${unknown}`);
  const missing = keys.find((key) => !Object.hasOwn(entries, key));
  if (missing !== undefined) throw wrong(`has no ${missing}`);
  const [gateway = '', currencyCode = '', price = ''] = keys.map((key) => String(entries[key]));
  const pgType = gateways.find((one) => one === gateway);
  if (pgType === undefined) throw wrong(`has an unknown pg-type; known: ${gateways.join(', ')}`);
  const problem = priceProblem(pgType, currencyCode, price);
  if (problem !== null) throw wrong(`cannot be charged: ${problem}`);
  return { pgType, currencyCode, price };
}
