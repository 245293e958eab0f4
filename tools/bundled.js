/** Which packages are in the program, by what esbuild says it put there. */
import { readFileSync } from 'node:fs';

/**
 * The folders of the packages of which some byte is in a bundle, in order.
 * @param {import('esbuild').Metafile} metafile
 * @returns {string[]} for example `node_modules/ws`
 */
export function bundled({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** What a package says of itself. */
export function manifest(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
