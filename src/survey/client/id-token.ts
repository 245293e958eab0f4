/** What can be read in a messaging platform's token without verifying it: that is the server's work. */
import { objectOf } from '../../util/json.js';

export interface Claims {
  /** The user id. */
  readonly sub: string;
  /** Seconds since 1970, if the token says. */
  readonly exp: number | null;
}

/** The claims of an ID token (a JWT); null for an access token, which is opaque. */
export function claimsOf(token: string): Claims | null {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1];
  if (payload === undefined) return null;
  const { sub, exp } = objectOf(Buffer.from(payload, 'base64url').toString('utf8')) ?? {};
  if (typeof sub !== 'string' || !isUserId(sub)) return null;
  return { sub, exp: typeof exp === 'number' ? exp : null };
}

/** Whether the text can be a user id: visible ASCII, not endless. */
export function isUserId(text: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(text);
}
