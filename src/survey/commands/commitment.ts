/** Which commitment joins. */
import { KaiactlError } from '../../errors.js';
import { claimsOf } from '../client/id-token.js';
import { parseCommitment } from '../protocol/commitment.js';
import { destatMessage } from '../protocol/message.js';
import type { Scheme } from '../protocol/wire.js';
import type { JoinerOptions } from './join-options.js';
import type { JoinTools } from './join-tools.js';
import type { Worth } from './secrets.js';
import { accountOf, signatureOf, signerOf } from './signing.js';
import { tokenOf, userIdOf } from './token.js';

/**
 * The decimal commitment of the options, of their identity file, or derived from the wallet.
 * @throws {KaiactlError} when there is none, or two that differ (exit 2)
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

/** As the web app makes it: the identity whose secret is the account’s signature of the original text. */
async function derived(options: JoinerOptions, scheme: Scheme, tools: JoinTools): Promise<string> {
  const made = await signatureOf(options, tools);
  if (made !== null && scheme !== 'destat') {
    throw new KaiactlError(`the web app derives no commitment from a signature of ${scheme}`, {
      hint: 'Give --commitment, or a key to sign with.',
    });
  }
  if (scheme === 'destat') {
    await tools.session.say(
      'warning: the signature the API is sent is the secret of the derived identity; --scheme eip712 keeps it here',
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

/** A commitment alone is not a secret: it is on the chain for all to see. */
function worthOfIdentity(text: string): Worth {
  return text.startsWith('{') && !text.includes('privateKey') ? 'none' : 'key';
}

function readCommitment(text: string): string {
  const parsed = parseCommitment(text);
  if (!parsed.ok) {
    throw new KaiactlError(`the commitment is not one: ${parsed.why}`, {
      hint: 'A commitment is a number from 1 to the field’s size (about 2^254).',
    });
  }
  return String(parsed.value);
}
