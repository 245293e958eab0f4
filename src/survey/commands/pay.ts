/** `kaiactl survey pay`: creates a payment and prints its identifier; in test mode unless --live. */

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { parseAddress } from '../client/target.js';
import { priceOf, priceProblem, spoken } from '../protocol/price.js';
import type { StoreRequest } from '../protocol/wire.js';
import type { PayOptions } from './options/pay.js';
import { clientErrorOf, openSession } from './session.js';

/** Sends the request once; exit 1 when the API refuses, 3 when no usable answer comes. */
export async function run(options: PayOptions, host: Host): Promise<ExitCode> {
  const request = requestOf(options);
  const session = openSession(options, host);
  if (options.live) await confirm(request, options.yes, host);
  const result = await session.client.pay(request);
  if (!result.ok) {
    const { maybeActed, kind } = result.clientError;
    const lost = kind === 'unreachable' || kind === 'unavailable';
    const unsure =
      'It is not known whether a payment was created; it was not sent again. Look in the portal first.';
    const notes = lost ? [maybeActed ? unsure : 'Nothing was sent.'] : [];
    throw clientErrorOf(result.clientError, session, exit.failed, notes);
  }
  const what = request.testMode ? 'a test payment' : 'a real payment';
  const hint = request.testMode ? ' (--live makes a real one)' : '';
  await session.say(`created ${what} of ${spokenPrice(request)}${hint}`);
  const document = {
    pId: result.value,
    testMode: request.testMode,
    price: request.price,
    currencyCode: request.currencyCode,
  };
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(document)}\n` : `${result.value}\n`);
  return exit.ok;
}

/** @throws {KaiactlError} for whatever the portal would refuse (exit 2) */
function requestOf(options: PayOptions): StoreRequest {
  const { pgType, currencyCode, live } = options;
  const price = priceIn(options);
  if (pgType === 'LINE_IAP' && !live) {
    throw new KaiactlError('LINE_IAP has no test mode', { hint: 'Give --live, or another --pg-type.' });
  }
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

/** The price in the portal’s unit, from --price or --amount; @throws {KaiactlError} (exit 2) */
function priceIn({ pgType, currencyCode, price, amount }: PayOptions): string {
  if (price !== undefined && amount !== undefined) {
    throw new KaiactlError('both --price and --amount are given', { hint: 'Leave one of them out.' });
  }
  const [option, given] = amount === undefined ? (['price', price] as const) : (['amount', amount] as const);
  const text = required(given, option, 20);
  const units = option === 'price' ? text : priceOf(pgType, currencyCode, text);
  const problem =
    units === null
      ? `${currencyCode} has two decimals (like 4.99)`
      : priceProblem(pgType, currencyCode, units);
  if (units !== null && problem === null) return units;
  const people = option === 'price' && priceOf(pgType, currencyCode, text) !== text && text.includes('.');
  throw new KaiactlError(`--${option} cannot be charged: ${problem}`, {
    hint: people ? `Nothing was sent. --amount ${text} takes it as people write it.` : 'Nothing was sent.',
  });
}

function spokenPrice({ pgType, currencyCode, price }: StoreRequest): string {
  return spoken(pgType, currencyCode, price);
}

/** Text that is there, short enough, and has nothing in it a reader would not see. */
function required(text: string | undefined, option: string, longest: number): string {
  const problem = (why: string) => new KaiactlError(`--${option} ${why}`, { hint: 'Nothing was sent.' });
  if (text === undefined || text.trim() === '') throw problem('is missing');
  if (text.length > longest) throw problem(`is longer than ${longest} characters`);
  if (/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text))
    throw problem('holds control characters');
  return text;
}

function imageUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || /\s/.test(text)) {
    throw new KaiactlError('--image-url is not an http or https URL', { hint: 'Nothing was sent.' });
  }
  return text;
}

/** Asks on the terminal; @throws {KaiactlError} without one, or when the answer is not yes (exit 2) */
async function confirm(request: StoreRequest, yes: boolean, host: Host): Promise<void> {
  if (yes) return;
  const what = `a real payment of ${spokenPrice(request)} by ${request.buyerAddress}`;
  if (host.stdin.isTTY !== true) {
    throw new KaiactlError(`--live would create ${what}, and there is no terminal to ask on`, {
      hint: 'Give --yes to create it without asking.',
    });
  }
  // Without readline's own terminal mode, which takes Ctrl-C for itself.
  const lines = createInterface({ input: host.stdin, output: host.stderr, terminal: false });
  try {
    const question = `This creates ${what}. Continue? [y/N] `;
    // A closed stdin answers nothing, and would be waited for forever.
    const closed = once(lines, 'close').then(() => '');
    const asked = lines.question(question, { signal: host.signal }).catch(() => '');
    const answer = await Promise.race([asked, closed]);
    if (host.signal.aborted) {
      throw new KaiactlError('interrupted', { exitCode: exit.interrupted, hint: 'Nothing was sent.' });
    }
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    lines.close();
  }
  throw new KaiactlError('not confirmed', { hint: 'Nothing was sent.' });
}
