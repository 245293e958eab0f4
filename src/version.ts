/** What package.json says, which is one folder above both src and dist. */
import { readFileSync } from 'node:fs';

/** For example `0.1.0`. */
export function version(): string {
  return manifest().version;
}

interface Manifest {
  readonly version: string;
  readonly homepage?: string;
}

let known: Manifest | null = null;

/** The version, and the address of the project as soon as it has one. Read once: an upgrade may replace the file. */
export function manifest(): Manifest {
  known ??= read();
  return known;
}

function read(): Manifest {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version, ...fields } = JSON.parse(text) as Manifest & Fields;
  const homepage = addressOf(fields);
  return { version, ...(homepage === null ? {} : { homepage }) };
}

interface Fields {
  readonly repository?: string | { readonly url: string };
  readonly homepage?: string;
}

/** The web address of the repository, else the homepage; null if neither is an absolute http(s) address. */
export function addressOf({ repository, homepage }: Fields): string | null {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const all = [url?.replace(/^git\+|\.git$/g, ''), homepage];
  return all.find((one) => one !== undefined && /^https?:/.test(one) && URL.canParse(one)) ?? null;
}
