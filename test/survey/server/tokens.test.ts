/** Tokens of the messaging platform: what proves a user, and everything that does not. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { refusedBy } from '../../../src/survey/server/failures.js';
import { type Issuer, tokenIssuer } from '../../../src/survey/server/sandbox.js';
import { type TokenSettings, tokenVerifier } from '../../../src/survey/server/tokens.js';
import { channel, platform, stub, userId } from './support.js';

const issuerName = 'https://access.line.me';
const secret = 'channel-secret-of-32-characters!';
let issuer: Issuer;
beforeAll(async () => {
  issuer = await tokenIssuer(issuerName, channel);
});

/** Settings of a verifier whose keys come from a test server. */
async function settings(change: Partial<TokenSettings> = {}): Promise<TokenSettings> {
  const keys = await stub(() => ({ body: JSON.stringify(issuer.jwks) }));
  return {
    channelId: channel,
    issuer: issuerName,
    jwksUrl: keys.url,
    channelSecret: secret,
    verifyUrl: null,
    accessVerifyUrl: `${keys.url}/none`,
    profileUrl: `${keys.url}/none`,
    timeoutMs: 300,
    ...change,
  };
}

const hs256 = (change: { audience?: string; key?: string; alg?: string } = {}) =>
  new SignJWT({})
    .setProtectedHeader({ alg: change.alg ?? 'HS256' })
    .setIssuer(issuerName)
    .setAudience(change.audience ?? channel)
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(change.key ?? secret));

/** The reason a token is refused for. */
async function reason(token: unknown, change: Partial<TokenSettings> = {}, nonce?: string): Promise<string> {
  const verify = tokenVerifier(await settings(change));
  const error = await verify(token, nonce).then(
    (user) => new Error(`accepted as ${user}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refused)) throw error;
  return error.reason;
}

test('ES256 by the platform’s keys and HS256 by the channel’s secret name the user', async () => {
  const verify = tokenVerifier(await settings());
  expect(await verify(await issuer.issue(userId))).toBe(userId);
  expect(await verify(await issuer.issue(userId, { nonce: 'n-1' }), 'n-1')).toBe(userId);
  expect(await verify(await hs256())).toBe(userId);
});

test('a token that proves nothing is refused with its reason', async () => {
  const stranger = await generateKeyPair('ES256');
  const good = await issuer.issue(userId);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
  const otherIssuer = await tokenIssuer('https://elsewhere.example', channel);
  const otherChannel = await tokenIssuer(issuerName, '999');
  const withKeysOf = async (one: Issuer) => ({
    jwksUrl: (await stub(() => ({ body: JSON.stringify(one.jwks) }))).url,
  });
  const forged = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: 'sandbox' })
    .setIssuer(issuerName)
    .setAudience(channel)
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(stranger.privateKey);
  const noExpiry = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuerName)
    .setAudience(channel)
    .setSubject(userId)
    .sign(new TextEncoder().encode(secret));
  const noSubject = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuerName)
    .setAudience(channel)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
  expect(await reason(undefined)).toBe('it is missing');
  expect(await reason('')).toBe('it is missing');
  expect(await reason('x'.repeat(8193))).toBe('it is too long');
  expect(await reason('x'.repeat(8192))).toBe('it is for another channel');
  expect(await reason(await issuer.issue(userId, { expiresIn: '-1h' }))).toBe('it has expired');
  expect(await reason(await otherChannel.issue(userId), await withKeysOf(otherChannel))).toBe(
    'it is for another channel',
  );
  expect(await reason(await otherIssuer.issue(userId), await withKeysOf(otherIssuer))).toBe(
    'it is from another issuer',
  );
  expect(await reason(forged)).toBe('its signature is wrong');
  expect(await reason(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)).toBe('its signature is wrong');
  expect(await reason(`${unsigned}.${payload}.`)).toBe('its algorithm is not accepted here');
  expect(await reason(await hs256({ key: 'another secret of enough length!' }))).toBe(
    'its signature is wrong',
  );
  expect(await reason(await hs256({ alg: 'HS512' }))).toBe('its algorithm is not accepted here');
  expect(await reason(await hs256(), { channelSecret: null })).toBe('HS256 is not accepted here');
  expect(await reason(await hs256({ audience: '999' }))).toBe('it is for another channel');
  expect(await reason(noExpiry)).toBe('its claim “exp” does not fit');
  expect(await reason(await issuer.issue(userId, { nonce: 'a' }), {}, 'b')).toBe('its nonce is another one');
  expect(await reason(await issuer.issue(userId), {}, 'b')).toBe('its nonce is another one');
  expect(await reason(await issuer.issue(''))).toBe('it names no user');
  expect(await reason(await issuer.issue('U'.repeat(256)))).toBe('it names no user');
  expect(await tokenVerifier(await settings())(await issuer.issue('U'.repeat(255)))).toBe('U'.repeat(255));
  expect(await reason(noSubject)).toBe('its claim “sub” does not fit');
});

test('keys that cannot be read refuse, and do not accept', async () => {
  for (const body of ['<html>busy</html>', '{}', '{"keys":"x"}']) {
    const { url } = await stub(() => ({ body }));
    expect(await reason(await issuer.issue(userId), { jwksUrl: url })).toMatch(
      /keys? (could not be read|is not one)/,
    );
  }
  const silent = await stub(() => 'silence');
  expect(await reason(await issuer.issue(userId), { jwksUrl: silent.url })).toMatch(/could not be read/);
});

test('a verification service is asked with token and channel, and its answer is checked again', async () => {
  let says: { status?: number; body: string } | 'silence' = { body: '' };
  const service = await stub(() => says);
  const change = { verifyUrl: service.url };
  const claims = { iss: issuerName, aud: channel, sub: userId, nonce: 'n' };
  says = { body: JSON.stringify(claims) };
  const token = await issuer.issue(userId);
  expect(await tokenVerifier(await settings(change))(token, 'n')).toBe(userId);
  expect(service.heard[0]?.body).toBe(
    new URLSearchParams({ id_token: token, client_id: channel }).toString(),
  );
  says = { body: JSON.stringify({ ...claims, aud: '999' }) };
  expect(await reason(token, change)).toBe('it is for another channel');
  for (const iss of ['https://elsewhere.example', undefined]) {
    says = { body: JSON.stringify({ ...claims, iss }) };
    expect(await reason(token, change)).toBe('it is from another issuer');
  }
  says = { body: JSON.stringify(claims) };
  expect(await reason(token, change, 'another')).toBe('its nonce is another one');
  says = { body: JSON.stringify({ ...claims, sub: undefined }) };
  expect(await reason(token, change)).toBe('it names no user');
  says = { body: '<html>Welcome</html>' };
  expect(await reason(token, change)).toMatch(/unreadable answer/);
  for (const status of [503, 429]) {
    says = { status, body: '{}' };
    expect(await reason(token, change)).toBe(`the verification service answered ${status}`);
  }
  says = { status: 400, body: '{"error":"invalid_request","error_description":"IdToken expired."}' };
  expect(await reason(token, change)).toBe('IdToken expired.');
  says = { status: 500, body: '<html>http://10.0.0.7/internal</html>' };
  expect(await reason(token, change)).toBe('the verification service answered 500');
  says = 'silence';
  expect(await reason(token, change)).toBe('the verification service did not answer');
});

test('an access token needs its channel verified before the profile counts', async () => {
  const { url, heard } = await platform();
  const change = { accessVerifyUrl: `${url}/verify`, profileUrl: `${url}/profile` };
  expect(await tokenVerifier(await settings(change))('good')).toBe(userId);
  expect(heard.map(({ path }) => path.split('?')[0])).toEqual(['/verify', '/profile']);
  expect(heard[1]?.headers.authorization).toBe('Bearer good');
  expect(await reason('other', change)).toBe('it is for another channel');
  expect(await reason('spent', change)).toBe('it has expired');
  expect(await reason('nouser', change)).toBe('it names no user');
  expect(await reason('unknown', change)).toBe('access token expired');
  const html = await stub(() => ({ body: '<html></html>' }));
  expect(await reason('good', { ...change, accessVerifyUrl: html.url })).toMatch(/unreadable answer/);
  expect(await reason('good', { ...change, profileUrl: html.url })).toMatch(/unreadable answer/);
  expect(await reason('good', { ...change, accessVerifyUrl: 'http://127.0.0.1:1' })).toMatch(
    /did not answer/,
  );
  expect(await reason('a.b.c', { ...change, accessVerifyUrl: html.url })).toMatch(/unreadable answer/);
});

test('keys that cannot be read say nothing about the token', async () => {
  const html = await stub(() => ({ body: '<html></html>' }));
  const token = await issuer.issue(userId);
  for (const jwksUrl of [html.url, 'http://127.0.0.1:1']) {
    const verify = tokenVerifier(await settings({ jwksUrl }));
    await expect(verify(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
});

/** A platform whose keys and state a test changes. */
async function changing() {
  const state = { issuer, isDown: false };
  const keys = await stub(() =>
    state.isDown ? { status: 500, body: '' } : { body: JSON.stringify(state.issuer.jwks) },
  );
  const verify = tokenVerifier(await settings({ jwksUrl: keys.url }));
  return { state, verify, reads: () => keys.heard.length };
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Refused) => error,
  );

const forged = async (kid: string) => {
  const { privateKey } = await generateKeyPair('ES256');
  const token = new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).setIssuer(issuerName);
  return token.setAudience(channel).setSubject(userId).setExpirationTime('1h').sign(privateKey);
};

test('known keys are kept past their age while the platform gives no others', async () => {
  const { state, verify } = await changing();
  expect(verify.platform?.().facts).toEqual({ platformUp: null, platformKeysAgeSeconds: null });
  expect(await verify(await issuer.issue(userId))).toBe(userId);
  expect(verify.platform?.()).toMatchObject({ problem: null, facts: { platformUp: 1 } });
  state.isDown = true;
  const began = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(began + 3_600_000);
  onTestFinished(() => clock.mockRestore());
  expect(await verify(await issuer.issue(userId))).toBe(userId);
  expect(verify.platform?.()).toEqual({
    problem: null,
    facts: { platformUp: 0, platformKeysAgeSeconds: expect.any(Number) },
  });
});

test('without keys, and for an id that was just looked up in vain, the answer is 503 and may be repeated', async () => {
  const { state, verify, reads } = await changing();
  state.isDown = true;
  const none = await refusal(verify(await issuer.issue(userId)));
  expect(none).toMatchObject({ code: 'UNAVAILABLE' });
  expect(refusedBy(none).status).toBe(503);
  expect(verify.platform?.().problem).toMatch(/keys cannot be read/);
  state.isDown = false;
  const token = await forged('made-up');
  expect(await refusal(verify(token))).toMatchObject({ code: 'INVALID_TOKEN' });
  const before = reads();
  const again = await refusal(verify(token));
  expect([refusedBy(again).status, again?.code, reads()]).toEqual([503, 'UNAVAILABLE', before]);
});

test('made-up key ids do not keep the platform’s new key from being found', async () => {
  const { state, verify } = await changing();
  expect(await verify(await issuer.issue(userId))).toBe(userId);
  await refusal(verify(await forged('made-up 1')));
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = 'rotated';
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  state.issuer = { ...issuer, jwks: { keys: [jwk] } };
  const floods = Array.from({ length: 20 }, async (_, n) =>
    refusal(verify(await forged(`made-up ${n + 2}`))),
  );
  const genuine = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(issuerName)
    .setAudience(channel)
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(privateKey);
  expect(await verify(genuine)).toBe(userId);
  await Promise.all(floods);
});

test('opaque tokens that the platform does not answer leave room for others', async () => {
  const keys = await stub(({ path }) =>
    path.includes('verify') ? 'silence' : { body: JSON.stringify(issuer.jwks) },
  );
  const verify = tokenVerifier(
    await settings({ jwksUrl: keys.url, accessVerifyUrl: `${keys.url}/verify`, timeoutMs: 3000 }),
  );
  const garbage = Array.from({ length: 1300 }, (_, n) => refusal(verify(`garbage ${n}`)));
  const joined = await Promise.all(
    Array.from({ length: 20 }, async () => verify(await issuer.issue(userId))),
  );
  expect(joined).toEqual(Array(20).fill(userId));
  const codes = (await Promise.all(garbage)).map((error) => error?.code);
  expect(codes.filter((code) => code === 'BUSY').length).toBeGreaterThan(1000);
  expect(new Set(codes)).toEqual(new Set(['BUSY', 'UNAVAILABLE']));
});
