/** Decodes a contract's revert data: a selector of four bytes, then arguments. */

/** Selector → name and explanation of Semaphore v4's errors. The survey contracts use strings. */
export const revertErrors: Readonly<Record<string, { readonly name: string; readonly means: string }>> = {
  '0x258a195a': { name: 'LeafAlreadyExists', means: 'this commitment is already in the group' },
  '0x29691be2': { name: 'LeafCannotBeZero', means: 'a commitment of 0 cannot join' },
  '0xc380a82e': {
    name: 'LeafGreaterThanSnarkScalarField',
    means: 'the commitment is not below the size of the field',
  },
  '0x7204756c': { name: 'LeafDoesNotExist', means: 'this commitment is not in the group' },
  '0x3fa930c6': { name: 'WrongSiblingNodes', means: 'the Merkle proof given does not fit the tree' },
  '0xbb9bf278': {
    name: 'Semaphore__CallerIsNotTheGroupAdmin',
    means: 'the survey contract is not the admin of its group',
  },
  '0x029f0579': { name: 'Semaphore__GroupDoesNotExist', means: 'the group does not exist' },
  '0x4d329586': {
    name: 'Semaphore__MerkleTreeRootIsNotPartOfTheGroup',
    means: 'the Merkle root was never one of this group',
  },
  '0x9581a990': { name: 'Semaphore__MerkleTreeRootIsExpired', means: 'the Merkle root is too old' },
  '0x208b15e8': {
    name: 'Semaphore__YouAreUsingTheSameNullifierTwice',
    means: 'this answer was already given',
  },
  '0x4aa6bc40': { name: 'Semaphore__InvalidProof', means: 'the proof is not valid' },
  '0xc8b02e01': { name: 'Semaphore__GroupHasNoMembers', means: 'the group has no members' },
  '0xecf64f12': {
    name: 'Semaphore__MerkleTreeDepthIsNotSupported',
    means: 'the tree is too deep or too flat',
  },
};

/** A decoded revert: the error's name (null for a plain string) and what it means. */
export interface Revert {
  readonly name: string | null;
  readonly means: string;
}

const selectorOfString = '0x08c379a0';
const selectorOfPanic = '0x4e487b71';

/** Null if the data is empty or unknown. The text of a string error is not sanitized. */
export function decodeRevert(data: string): Revert | null {
  const selector = data.slice(0, 10).toLowerCase();
  const known = Object.hasOwn(revertErrors, selector) ? revertErrors[selector] : undefined;
  if (known !== undefined) return known;
  if (selector === selectorOfString) {
    const text = stringArgument(data.slice(10));
    return text === null ? null : { name: null, means: text };
  }
  if (selector === selectorOfPanic) {
    return { name: 'Panic', means: `the contract panicked (code 0x${data.slice(-2)})` };
  }
  return null;
}

/** The one string argument of Error(string): offset, length, bytes. */
function stringArgument(hex: string): string | null {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) return null;
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length < 64) return null;
  const length = bytes.readUInt32BE(60);
  return length <= bytes.length - 64 ? bytes.toString('utf8', 64, 64 + length) : null;
}
