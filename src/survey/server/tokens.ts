/** Verifies the messaging platform's tokens, as LINE Login documents it. */
import { subtle } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import pLimit from 'p-limit';
import { ask, type Upstream } from '../../http/ask.js';
import { field, jsonOf } from '../../util/json.js';
import { once } from '../../util/once.js';
import { busy, Outage, Refused } from '../protocol/refused.js';
import { platformKeys, unverified } from './platform-keys.js';

export interface TokenSettings {
  /** Tokens for any other channel are refused. */
  readonly channelId: string;
  readonly issuer: string;
  /** Keys of ES256 tokens. */
  readonly jwksUrl: string;
  /** Key of HS256 tokens; null if those are refused. */
  readonly channelSecret: string | null;
  /** Verifies ID tokens (POST id_token, client_id); null if they are verified here. */
  readonly verifyUrl: string | null;
  /** Returns the channel of an access token. */
  readonly accessVerifyUrl: string;
  /** Returns the user of an access token. */
  readonly profileUrl: string;
  readonly timeoutMs: number;
}

/** The documented addresses of the platform. */
export const lineEndpoints = {
  issuer: 'https://access.line.me',
  jwksUrl: 'https://api.line.me/oauth2/v2.1/certs',
  accessVerifyUrl: 'https://api.line.me/oauth2/v2.1/verify',
  profileUrl: 'https://api.line.me/v2/profile',
} as const;

/**
 * Resolves with the user's id. A nonce, if given, must be the token's.
 * @throws {Refused} INVALID_TOKEN when the token is not valid, UNAVAILABLE when it cannot be verified now
 */
export type VerifyToken = ((token: unknown, nonce?: string) => Promise<string>) & {
  /** The state of the platform as the last tokens found it, for monitoring. */
  platform?(): PlatformState;
};

export interface PlatformState {
  /** Why tokens cannot be verified now; null if they can, or no token came yet. */
  readonly problem: string | null;
  readonly facts: Readonly<Record<'platformUp' | 'platformKeysAgeSeconds', number | null>>;
}

/** Concurrent tokens that the platform itself verifies, and those that wait: fewer than there may be joins. */
const [onlineSlots, maxOnlineWaiting] = [64, 192];

/** Verifies both kinds: ID tokens (signed, with an issuer) and access tokens (everything else). */
export function tokenVerifier(settings: TokenSettings): VerifyToken {
  const keys = keysOf(settings);
  const slots = pLimit(onlineSlots);
  /** Whether the platform answered the last token that it verified; null if there was none. */
  let answered: boolean | null = null;
  const online = <T>(work: () => Promise<T>): Promise<T> => {
    if (slots.pendingCount >= maxOnlineWaiting) throw busy('the platform verifies too many tokens');
    return slots(async () => {
      try {
        const found = await work();
        answered = true;
        return found;
      } catch (error) {
        answered = !(error instanceof Outage);
        throw error;
      }
    });
  };
  const platform = (): PlatformState => {
    const [ageSeconds, isFailing] = [keys.remote.ageSeconds(), keys.remote.isFailing()];
    const known = [isFailing === null ? null : !isFailing, answered].filter((one) => one !== null);
    const problem = isFailing === true && ageSeconds === null ? 'the platform’s keys cannot be read' : null;
    const platformUp = known.length === 0 ? null : Number(known.every(Boolean));
    return { problem, facts: { platformUp, platformKeysAgeSeconds: ageSeconds } };
  };
  const verify = async (token: unknown, nonce?: string) => {
    if (typeof token !== 'string' || token === '') throw invalid('it is missing');
    if (token.length > 8192) throw invalid('it is too long');
    if (!isIdToken(token)) return online(() => userOfAccessToken(token, settings));
    const { verifyUrl } = settings;
    const claims =
      verifyUrl === null
        ? await verifyHere(token, settings, keys)
        : await online(() => verifyThere(token, settings, verifyUrl));
    if (nonce !== undefined && claims.nonce !== nonce) throw invalid('its nonce is another one');
    return userId(claims.sub);
  };
  return Object.assign(verify, { platform });
}

function invalid(reason: string): Refused {
  return new Refused('INVALID_TOKEN', 'the token was not accepted', reason, { argument: 'idToken' });
}

/** The platform's access tokens have three parts too, but the second is not JSON. */
function isIdToken(token: string): boolean {
  const [, payload = '', signature] = token.split('.');
  const claims = jsonOf(Buffer.from(payload, 'base64url').toString('utf8'));
  return signature !== undefined && typeof claims === 'object' && claims !== null;
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };

function keysOf({ jwksUrl, channelSecret, timeoutMs }: TokenSettings) {
  const raw = channelSecret === null ? null : Buffer.from(channelSecret);
  return {
    remote: platformKeys(jwksUrl, timeoutMs),
    secret: raw && once(() => subtle.importKey('raw', raw, hmac, false, ['verify'])),
  };
}

async function verifyHere(token: string, settings: TokenSettings, keys: ReturnType<typeof keysOf>) {
  const { issuer, channelId: audience } = settings;
  const check = { issuer, audience, clockTolerance: 5, requiredClaims: ['exp', 'sub'] };
  try {
    if (decodeProtectedHeader(token).alg !== 'HS256')
      return (await jwtVerify(token, keys.remote.find, { ...check, algorithms: ['ES256'] })).payload;
    if (keys.secret === null) throw invalid('HS256 is not accepted here');
    return (await jwtVerify(token, await keys.secret(), { ...check, algorithms: ['HS256'] })).payload;
  } catch (error) {
    if (error instanceof Refused) throw error;
    const why = whyNot(error);
    throw why === null ? unavailable('the platform’s keys could not be read') : invalid(why);
  }
}

/** What is wrong with the token; null if the keys could not be read. */
function whyNot(error: unknown): string | null {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'it is for another channel';
    if (error.claim === 'iss') return 'it is from another issuer';
    return `its claim “${error.claim}” does not fit`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not accepted here';
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is not one of the platform’s';
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'it is malformed';
  return error instanceof errors.JOSENotSupported ? 'its kind is not accepted here' : null;
}

async function verifyThere(token: string, settings: TokenSettings, url: string): Promise<JWTPayload> {
  const claims = await asked(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ id_token: token, client_id: settings.channelId }).toString(),
    timeoutMs: settings.timeoutMs,
  });
  if (field(claims, 'aud') !== settings.channelId) throw invalid('it is for another channel');
  if (field(claims, 'iss') !== settings.issuer) throw invalid('it is from another issuer');
  return claims as JWTPayload;
}

async function userOfAccessToken(token: string, settings: TokenSettings): Promise<string> {
  const timeoutMs = settings.timeoutMs;
  const query = new URLSearchParams({ access_token: token });
  const grant = await asked(`${settings.accessVerifyUrl}?${query}`, { method: 'GET', timeoutMs });
  if (field(grant, 'client_id') !== settings.channelId) throw invalid('it is for another channel');
  const left = field(grant, 'expires_in');
  if (typeof left !== 'number' || left <= 0) throw invalid('it has expired');
  const headers = { Authorization: `Bearer ${token}` };
  const profile = await asked(settings.profileUrl, { method: 'GET', headers, timeoutMs });
  return userId(field(profile, 'userId'));
}

/**
 * The platform's answer about a token.
 * @throws {Refused} UNAVAILABLE when the answer is missing or malformed, INVALID_TOKEN when the platform rejects it
 */
async function asked(url: string, upstream: Upstream): Promise<object> {
  const answer = await ask(url, upstream);
  if (answer === null) throw unavailable('the verification service did not answer');
  const { status, json } = answer;
  if (status >= 500 || status === 429) throw unavailable(`the verification service answered ${status}`);
  if (typeof json !== 'object' || json === null)
    throw unavailable('the verification service gave an unreadable answer');
  if (status !== 200) throw invalid(described(json));
  return json;
}

function userId(value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= 255) return value;
  throw invalid('it names no user');
}

function unavailable(reason: string): Outage {
  return new Outage(unverified, reason);
}

/** The platform's own description, if it is plain text. */
function described(json: unknown): string {
  const text = field(json, 'error_description');
  return typeof text === 'string' && /^[\w .,'-]{1,100}$/.test(text)
    ? text
    : 'the verification service refused it';
}
