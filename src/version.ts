/** The version of package.json, which is one folder above both src and dist. */
import { readFileSync } from 'node:fs';

/** For example `0.1.0`. */
export function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
