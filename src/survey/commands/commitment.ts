/** Which commitment joins. */
import { KaiactlError } from '../../errors.js';
import { parseCommitment } from '../protocol/commitment.js';
import { destatMessage } from '../protocol/message.js';
import type { Scheme } from '../protocol/wire.js';
import type { JoinerOptions, JoinTools } from './join-tools.js';
import type { Sensitivity } from './secrets.js';
import { accountOf, signatureOf, signerOf } from './signing.js';
import { claimsOf, tokenOf, userIdOf } from './token.js';

/**
 * The decimal commitment of the options, of their identity file, or derived from the wallet.
 * @throws {KaiactlError} if there is none, or if two differ (exit 2)
 */
export async function commitmentFor(
  options: JoinerOptions,
  scheme: Scheme,
  tools: JoinTools,
): Promise<string> {
  const given = options.commitment === undefined ? null : readCommitment(options.commitment);
  if (options.identityFile === undefined) {
    if (given !== null) return given;
    if (options.deriveCommitment) return derived(options, scheme, tools);
    throw new KaiactlError('no commitment given', {
      hint: 'Give --commitment, --identity-file or --derive-commitment.',
    });
  }
  const text = await tools.secrets.read(options.identityFile, 'the identity', sensitivityOf);
  const { commitmentOf } = await import('../client/identity.js');
  const own = String(commitmentOf(text, options.identityFile));
  if (given !== null && given !== own) {
    throw new KaiactlError('--commitment differs from the commitment of --identity-file', {
      hint: 'Leave one of them out.',
    });
  }
  return own;
}

/** The commitment that the web app derives: the identity's secret is the account’s signature of the original text. */
async function derived(options: JoinerOptions, scheme: Scheme, tools: JoinTools): Promise<string> {
  const made = await signatureOf(options, tools);
  if (made !== null && scheme !== 'destat') {
    throw new KaiactlError(`the web app derives no commitment from a signature of ${scheme}`, {
      hint: 'Give --commitment, or a key to sign with.',
    });
  }
  if (scheme === 'destat') {
    await tools.session.say(
      'warning: the API receives the signature, which is the secret of the derived identity; with --scheme eip712 it does not',
    );
  }
  const { commitmentFromSignature } = await import('../client/identity.js');
  const signature = made?.trim() ?? (await walletSignature(options, tools));
  if (/\s|,/.test(signature)) {
    throw new KaiactlError('the web app derives no commitment from several signatures', {
      hint: 'Give --commitment or --identity-file.',
    });
  }
  return String(commitmentFromSignature(signature));
}

async function walletSignature(options: JoinerOptions, tools: JoinTools): Promise<string> {
  const userId = userIdOf(options, claimsOf(await tokenOf(options, tools)));
  const signer = await signerOf(options, tools);
  return signer.signText(destatMessage(userId, await accountOf(options, signer, tools)));
}

/** A commitment alone is public. */
function sensitivityOf(text: string): Sensitivity {
  return text.startsWith('{') && !text.includes('privateKey') ? 'none' : 'key';
}

function readCommitment(text: string): string {
  const parsed = parseCommitment(text);
  if (!parsed.ok) {
    throw new KaiactlError(`invalid commitment: ${parsed.why}`, {
      hint: 'A commitment is a number from 1 to the field’s size (about 2^254).',
    });
  }
  return String(parsed.value);
}
