/** Builds dist/ of a new checkout; npm runs this after an install of one. */
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../dist/main.cjs', import.meta.url))) {
  await import('./install.js');
  await import('./build.js');
}
