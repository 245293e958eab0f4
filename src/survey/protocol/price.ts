/** Prices as the payment portal takes them (docs.unifi.me, payment provider: currencies and minimum charges). */
import type { PaymentGateway } from './wire.js';

/** Limits of a currency. Amounts are in the unit the price is written in. */
interface Currency {
  readonly decimals: number;
  readonly least: string;
  readonly most: string;
  /** What one unit of the price is, where it is a hundredth of the currency’s own. */
  readonly cent?: string;
}

const hundredths = (least: string, cent: string): Currency => ({
  ...{ decimals: 0, least, most: '99999900', cent },
});

/** Gateway → currency → limits. An in-app purchase is priced by its store, so any currency goes. */
const currencies: Readonly<Record<PaymentGateway, Readonly<Record<string, Currency>> | null>> = {
  CRYPTO: {
    KAIA: { decimals: 4, least: '0.01', most: '999999' },
    USDT: { decimals: 2, least: '0.01', most: '999999' },
  },
  STRIPE: {
    USD: hundredths('50', 'cent'),
    THB: hundredths('1800', 'satang'),
    TWD: hundredths('1700', 'cent'),
    KRW: { decimals: 0, least: '750', most: '999999' },
    JPY: { decimals: 0, least: '80', most: '999999' },
  },
  LINE_IAP: null,
};

const anyCurrency: Currency = { decimals: 4, least: '0.0001', most: '999999' };

/** Why the price cannot be charged so, or null: one sentence. */
export function priceProblem(gateway: PaymentGateway, code: string, price: string): string | null {
  const known = currencies[gateway];
  if (known !== null && !Object.hasOwn(known, code)) {
    return `${gateway} does not take the currency ${code}; it takes ${Object.keys(known).join(', ')}`;
  }
  if (!/^[A-Z]{3,5}$/.test(code)) return 'the currency is not a code of three to five capital letters';
  const currency = known?.[code] ?? anyCurrency;
  const digits = /^(?:0|[1-9]\d{0,11})(?:\.(\d{1,18}))?$/.exec(price);
  if (digits === null) return 'the price is not a plain decimal number (like 1 or 0.5)';
  const amount = `an amount in ${code}`;
  if ((digits[1] ?? '').length > currency.decimals) {
    return currency.decimals === 0
      ? `${amount} is a whole number${currency.cent === undefined ? '' : ` of ${currency.cent}s`}`
      : `${amount} has at most ${currency.decimals} decimals`;
  }
  const unit = currency.cent === undefined ? code : `${code} ${currency.cent}s`;
  if (scaled(price) < scaled(currency.least))
    return `the least that can be charged is ${currency.least} ${unit}`;
  if (scaled(price) > scaled(currency.most))
    return `the most that can be charged is ${currency.most} ${unit}`;
  return null;
}

/** A price as people read it: 499 cents are “4.99 USD (499 cents)”. */
export function spoken(gateway: PaymentGateway, code: string, price: string): string {
  const cent = currencies[gateway]?.[code]?.cent;
  if (cent === undefined) return `${price} ${code}`;
  const digits = price.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} ${code} (${price} ${cent}s)`;
}

/** The price the portal takes for an amount as people write it (4.99 USD: 499); null when there is none. */
export function priceOf(gateway: PaymentGateway, code: string, amount: string): string | null {
  if (currencies[gateway]?.[code]?.cent === undefined) return amount;
  const [, whole, fraction = ''] = /^(0|[1-9]\d{0,9})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  return whole === undefined ? null : String(Number(whole + fraction.padEnd(2, '0')));
}

/** The decimal times 10^18, exactly. */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}
