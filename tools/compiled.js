/**
 * The sources as Node loads them itself: each compiled to a module once a run of the tests, in place of once a worker through
 * Vite, whose modules also reach each other more slowly.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');
const cache = join(root, 'node_modules/.cache/kaiactl');
const names = readdirSync(src, { recursive: true }).filter((name) => name.endsWith('.ts'));
const texts = names.sort().map((name) => `${name}\n${readFileSync(join(src, name), 'utf8')}`);
/** Of these sources alone: runs beside each other may be of different ones. */
const out = join(cache, `src-${createHash('sha256').update(texts.join()).digest('hex').slice(0, 16)}`);

let compiling;

/** Writes the modules, unless they are there. In them, import.meta.url is that of the source. */
async function compileSources() {
  if (existsSync(out)) return;
  mkdirSync(cache, { recursive: true });
  const hourAgo = Date.now() - 3_600_000;
  for (const path of readdirSync(cache).map((name) => join(cache, name)))
    if (path.startsWith(join(cache, 'src-')) && statSync(path).mtimeMs < hourAgo)
      rmSync(path, { recursive: true });
  const made = mkdtempSync(join(cache, 'src-'));
  await build({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name.slice(0, -3), join(src, name)])),
    external: [/^[^./]/],
    platform: 'node',
    tsconfig: false,
    treeshake: false,
    preserveEntrySignatures: 'strict',
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    transform: { target: 'node20' },
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'location',
        transform: {
          filter: { code: 'import.meta.url' },
          handler: (code, id) => ({
            code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
            map: null,
          }),
        },
      },
    ],
    output: {
      dir: made,
      format: 'es',
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
      preserveModules: true,
      preserveModulesRoot: src,
    },
  });
  // Another run may have been faster.
  if (existsSync(out)) rmSync(made, { recursive: true });
  else renameSync(made, out);
}

/**
 * Gives tests the compiled modules. A test that puts others in their place imports its helpers with `?sources`: they and
 * what they import are the sources, which Vite loads.
 */
export const compiledSources = {
  name: 'compiled-sources',
  enforce: 'pre',
  // Vite starts once for each of its environments.
  buildStart: () => (compiling ??= compileSources()),
  resolveId(source, importer) {
    if (importer === undefined || !/^\.\.?\/.*\.[jt]s(?:\?sources)?$/.test(source)) return null;
    const [from, mode] = importer.split('?');
    const [to, asked] = resolve(dirname(from), source).split('?');
    const isOfSources = from.startsWith(src) || [mode, asked].includes('sources');
    const path = to.slice(0, -3);
    if (to.startsWith(src)) return isOfSources ? `${path}.ts` : `${path.replace(src, out)}.mjs`;
    return isOfSources ? `${path}.ts?sources` : null;
  },
};
