/**
 * The sources as Node loads them itself: each compiled to a module once a run of the tests, in place of once a worker through
 * Vite, whose modules also reach each other more slowly.
 */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');
const out = join(root, 'node_modules/.cache/kaiactl/src');

let compiling;

/** Writes the modules. In them, import.meta.url is that of the source. */
async function compileSources() {
  rmSync(out, { recursive: true, force: true });
  const names = readdirSync(src, { recursive: true }).filter((name) => name.endsWith('.ts'));
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
      dir: out,
      format: 'es',
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
      preserveModules: true,
      preserveModulesRoot: src,
    },
  });
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
    if (importer === undefined || !/^\.\.?\/.*\.js(?:\?sources)?$/.test(source)) return null;
    const [from, mode] = importer.split('?');
    const [to, asked] = resolve(dirname(from), source).split('?');
    const isOfSources = from.startsWith(src) || [mode, asked].includes('sources');
    const path = to.slice(0, -3);
    if (to.startsWith(src)) return isOfSources ? `${path}.ts` : `${path.replace(src, out)}.mjs`;
    return isOfSources ? `${path}.ts?sources` : null;
  },
};
