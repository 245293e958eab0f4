/** What package.json says, which is one folder above both src and dist. */
import { readFileSync } from 'node:fs';

/** For example `0.1.0`. */
export function version(): string {
  return manifest().version;
}

/** The version, and the address of the project as soon as it has one. */
export function manifest(): { readonly version: string; readonly homepage?: string } {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version, homepage } = JSON.parse(text) as { version: string; homepage?: string };
  return { version, ...(homepage === undefined ? {} : { homepage }) };
}
