/** Prices that the payment portal accepts (docs.unifi.me, payment provider: currencies and minimum charges). */
import type { PaymentGateway } from './wire.js';

/** Limits of a currency, in the unit of the price. */
interface Currency {
  readonly decimals: number;
  readonly min: string;
  readonly max: string;
  /** Name of the price’s unit, if it is a hundredth of the currency. */
  readonly cent?: string;
}

const hundredths = (min: string, cent: string): Currency => ({ decimals: 0, min, max: '99999900', cent });

/** Gateway → currency → limits. The app store prices in-app purchases, so any currency is accepted. */
const currencies: Readonly<Record<PaymentGateway, Readonly<Record<string, Currency>> | null>> = {
  CRYPTO: {
    KAIA: { decimals: 4, min: '0.01', max: '999999' },
    USDT: { decimals: 2, min: '0.01', max: '999999' },
  },
  STRIPE: {
    USD: hundredths('50', 'cent'),
    THB: hundredths('1800', 'satang'),
    TWD: hundredths('1700', 'cent'),
    KRW: { decimals: 0, min: '750', max: '999999' },
    JPY: { decimals: 0, min: '80', max: '999999' },
  },
  LINE_IAP: null,
};

const anyCurrency: Currency = { decimals: 4, min: '0.0001', max: '999999' };

/** Why the price cannot be charged, as a clause, or null. */
export function priceProblem(gateway: PaymentGateway, code: string, price: string): string | null {
  const known = currencies[gateway];
  if (known !== null && !Object.hasOwn(known, code))
    return `${gateway} does not take the currency ${code}; it takes ${Object.keys(known).join(', ')}`;
  if (!/^[A-Z]{3,5}$/.test(code)) return 'the currency is not a code of three to five capital letters';
  const currency = known?.[code] ?? anyCurrency;
  const digits = /^(?:0|[1-9]\d{0,11})(?:\.(\d{1,18}))?$/.exec(price);
  if (digits === null) return 'the price is not a plain decimal number (like 1 or 0.5)';
  const amount = `an amount in ${code}`;
  if ((digits[1] ?? '').length > currency.decimals)
    return currency.decimals === 0
      ? `${amount} is a whole number${currency.cent === undefined ? '' : ` of ${currency.cent}s`}`
      : `${amount} has at most ${currency.decimals} decimals`;
  const unit = currency.cent === undefined ? code : `${code} ${currency.cent}s`;
  if (scaled(price) < scaled(currency.min)) return `the minimum charge is ${currency.min} ${unit}`;
  if (scaled(price) > scaled(currency.max)) return `the maximum charge is ${currency.max} ${unit}`;
  return null;
}

/** A price for people: 499 cents are “4.99 USD (499 cents)”. */
export function formatPrice(gateway: PaymentGateway, code: string, price: string): string {
  const cent = currencies[gateway]?.[code]?.cent;
  if (cent === undefined) return `${price} ${code}`;
  const digits = price.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} ${code} (${price} ${cent}s)`;
}

/** The portal's price of a decimal amount (4.99 USD: 499); null if the amount is invalid. */
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
