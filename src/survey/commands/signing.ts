/** The signature of a join: by a key, by a keystore, or made elsewhere. */
import { KaiactlError } from '../../errors.js';
import type { Signer } from '../client/signer.js';
import { parseAddress } from '../client/target.js';
import type { JoinerOptions, JoinTools } from './join-tools.js';

/** Signatures made elsewhere, separated by blanks, or null. @throws {KaiactlError} if both options are given (exit 2) */
export async function signatureOf(options: JoinerOptions, { secrets }: JoinTools): Promise<string | null> {
  const { signature = null, signatureFile } = options;
  if (signatureFile === undefined) return signature;
  if (signature === null) return secrets.read(signatureFile, 'the signature', 'lesser');
  throw new KaiactlError('both --signature and --signature-file are given', {
    hint: 'Leave one of them out; KAIACTL_SIGNATURE counts as the first.',
  });
}

/** The signer of the options or the environment, opened once. @throws {KaiactlError} if there is none (exit 2) */
export function signerOf(options: JoinerOptions, tools: JoinTools): Promise<Signer> {
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

/** The account of the options, or the key’s own. Warns if the key belongs to another account, which Kaia allows. */
export async function accountOf(options: JoinerOptions, signer: Signer, tools: JoinTools): Promise<string> {
  if (options.account === undefined) return signer.address;
  if (parseAddress(options.account, 'the account') !== signer.address) {
    await tools.session.say(
      `warning: the key belongs to ${signer.address}; the API refuses it unless ${options.account} has this key on the chain`,
    );
  }
  return options.account;
}
