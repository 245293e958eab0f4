/** Builds dist/ of a new checkout; npm runs it as the script `dependencies`, not for tarballs. */
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../dist/main.cjs', import.meta.url))) {
  await import('./install.js');
  await import('./build.js');
}
