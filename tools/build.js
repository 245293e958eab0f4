/**
 * Builds dist/: types, the program with the packages it needs inside, their notices, and the manual page. Left out are
 * libsql, whose binary is for one platform, and what packages use only where it happens to be.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { build } from 'rolldown';
import { bundled } from './bundled.js';
import { notices } from './notices.js';

process.chdir(new URL('..', import.meta.url).pathname);
const run = (command, ...words) =>
  execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Maps of packages would be as large as the program: stacks name the files of src/ alone. */
const unmapped = {
  name: 'unmapped',
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** commander would start programs for commands that are files of their own; loading what starts them takes a while. */
const noPrograms = {
  name: 'no-programs',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (_, importer) => (importer?.includes('/commander/') ? '\0no-programs' : null),
  },
  load: { filter: { id: /^\0no-programs$/ }, handler: () => 'export default {}' },
};

rmSync('dist', { recursive: true, force: true });
run('node', 'node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json');
const input = {
  external: ['libsql', 'pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate', 'supports-color'],
  platform: 'node',
  tsconfig: false,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  transform: { target: 'node20' },
  plugins: [unmapped, noPrograms],
  checks: { ineffectiveDynamicImport: false },
};
const output = {
  dir: 'dist',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
};
// CommonJS: before a program's first line, node takes a fifth longer to start for ES modules.
const program = await build({
  ...input,
  input: 'src/main.ts',
  // Else it would be a file that loads the one it names.
  preserveEntrySignatures: 'allow-extension',
  output: {
    ...output,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // What every command needs and what runs offline are a file each: a start reads few of them.
    codeSplitting: {
      groups: [
        { name: 'main', test: /src\/main\.ts$/, priority: 2 },
        {
          name: 'offline',
          test: /src\/(cli\/program|node\/commands\/(lint|settings|explain)|node\/report\/text(-paint)?)\.ts$/,
          priority: 1,
        },
      ],
    },
  },
});
const library = await build({
  ...input,
  input: 'src/index.ts',
  output: { ...output, chunkFileNames: '[name]-[hash].js' },
});
const chunks = [...program.output, ...library.output]
  .filter(({ type }) => type === 'chunk')
  .map(({ fileName, modules, imports }) => ({ fileName, imports, inputs: filled(modules) }));
/** The files of which something is left in a chunk. */
function filled(modules) {
  const left = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return left.map(([path]) => relative('.', path));
}
// Read from beside the chunk that holds the package.
copyFileSync('node_modules/tiny-secp256k1/lib/secp256k1.wasm', 'dist/secp256k1.wasm');
mkdirSync('node_modules/.cache/kaiactl', { recursive: true });
writeFileSync('node_modules/.cache/kaiactl/chunks.json', JSON.stringify(chunks));
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices(bundled(chunks)));
writeFileSync('dist/kaiactl.1', run('node', 'bin/kaiactl.js', 'man'));
