/** The messaging platform's token of a join, and its user. */
import { KaiactlError } from '../../errors.js';
import { objectOf } from '../../util/json.js';
import type { JoinerOptions, JoinTools } from './join-tools.js';

export interface Claims {
  /** The user id. */
  readonly sub: string;
  /** Seconds since 1970, or null. */
  readonly exp: number | null;
}

/** The unverified claims of an ID token (a JWT); null for an access token, which is opaque. */
export function claimsOf(token: string): Claims | null {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1];
  if (payload === undefined) return null;
  const { sub, exp } = objectOf(Buffer.from(payload, 'base64url').toString('utf8')) ?? {};
  if (typeof sub !== 'string' || !isUserId(sub)) return null;
  return { sub, exp: typeof exp === 'number' ? exp : null };
}

/** Whether the text can be a user id: up to 256 visible ASCII characters. */
function isUserId(text: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(text);
}

/** The user id of the options, or of the token. @throws {KaiactlError} if both lack it (exit 2) */
export function userIdOf(options: JoinerOptions, claims: Claims | null): string {
  const userId = options.userId ?? claims?.sub;
  if (userId === undefined) {
    throw new KaiactlError('the token names no user (an access token never does)', {
      hint: 'Give --user-id.',
    });
  }
  if (!isUserId(userId))
    throw new KaiactlError('the user id is invalid', { hint: 'Like U and 32 hexadecimal digits.' });
  return userId;
}

/** The token of a batch line, a file or the environment. @throws {KaiactlError} if there is none (exit 2) */
export async function tokenOf(options: JoinerOptions, { host, secrets }: JoinTools): Promise<string> {
  const { idTokenFile } = options;
  const token =
    options.idToken ??
    (idTokenFile === undefined
      ? host.env.KAIACTL_ID_TOKEN?.trim()
      : await secrets.read(idTokenFile, 'the id token', 'lesser'));
  if (token === undefined || token === '') {
    throw new KaiactlError('no id token given', {
      hint: 'Give --id-token-file (- is stdin) or set KAIACTL_ID_TOKEN.',
    });
  }
  if (!/^[\x21-\x7e]{1,16384}$/.test(token)) {
    throw new KaiactlError('the id token is invalid: it contains blanks or more than one line');
  }
  return token;
}

/** Warns about an expired token, and a token of another user. */
export async function warnAbout(
  claims: Claims | null,
  options: JoinerOptions,
  { host, session }: JoinTools,
): Promise<void> {
  if (claims === null) return;
  if (claims.exp !== null && claims.exp * 1000 <= host.now()) {
    await session.say('warning: the id token has expired; most APIs will refuse it');
  }
  if (options.userId !== undefined && options.userId !== claims.sub) {
    await session.say('warning: the id token names another user than --user-id; the API uses the token');
  }
}
