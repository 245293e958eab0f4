/** From options to a join that can be sent: commitment, token, account, signature. */
import { KaiactlError } from '../../errors.js';
import { type Claims, claimsOf } from '../client/id-token.js';
import type { Signer } from '../client/signer.js';
import { parseAddress } from '../client/target.js';
import { parseCommitment } from '../protocol/commitment.js';
import type { JoinRequest } from '../protocol/wire.js';
import type { JoinerOptions } from './join-options.js';
import type { JoinTools, Terms } from './join-tools.js';
import type { Worth } from './secrets.js';
import { tokenOf, userIdOf, warnAbout } from './token.js';

/** How long a signature made here is valid, in seconds. */
const validity = 3600;

/**
 * The decimal commitment of the options or their identity file.
 * @throws {KaiactlError} when there is none, or two that differ (exit 2)
 */
export async function commitmentFor(options: JoinerOptions, tools: JoinTools): Promise<string> {
  const given = options.commitment === undefined ? null : readCommitment(options.commitment);
  if (options.identityFile === undefined) {
    if (given !== null) return given;
    throw new KaiactlError('no commitment given', { hint: 'Give --commitment or --identity-file.' });
  }
  const text = await tools.secrets.read(options.identityFile, 'the identity', worthOfIdentity);
  const { commitmentOf } = await import('../client/identity.js');
  const own = String(commitmentOf(text, options.identityFile));
  if (given !== null && given !== own) {
    throw new KaiactlError('--commitment is not the commitment of --identity-file', {
      hint: 'Leave one of them out.',
    });
  }
  return own;
}

/** A commitment alone is no secret: it is on the chain for all to see. */
function worthOfIdentity(text: string): Worth {
  return text.startsWith('{') && !text.includes('privateKey') ? 'none' : 'key';
}

function readCommitment(text: string): string {
  const parsed = parseCommitment(text);
  if (!parsed.ok) {
    throw new KaiactlError(`the commitment is none: ${parsed.why}`, {
      hint: 'A commitment is a number from 1 to the field’s size (about 2^254).',
    });
  }
  return String(parsed.value);
}

/**
 * The whole request, signed.
 * @throws {KaiactlError} for missing or unusable credentials (exit 2)
 */
export async function requestFor(
  options: JoinerOptions,
  commitment: string,
  terms: Terms,
  tools: JoinTools,
): Promise<JoinRequest> {
  const idToken = await tokenOf(options, tools);
  const claims = claimsOf(idToken);
  await warnAbout(claims, options, tools);
  const made = await signatureOf(options, tools);
  const signed =
    made === null
      ? await sign(options, commitment, claims, terms, tools)
      : await ready(options, made, claims, terms, tools);
  const extra = terms.scheme === 'destat' ? {} : { scheme: terms.scheme, expiresAt: signed.expiresAt };
  const chain = terms.scheme === 'destat' || terms.chainId === null ? {} : { chainId: terms.chainId };
  const { account, signature } = signed;
  return { id: terms.survey, commitment, signature, idToken, account, ...extra, ...chain };
}

/** A signature made elsewhere, if there is one; @throws {KaiactlError} for one from two places (exit 2) */
async function signatureOf(options: JoinerOptions, { secrets }: JoinTools): Promise<string | null> {
  const { signature = null, signatureFile } = options;
  if (signatureFile === undefined) return signature;
  if (signature === null) return secrets.read(signatureFile, 'the signature', 'lesser');
  throw new KaiactlError('both --signature and --signature-file are given', {
    hint: 'Leave one of them out; KAIACTL_SIGNATURE counts as the first.',
  });
}

interface Signed {
  readonly account: string;
  readonly signature: string;
  readonly expiresAt: number;
}

async function sign(
  options: JoinerOptions,
  commitment: string,
  claims: Claims | null,
  terms: Terms,
  tools: JoinTools,
): Promise<Signed> {
  const userId = userIdOf(options, claims);
  const signer = await signerOf(options, tools);
  const account = accountOf(options, signer);
  const { survey, chainId } = terms;
  const expiresAt = terms.expiresAt ?? Math.floor(tools.host.now() / 1000) + validity;
  const statement = { survey, commitment: BigInt(commitment), userId, account, expiresAt, chainId };
  return { account, signature: await signer.sign(terms.scheme, statement), expiresAt };
}

/** A signature made elsewhere; whether it is by the account is the server’s to judge, so a doubt is only said. */
async function ready(
  options: JoinerOptions,
  text: string,
  claims: Claims | null,
  terms: Terms,
  tools: JoinTools,
): Promise<Signed> {
  const signature = text.trim();
  if (!/^0x(?:[0-9a-f]{128}|[0-9a-f]{130})$/i.test(signature)) {
    throw new KaiactlError('the signature is not 64 or 65 bytes of 0x-hexadecimal', {
      hint: 'Nothing was sent.',
    });
  }
  if (options.account === undefined) {
    throw new KaiactlError('a ready signature needs the account that made it', { hint: 'Give --account.' });
  }
  parseAddress(options.account, 'the account');
  if (terms.scheme === 'eip712' && terms.expiresAt === null) {
    throw new KaiactlError('a ready eip712 signature needs the expiry it holds', {
      hint: 'Give --expires-at.',
    });
  }
  const userId = options.userId ?? claims?.sub;
  if (terms.scheme === 'destat' && userId !== undefined) {
    const { doubtAbout } = await import('../client/signer.js');
    const doubt = doubtAbout(signature, userId, options.account);
    if (doubt !== null) await tools.session.say(`warning: ${doubt}; the API may refuse it`);
  }
  return { account: options.account, signature, expiresAt: terms.expiresAt ?? 0 };
}

function signerOf(options: JoinerOptions, tools: JoinTools): Promise<Signer> {
  const { keyFile, keystore } = options;
  if (keyFile !== undefined && keystore !== undefined) {
    throw new KaiactlError('both a key file and a keystore are given', { hint: 'Leave one of them out.' });
  }
  const file = keyFile ?? keystore;
  const bare = tools.host.env.KAIACTL_PRIVATE_KEY;
  if (file === undefined && bare === undefined) {
    throw new KaiactlError('nothing to sign with', {
      hint: 'Give --key-file, --keystore or --signature, or set KAIACTL_PRIVATE_KEY.',
    });
  }
  const name = file ?? 'KAIACTL_PRIVATE_KEY';
  const known = tools.signers.get(name) ?? openSigner(options, file, bare ?? '', tools);
  tools.signers.set(name, known);
  return known;
}

/** From the keystore, the key file, or without one the bare key of the environment. */
async function openSigner(
  options: JoinerOptions,
  file: string | undefined,
  bare: string,
  tools: JoinTools,
): Promise<Signer> {
  const { keySigner, keystoreSigner } = await import('../client/signer.js');
  if (file === undefined) return keySigner(bare, 'KAIACTL_PRIVATE_KEY');
  if (options.keystore === undefined)
    return keySigner(await tools.secrets.read(file, 'the key', 'key'), file);
  const text = await tools.secrets.read(file, 'the keystore', 'lesser');
  return keystoreSigner(text, await passwordOf(options, tools), file);
}

async function passwordOf(options: JoinerOptions, { host, secrets }: JoinTools): Promise<string> {
  if (options.keystorePasswordFile !== undefined) {
    return secrets.read(options.keystorePasswordFile, 'the keystore’s password', 'key');
  }
  const password = host.env.KAIACTL_KEYSTORE_PASSWORD;
  if (password !== undefined) return password;
  throw new KaiactlError('no password for the keystore', {
    hint: 'Give --keystore-password-file (- is stdin) or set KAIACTL_KEYSTORE_PASSWORD.',
  });
}

function accountOf(options: JoinerOptions, signer: Signer): string {
  if (options.account === undefined) return signer.address;
  if (parseAddress(options.account, 'the account') !== signer.address) {
    throw new KaiactlError(`the key is that of ${signer.address}, not of --account ${options.account}`, {
      hint: 'Nothing was sent.',
    });
  }
  return options.account;
}
