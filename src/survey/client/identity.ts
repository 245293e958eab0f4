/** Semaphore v4 identities in files. */
import { Identity } from '@semaphore-protocol/identity';
import { KaiactlError } from '../../errors.js';
import { objectOf } from '../../util/json.js';
import { parseCommitment } from '../protocol/commitment.js';

/**
 * The commitment of an identity file: the base64 text Identity.export() writes, or JSON with `commitment`,
 * `privateKey` (base64), or both, which must then agree.
 * @param where the file’s name, for messages, which never repeat its content
 * @throws {KaiactlError} when it is neither (exit 2)
 */
export function commitmentOf(text: string, where: string): bigint {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? fromJson(trimmed, where) : fromKey(trimmed, where);
}

/** The commitment of the identity whose secret is this text. The web app uses a signature in 0x-hex. */
export function commitmentFromSignature(signature: string): bigint {
  return new Identity(signature).commitment;
}

function fromJson(text: string, where: string): bigint {
  const identity = objectOf(text);
  if (identity === null) throw unreadable(where, 'it is not JSON');
  const { commitment, privateKey } = identity;
  const derived = typeof privateKey === 'string' ? fromKey(privateKey, where) : null;
  if (typeof commitment !== 'string') {
    if (derived !== null) return derived;
    throw unreadable(where, 'it has neither a commitment nor a privateKey, each as a string');
  }
  const parsed = parseCommitment(commitment);
  if (!parsed.ok) throw unreadable(where, `its commitment is invalid: ${parsed.why}`);
  if (derived !== null && derived !== parsed.value)
    throw unreadable(where, 'its commitment does not belong to its private key');
  return parsed.value;
}

function fromKey(text: string, where: string): bigint {
  const base64 = /^[A-Za-z0-9+/]{2,8192}={0,2}$/.test(text) && text.length % 4 === 0;
  if (!base64) throw unreadable(where, 'it is not the base64 text of an exported identity');
  return Identity.import(text).commitment;
}

function unreadable(where: string, why: string): KaiactlError {
  return new KaiactlError(`${where} is not an identity: ${why}`, {
    hint: 'Write the output of Identity.export() into it, or {"commitment": "…"}.',
  });
}
