/** The packages in the built program. */
import { readFileSync } from 'node:fs';

/**
 * The folders of the packages with code in a chunk, sorted.
 * @param {readonly { readonly inputs: readonly string[] }[]} chunks
 * @returns {string[]} for example `node_modules/ws`
 */
export function bundled(chunks) {
  const folders = chunks
    .flatMap(({ inputs }) => inputs)
    .map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** The package.json of a folder. */
export function manifest(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
