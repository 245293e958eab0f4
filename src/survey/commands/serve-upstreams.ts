/** The messaging platform and the payment portal of `survey serve`, from its options. All throw a KaiactlError (exit 2). */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readText } from '../../input.js';
import { type IniSection, sectionsOf } from '../../options/ini.js';
import { visible } from '../../util/visible.js';
import { priceProblem } from '../protocol/price.js';
import { gateways } from '../protocol/wire.js';
import type { Item, LiveRules } from '../server/order.js';
import type { Tls } from '../server/parts.js';
import { callbackPaths } from '../server/payment.js';
import type { PortalSettings } from '../server/portal.js';
import type { ServeSettings } from '../server/serve.js';
import { lineEndpoints, type TokenSettings } from '../server/tokens.js';
import type { ServeOptions } from './options/serve.js';
import { readSecret, type ServerSecret } from './secrets.js';
import { milliseconds, url } from './values.js';

/** Null without --channel-id. */
export function tokenSettings(options: ServeOptions, host: Host, secret: ServerSecret): TokenSettings | null {
  const { channelId, tokenVerifyUrl } = options;
  if (channelId === undefined) return null;
  if (!/^\d{1,20}$/.test(channelId))
    throw new KaiactlError(`--channel-id ${visible(channelId, 40)} is not a channel id`, {
      hint: 'It is a number, which the console of the messaging platform shows: 1234567890.',
    });
  const { issuer, jwksUrl, accessVerifyUrl, profileUrl } = lineEndpoints;
  const { KAIACTL_CHANNEL_SECRET: given } = host.env;
  return {
    channelId,
    issuer: options.tokenIssuer ?? issuer,
    jwksUrl: url(options.jwksUrl ?? jwksUrl, 'jwks-url'),
    channelSecret: secret('channel-secret-file', given, options.channelSecretFile, 'lesser'),
    verifyUrl: tokenVerifyUrl === undefined ? null : url(tokenVerifyUrl, 'token-verify-url'),
    accessVerifyUrl: url(options.accessTokenVerifyUrl ?? accessVerifyUrl, 'access-token-verify-url'),
    profileUrl: url(options.profileUrl ?? profileUrl, 'profile-url'),
    timeoutMs: milliseconds(options.upstreamTimeout, 'upstream-timeout'),
  };
}

/** Null without --payment-url. */
export function portal(options: ServeOptions, host: Host, secret: ServerSecret): ServeSettings['portal'] {
  const { paymentUrl, publicUrl, callbackField, upstreamTimeout } = options;
  if (paymentUrl === undefined) return null;
  if (publicUrl === undefined)
    throw new KaiactlError('--payment-url needs --public-url, the address that the portal calls back');
  const settings = portalSettings(url(publicUrl, 'public-url'), {
    ...credentials(options, host, secret),
    url: url(paymentUrl, 'payment-url'),
    callbackField,
    timeoutMs: milliseconds(upstreamTimeout, 'upstream-timeout'),
  });
  return () => settings;
}

export async function liveRules(options: ServeOptions, host: Host, secret: ServerSecret): Promise<LiveRules> {
  const { operatorSecretFile, items, testPayments } = options;
  return {
    secret: secret('operator-secret-file', host.env.KAIACTL_OPERATOR_SECRET, operatorSecretFile),
    items: items === undefined ? null : await readItems(resolve(host.cwd, items)),
    testPayments,
  };
}

/** Null without --tls-cert. */
export function tls({ tlsCert, tlsKey }: ServeOptions, host: Host, secret: ServerSecret): Tls | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  const key = secret('tls-key', undefined, tlsKey);
  if (tlsCert === undefined || key === null) throw new KaiactlError('--tls-cert and --tls-key go together');
  return { cert: readSecret(tlsCert, 'tls-cert', host).text, key };
}

export function portalSettings(
  base: string,
  rest: Omit<PortalSettings, 'confirmUrl' | 'lockUrl' | 'unlockUrl'>,
): PortalSettings {
  const { confirm, lock, unlock } = callbackPaths;
  return { ...rest, confirmUrl: base + confirm, lockUrl: base + lock, unlockUrl: base + unlock };
}

function credentials(options: ServeOptions, { env }: Host, secret: ServerSecret) {
  const lines = secret('payment-credentials-file', undefined, options.paymentCredentialsFile, 'lesser') ?? '';
  const line = (name: string) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(\\S+)[ \\t]*\\r?$`, 'm').exec(lines)?.[1];
  /** An empty variable is none. @throws {KaiactlError} when file and environment differ */
  const oneOf = (variable: string, name: string): string | undefined => {
    const [given, written] = [env[variable] || undefined, line(name)];
    if (given === undefined || written === undefined || given === written) return given ?? written;
    throw new KaiactlError(`${variable} and ${name} of --payment-credentials-file differ`, {
      hint: 'Leave one of them out.',
    });
  };
  const clientId = oneOf('KAIACTL_PAYMENT_CLIENT_ID', 'client-id');
  const clientSecret = oneOf('KAIACTL_PAYMENT_CLIENT_SECRET', 'client-secret');
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  throw new KaiactlError('--payment-url needs the portal’s client id and secret', {
    hint: 'Give --payment-credentials-file, or KAIACTL_PAYMENT_CLIENT_ID and KAIACTL_PAYMENT_CLIENT_SECRET.',
  });
}

const keys = ['pg-type', 'currency-code', 'price'] as const;

/**
 * Items by identifier. A section holds `pg-type`, `currency-code` and `price`, all three: STRIPE prices are in the
 * smallest unit (500 is 5 USD), others in whole units, so a price without its gateway could be undercharged.
 * @throws {KaiactlError} when the file cannot be read or is larger than 16 MiB, or a price is not one (exit 2)
 */
async function readItems(path: string): Promise<ReadonlyMap<string, Item>> {
  const text = await readText(path, { what: `the price list ${path}`, mib: 16 });
  const sections = sectionsOf(path, text, example('survey-7'), 'Write each item once, with one price.');
  return new Map(sections.map((one) => [one.name, item(path, one)]));
}

const example = (name: string) =>
  `Write [${name}], and below it pg-type = CRYPTO, currency-code = KAIA and price = 1.5.`;

function item(path: string, { name, values: entries }: IniSection): Item {
  const wrong = (why: string) => new KaiactlError(`${path}: [${name}] ${why}`, { hint: example(name) });
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
