/** A token issuer for trying things out: its keys live as long as the process. */
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface Issuer {
  /** What its JWKS address answers. */
  readonly jwks: { readonly keys: readonly JWK[] };
  /** An ID token for a user, valid for an hour unless told otherwise. */
  issue(user: string, claims?: { readonly nonce?: string; readonly expiresIn?: string }): Promise<string>;
}

/** Makes an issuer of ES256 tokens for one channel. */
export async function tokenIssuer(issuer: string, channelId: string): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = 'sandbox';
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  return {
    jwks: { keys: [jwk] },
    issue: (user, { nonce, expiresIn = '1h' } = {}) =>
      new SignJWT({ amr: ['pwd'], ...(nonce === undefined ? {} : { nonce }) })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(channelId)
        .setSubject(user)
        .setIssuedAt()
        .setExpirationTime(expiresIn)
        .sign(privateKey),
  };
}
