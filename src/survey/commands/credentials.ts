/** The signature of a join: by a key, by a keystore, or made elsewhere. */
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { objectOf } from '../../util/json.js';
import type { Wait } from '../client/joining.js';
import type { Signer } from '../client/signer.js';
import type { Scheme } from '../protocol/wire.js';
import type { JoinOptions as Declared } from './options/client.js';
import type { Secrets } from './secrets.js';
import type { Session } from './session.js';
import { parseAddress } from './values.js';

/** Signatures made elsewhere, separated by blanks, or null. @throws {KaiactlError} if both options are given (exit 2) */
export async function signatureOf(options: JoinerOptions, { secrets }: JoinTools): Promise<string | null> {
  const { signature = null, signatureFile } = options;
  if (signatureFile === undefined) return signature;
  if (signature === null) return secrets.read(signatureFile, 'signature-file', 'lesser');
  throw new KaiactlError('both --signature and --signature-file are given', {
    hint: 'Leave one of them out; KAIACTL_SIGNATURE counts as the first.',
  });
}

/** The signer of the options or the environment, opened once. @throws {KaiactlError} if there is none (exit 2) */
export function signerOf(options: JoinerOptions, tools: JoinTools): Promise<Signer> {
  const { keyFile, keystore } = options;
  if (keyFile !== undefined && keystore !== undefined)
    throw new KaiactlError('both a key file and a keystore are given', { hint: 'Leave one of them out.' });
  const file = keyFile ?? keystore;
  const bare = tools.host.env.KAIACTL_PRIVATE_KEY;
  if (file === undefined && bare === undefined)
    throw new KaiactlError('nothing to sign with', {
      hint: 'Give --key-file, --keystore or --signature, or set KAIACTL_PRIVATE_KEY.',
    });
  const name = file ?? 'KAIACTL_PRIVATE_KEY';
  const known = tools.signers.get(name) ?? openSigner(options, tools);
  tools.signers.set(name, known);
  return known;
}

async function openSigner(options: JoinerOptions, tools: JoinTools): Promise<Signer> {
  const { keyFile, keystore } = options;
  const { keySigner, keystoreSigner } = await import('../client/signer.js');
  if (keyFile !== undefined) return keySigner(await tools.secrets.read(keyFile, 'key-file', 'key'), keyFile);
  const name = 'KAIACTL_PRIVATE_KEY';
  if (keystore === undefined) return keySigner(tools.host.env[name] ?? '', name);
  const text = await tools.secrets.read(keystore, 'keystore', 'lesser');
  return keystoreSigner(text, await passwordOf(options, tools), keystore);
}

async function passwordOf(options: JoinerOptions, { host, secrets }: JoinTools): Promise<string> {
  if (options.keystorePasswordFile !== undefined)
    return secrets.read(options.keystorePasswordFile, 'keystore-password-file', 'key');
  const password = host.env.KAIACTL_KEYSTORE_PASSWORD;
  if (password !== undefined) return password;
  throw new KaiactlError('no password for the keystore', {
    hint: 'Give --keystore-password-file (- is stdin) or set KAIACTL_KEYSTORE_PASSWORD.',
  });
}

/** The account of the options, or the key’s own. Warns if the key belongs to another account, which Kaia allows. */
export async function accountOf(options: JoinerOptions, signer: Signer, tools: JoinTools): Promise<string> {
  if (options.account === undefined) return signer.address;
  if (parseAddress(options.account, 'the account') !== signer.address)
    await tools.session.say(
      `warning: the key belongs to ${signer.address}; the API refuses it unless ${options.account} has this key on the chain`,
    );
  return options.account;
}

export type Claims = NonNullable<ReturnType<typeof claimsOf>>;

/** The unverified claims of an ID token (a JWT), `exp` in seconds since 1970; null for an access token, which is opaque. */
export function claimsOf(token: string) {
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
  if (userId === undefined)
    throw new KaiactlError('the token names no user (an access token never does)', {
      hint: 'Give --user-id.',
    });
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
      : await secrets.read(idTokenFile, 'id-token-file', 'lesser'));
  if (token === undefined || token === '')
    throw new KaiactlError('no id token given', {
      hint: 'Give --id-token-file (- is stdin) or set KAIACTL_ID_TOKEN.',
    });
  if (!/^[\x21-\x7e]{1,16384}$/.test(token))
    throw new KaiactlError('the id token is invalid: it contains blanks or more than one line');
  return token;
}

export async function warnAbout(claims: Claims | null, options: JoinerOptions, { host, session }: JoinTools) {
  if (claims === null) return;
  if (claims.exp !== null && claims.exp * 1000 <= host.now())
    await session.say('warning: the id token has expired; most APIs will refuse it');
  if (options.userId !== undefined && options.userId !== claims.sub)
    await session.say('warning: the id token names another user than --user-id; the API uses the token');
}

/** Options of one joiner, which a line of a batch file may override. */
type OfJoiner = 'commitment' | 'identityFile' | 'deriveCommitment' | 'idTokenFile' | 'userId' | 'account';
type OfSigner = 'signature' | 'signatureFile' | 'keyFile' | 'keystore' | 'keystorePasswordFile';
export type JoinerOptions = Partial<Pick<Declared, OfJoiner | OfSigner>> & {
  /** Only in a batch file: there is no option of this name. */
  readonly idToken?: string;
};

export type JoinOptions = Declared & JoinerOptions & { readonly survey: string };

export interface Terms {
  /** Checksummed. */
  readonly survey: string;
  readonly scheme: Scheme;
  readonly chainId: number | null;
  /** Seconds since 1970, with a signature made elsewhere; null for an hour from now. */
  readonly expiresAt: number | null;
}

export interface JoinTools {
  readonly host: Host;
  readonly session: Session;
  readonly secrets: Secrets;
  readonly terms: Terms;
  readonly wait: Wait;
  /** Signers by file, since decrypting a keystore takes a second. */
  readonly signers: Map<string, Promise<Signer>>;
}
