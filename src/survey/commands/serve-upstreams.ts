/** The messaging platform and the payment portal of `survey serve`, from its options. */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { shellWord } from '../../util/shell-word.js';
import { visible } from '../../util/visible.js';
import type { LiveRules } from '../server/order.js';
import type { Tls } from '../server/parts.js';
import type { PortalSettings } from '../server/portal.js';
import type { ServeSettings } from '../server/serve.js';
import { lineEndpoints, type TokenSettings } from '../server/tokens.js';
import { readItems } from './items.js';
import type { ServeOptions } from './options/serve.js';
import { readSecret } from './secrets.js';
import { duration, url } from './serve-base.js';

/** Null without --channel-id. @throws {KaiactlError} (exit 2) */
export function tokenSettings(options: ServeOptions, host: Host, notes: string[]): TokenSettings | null {
  const { channelId } = options;
  if (channelId === undefined) return null;
  if (!/^\d{1,20}$/.test(channelId)) {
    throw new KaiactlError(`--channel-id ${visible(channelId, 40)} is not a channel id`, {
      hint: 'It is a number, which the console of the messaging platform shows: 1234567890.',
    });
  }
  return {
    channelId,
    issuer: options.tokenIssuer ?? lineEndpoints.issuer,
    jwksUrl: url(options.jwksUrl ?? lineEndpoints.jwksUrl, '--jwks-url'),
    channelSecret: secret(
      [host.env.KAIACTL_CHANNEL_SECRET, options.channelSecretFile],
      'the channel secret',
      { host, notes },
    ),
    verifyUrl:
      options.tokenVerifyUrl === undefined ? null : url(options.tokenVerifyUrl, '--token-verify-url'),
    accessVerifyUrl: url(
      options.accessTokenVerifyUrl ?? lineEndpoints.accessVerifyUrl,
      '--access-token-verify-url',
    ),
    profileUrl: url(options.profileUrl ?? lineEndpoints.profileUrl, '--profile-url'),
    timeoutMs: duration(options.upstreamTimeout, '--upstream-timeout'),
  };
}

/**
 * Null without --payment-url.
 * @throws {KaiactlError} when callbacks or credentials are missing (exit 2)
 */
export function portal(options: ServeOptions, host: Host, notes: string[]): ServeSettings['portal'] {
  if (options.paymentUrl === undefined) return null;
  const publicUrl = options.publicUrl;
  if (publicUrl === undefined) {
    throw new KaiactlError('--payment-url needs --public-url, the address that the portal calls back');
  }
  const settings = portalSettings(url(publicUrl, '--public-url'), url(options.paymentUrl, '--payment-url'), {
    ...credentials(options, host, notes),
    callbackField: options.callbackField,
    timeoutMs: duration(options.upstreamTimeout, '--upstream-timeout'),
  });
  return () => settings;
}

/** The rules for real payments. @throws {KaiactlError} (exit 2) */
export async function liveRules(options: ServeOptions, host: Host, notes: string[]): Promise<LiveRules> {
  const { operatorSecretFile, items, testPayments } = options;
  if (options.paymentUrl !== undefined && testPayments) {
    notes.push('anybody can order test payments, which cost nothing: --no-test-payments refuses them');
  }
  return {
    secret: secret([host.env.KAIACTL_OPERATOR_SECRET, operatorSecretFile], 'the operator’s secret', {
      host,
      notes,
      key: true,
    }),
    items: items === undefined ? null : await readItems(resolve(host.cwd, items)),
    testPayments,
  };
}

/** Null without --tls-cert. @throws {KaiactlError} when one of the two is missing or cannot be read (exit 2) */
export function tls(options: ServeOptions, host: Host, notes: string[]): Tls | null {
  const { tlsCert, tlsKey } = options;
  if (tlsCert === undefined && tlsKey === undefined) return null;
  const key = secret([undefined, tlsKey], 'the key of the certificate', { host, notes, key: true });
  if (tlsCert === undefined || key === null) throw new KaiactlError('--tls-cert and --tls-key go together');
  return { cert: readSecret(resolve(host.cwd, tlsCert), 'the certificate').text, key };
}

/** The portal's settings, with callback URLs below `base`. */
export function portalSettings(
  base: string,
  portalUrl: string,
  rest: Pick<PortalSettings, 'clientId' | 'clientSecret' | 'callbackField' | 'timeoutMs'>,
): PortalSettings {
  return {
    ...rest,
    url: portalUrl,
    confirmUrl: `${base}/api/store/callback`,
    lockUrl: `${base}/api/store/lock`,
    unlockUrl: `${base}/api/store/unlock`,
  };
}

function credentials(options: ServeOptions, host: Host, notes: string[]) {
  const file = options.paymentCredentialsFile;
  const lines = file === undefined ? '' : (secret([undefined, file], 'credentials', { host, notes }) ?? '');
  const line = (name: string) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(\\S+)[ \\t]*\\r?$`, 'm').exec(lines)?.[1];
  const clientId = host.env.KAIACTL_PAYMENT_CLIENT_ID ?? line('client-id');
  const clientSecret = host.env.KAIACTL_PAYMENT_CLIENT_SECRET ?? line('client-secret');
  if (clientId === undefined || clientSecret === undefined) {
    throw new KaiactlError('--payment-url needs the portal’s client id and secret', {
      hint: 'Give --payment-credentials-file, or KAIACTL_PAYMENT_CLIENT_ID and KAIACTL_PAYMENT_CLIENT_SECRET.',
    });
  }
  return { clientId, clientSecret };
}

/**
 * A secret from the environment, else from a file; null when neither is given. Like ssh, refuses a key that others may
 * read; for other secrets that is a note.
 * @throws {KaiactlError} when the file cannot be read (exit 2)
 */
export function secret(
  [text, file]: readonly [text: string | undefined, file: string | undefined],
  what: string,
  { host, notes, key = false }: { host: Host; notes: string[]; key?: boolean },
): string | null {
  if (text !== undefined && text !== '') return text;
  if (file === undefined) return null;
  const read = readSecret(resolve(host.cwd, file), what);
  if (read.shared && host.platform !== 'win32') {
    const hint = `chmod 600 ${shellWord(file)}`;
    if (key)
      throw new KaiactlError(`${what} in ${file} can be read by other users; it is not used`, { hint });
    notes.push(`${what} in ${file} can be read by other users; ${hint}`);
  }
  return read.text;
}
