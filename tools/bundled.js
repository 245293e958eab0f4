/** Which packages are in the program, by what was put there when it was built. */
import { readFileSync } from 'node:fs';

/**
 * The folders of the packages of which some byte is in a chunk, in order.
 * @param {readonly { readonly inputs: readonly string[] }[]} chunks
 * @returns {string[]} for example `node_modules/ws`
 */
export function bundled(chunks) {
  const folders = chunks
    .flatMap(({ inputs }) => inputs)
    .map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** What a package says of itself. */
export function manifest(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
