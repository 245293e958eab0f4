/** `kaiactl survey pay`: creates a payment, a test payment unless --live, and prints its identifier. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { confirm } from '../../terminal/confirm.js';
import { joinWords } from '../../util/words.js';
import { formatPrice, priceOf, priceProblem } from '../protocol/price.js';
import type { StoreRequest } from '../protocol/wire.js';
import { isHidden } from '../server/order.js';
import type { PayOptions } from './options/client.js';
import { clientErrorOf, openSession } from './session.js';
import { parseAddress } from './values.js';

/** Sends the request once. Exit 1: the API refuses; 3: no usable answer. */
export async function run(options: PayOptions, host: Host): Promise<ExitCode> {
  const request = requestOf(options);
  const { testMode, pgType, price, currencyCode } = request;
  const shown = formatPrice(pgType, currencyCode, price);
  const session = openSession(options, host);
  if (options.live) {
    const what = `a real payment of ${shown} by ${request.buyerAddress}`;
    const [effect, unasked] = [`This creates ${what}.`, `--live would create ${what}`];
    await confirm({ effect, unasked, otherwise: 'Nothing was sent.' }, options.yes, host);
  }
  const result = await session.client.pay(request);
  if (!result.ok) {
    const { maybeActed, kind } = result.clientError;
    const lost = kind === 'unreachable' || kind === 'unavailable';
    const unsure = 'A payment may have been created. The request was not sent again. Check the portal first.';
    const notes = maybeActed && kind !== 'refused' ? [unsure] : lost ? ['Nothing was sent.'] : [];
    throw clientErrorOf(result.clientError, session, notes);
  }
  const [kind, note] = testMode ? ['a test', ' (--live makes a real one)'] : ['a real', ''];
  await session.say(`created ${kind} payment of ${shown}${note}`);
  const document = { pId: result.value, testMode, price, currencyCode };
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(document)}\n` : `${result.value}\n`);
  return exit.ok;
}

/** @throws {KaiactlError} for a request that the portal would refuse (exit 2) */
function requestOf(options: PayOptions): StoreRequest {
  const { pgType, currencyCode, live } = options;
  checkMissing(options);
  const price = priceIn(options);
  if (pgType === 'LINE_IAP' && !live)
    throw new KaiactlError('LINE_IAP has no test mode', { hint: 'Give --live, or another --pg-type.' });
  return {
    buyerAddress: parseAddress(required(options.buyerAddress, 'buyer-address', 42), 'the buyer address'),
    itemIdentifier: required(options.itemIdentifier, 'item-identifier', 256),
    name: required(options.name, 'name', 256),
    imageUrl: imageUrl(required(options.imageUrl, 'image-url', 512)),
    pgType,
    currencyCode,
    price,
    testMode: !live,
  };
}

/** @throws {KaiactlError} that names every required option without a value (exit 2) */
function checkMissing(options: PayOptions): void {
  const { price, amount, buyerAddress, itemIdentifier, name, imageUrl } = options;
  const given = {
    price: price ?? amount,
    'buyer-address': buyerAddress,
    'item-identifier': itemIdentifier,
    name,
    'image-url': imageUrl,
  };
  const missing = Object.entries(given).flatMap(([key, text]) =>
    (text ?? '').trim() === '' ? [`--${key}`] : [],
  );
  if (missing.length > 0)
    throw new KaiactlError(`${joinWords(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`, {
      hint: 'Nothing was sent.',
    });
}

/** The price in the portal’s unit, from --price or --amount; @throws {KaiactlError} (exit 2) */
function priceIn({ pgType, currencyCode, price, amount }: PayOptions): string {
  if (price !== undefined && amount !== undefined)
    throw new KaiactlError('both --price and --amount are given', { hint: 'Leave one of them out.' });
  const [option, given] = amount === undefined ? (['price', price] as const) : (['amount', amount] as const);
  const text = required(given, option, 20);
  const units = option === 'price' ? text : priceOf(pgType, currencyCode, text);
  const twoDecimals = `${currencyCode} has two decimals (like 4.99)`;
  const problem = units === null ? twoDecimals : priceProblem(pgType, currencyCode, units);
  if (units !== null && problem === null) return units;
  const decimal = option === 'price' && priceOf(pgType, currencyCode, text) !== text && text.includes('.');
  throw new KaiactlError(`--${option} cannot be charged: ${problem}`, {
    hint: decimal ? `Nothing was sent. --amount ${text} accepts decimals.` : 'Nothing was sent.',
  });
}

function required(text: string | undefined, option: string, maxLength: number): string {
  const problem = (why: string) => new KaiactlError(`--${option} ${why}`, { hint: 'Nothing was sent.' });
  if (text === undefined || text.trim() === '') throw problem('is missing');
  if (text.length > maxLength) throw problem(`is longer than ${maxLength} characters`);
  if (isHidden(text)) throw problem('holds control characters');
  return text;
}

function imageUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || /\s/.test(text))
    throw new KaiactlError('--image-url is not an http or https URL', { hint: 'Nothing was sent.' });
  return text;
}
