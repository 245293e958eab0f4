/** Makes the request of a join: token, account, signature. */
import { KaiactlError } from '../../errors.js';
import type { SignerKind } from '../client/signer.js';
import { destatMessage } from '../protocol/message.js';
import type { JoinRequest } from '../protocol/wire.js';
import type { Claims, JoinerOptions, JoinTools, Terms } from './credentials.js';
import { accountOf, claimsOf, signatureOf, signerOf, tokenOf, userIdOf, warnAbout } from './credentials.js';
import { parseAddress, commitment as readCommitment } from './values.js';

/** Validity of new signatures, in seconds. */
const validity = 3600;

/** The signed request. @throws {KaiactlError} for missing or unusable credentials (exit 2) */
export async function requestFor(
  options: JoinerOptions,
  commitment: string,
  tools: JoinTools,
): Promise<JoinRequest> {
  const { terms } = tools;
  const idToken = await tokenOf(options, tools);
  const claims = claimsOf(idToken);
  await warnAbout(claims, options, tools);
  const made = await signatureOf(options, tools);
  const signed = made === null ? await sign(options, commitment, claims, tools) : ready(options, made, terms);
  const extra = terms.scheme === 'destat' ? {} : { scheme: terms.scheme, expiresAt: signed.expiresAt };
  const chain = terms.scheme === 'destat' || terms.chainId === null ? {} : { chainId: terms.chainId };
  const { account, signature } = signed;
  return { id: terms.survey, commitment, signature, idToken, account, ...extra, ...chain };
}

async function sign(options: JoinerOptions, commitment: string, claims: Claims | null, tools: JoinTools) {
  const { terms } = tools;
  const userId = userIdOf(options, claims);
  const signer = await signerOf(options, tools);
  const account = await accountOf(options, signer, tools);
  const { survey, chainId } = terms;
  const expiresAt = terms.expiresAt ?? Math.floor(tools.host.now() / 1000) + validity;
  const statement = { survey, commitment: BigInt(commitment), userId, account, expiresAt, chainId };
  return { account, signature: signer.sign(terms.scheme, statement), expiresAt };
}

/** Uses signatures made elsewhere. The server decides whether the account made them. */
function ready(options: JoinerOptions, text: string, terms: Terms) {
  const signatures = text.split(/[\s,]+/).filter((one) => one !== '');
  const [signature = ''] = signatures;
  // A contract wallet's signature may have any length from 65 bytes on.
  if (!signatures.every((one) => /^0x(?:[0-9a-f]{2}){64,8192}$/i.test(one)) || signature === '')
    throw new KaiactlError('the signature is not 64 or more bytes of 0x-hexadecimal', {
      hint: 'Nothing was sent.',
    });
  if (options.account === undefined)
    throw new KaiactlError('a signature made elsewhere needs its account', { hint: 'Give --account.' });
  parseAddress(options.account, 'the account');
  if (terms.scheme === 'eip712' && terms.expiresAt === null)
    throw new KaiactlError('an eip712 signature made elsewhere needs its expiry', {
      hint: 'Give --expires-at.',
    });
  const made = signatures.length === 1 ? signature : signatures;
  return { account: options.account, signature: made, expiresAt: terms.expiresAt ?? 0 };
}

/** Null if that cannot be known offline: for several signatures, or without a user id. */
export async function signerKind(
  { account, commitment, signature, idToken, expiresAt = 0 }: JoinRequest,
  options: JoinerOptions,
  { survey, scheme, chainId }: Terms,
): Promise<SignerKind | null> {
  const userId = claimsOf(idToken)?.sub ?? options.userId;
  if (userId === undefined || typeof signature !== 'string') return null;
  const { madeBy } = await import('../client/signer.js');
  const statement = { survey, commitment: BigInt(commitment), userId, account, expiresAt, chainId };
  return madeBy(signature, scheme, statement);
}

export async function warnAboutSigner(
  request: JoinRequest,
  options: JoinerOptions,
  { session, terms }: JoinTools,
): Promise<void> {
  const kind = await signerKind(request, options, terms);
  if (kind === 'klaytn' || kind === 'other') await session.say(`warning: ${doubts[kind]}`);
}

const doubts = {
  klaytn:
    'the signature is in the format of old Klaytn wallets (KIP-97), not Ethereum’s; the API may refuse it',
  other:
    'this account did not sign this join; the API refuses it unless the account has another key on the chain',
};

/** The decimal commitment, given or derived. @throws {KaiactlError} if there is none, or two differ (exit 2) */
export async function commitmentFor(options: JoinerOptions, tools: JoinTools): Promise<string> {
  const range = 'A commitment is a number from 1 to the field’s size (about 2^254).';
  const given =
    options.commitment === undefined ? null : readCommitment(options.commitment, 'invalid commitment', range);
  if (options.identityFile === undefined) {
    if (given !== null) return given;
    if (options.deriveCommitment) return derived(options, tools);
    throw new KaiactlError('no commitment given', {
      hint: 'Give --commitment, --identity-file or --derive-commitment.',
    });
  }
  // A commitment alone is public.
  const text = await tools.secrets.read(options.identityFile, 'identity-file', (read) =>
    read.startsWith('{') && !read.includes('privateKey') ? 'none' : 'key',
  );
  const { commitmentOf } = await import('../client/identity.js');
  const own = String(commitmentOf(text, options.identityFile));
  if (given !== null && given !== own)
    throw new KaiactlError('--commitment differs from the commitment of --identity-file', {
      hint: 'Leave one of them out.',
    });
  return own;
}

/** The commitment that the web app derives: the identity's secret is the account’s signature of the original text. */
async function derived(options: JoinerOptions, tools: JoinTools): Promise<string> {
  const { scheme } = tools.terms;
  const made = await signatureOf(options, tools);
  if (made !== null && scheme !== 'destat')
    throw new KaiactlError(`the web app derives no commitment from a signature of ${scheme}`, {
      hint: 'Give --commitment, or a key to sign with.',
    });
  if (scheme === 'destat')
    await tools.session.say(
      'warning: the API receives the signature, which is the secret of the derived identity; with --scheme eip712 it does not',
    );
  const { commitmentFromSignature } = await import('../client/identity.js');
  const signature = made?.trim() ?? (await walletSignature(options, tools));
  if (/\s|,/.test(signature))
    throw new KaiactlError('the web app derives no commitment from several signatures', {
      hint: 'Give --commitment or --identity-file.',
    });
  return String(commitmentFromSignature(signature));
}

async function walletSignature(options: JoinerOptions, tools: JoinTools): Promise<string> {
  const userId = userIdOf(options, claimsOf(await tokenOf(options, tools)));
  const signer = await signerOf(options, tools);
  return signer.signText(destatMessage(userId, await accountOf(options, signer, tools)));
}
