/**
 * Builds dist/: the library's types (not with --untyped), the program bundled with its packages, their notices, and the manual
 * page. Not bundled: libsql, whose binary is for one platform, and optional dependencies of packages.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build } from 'rolldown';
import { bundled } from './bundled.js';
import { notices } from './notices.js';
import { unmapped, versioned } from './plugins.js';

process.chdir(new URL('..', import.meta.url).pathname);
const run = (command, ...words) =>
  execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

process.stderr.write('Building dist/ …\n');
rmSync('dist', { recursive: true, force: true });
if (!process.argv.includes('--untyped')) {
  run('node', 'node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json');
  const typed = declarations('dist/index.d.ts');
  for (const name of readdirSync('dist', { recursive: true }))
    if (name.endsWith('.d.ts') && !typed.has(join('dist', name))) rmSync(join('dist', name));
}
/** The declarations that this one leads to; tsc writes those of every source. */
function declarations(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g);
  for (const [, to] of imports) declarations(join(path, '..', `${to}.d.ts`), found);
  return found;
}
const input = {
  external: ['libsql', 'pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate', 'supports-color'],
  platform: 'node',
  tsconfig: false,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  transform: { target: 'node20' },
  plugins: [unmapped, versioned],
  checks: { ineffectiveDynamicImport: false },
};
const output = {
  dir: 'dist',
  charset: 'ascii',
  minify: { compress: true, mangle: { toplevel: false }, codegen: { removeWhitespace: true } },
  comments: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
};
// CommonJS: Node takes a fifth longer to start for ES modules.
const program = await build({
  ...input,
  input: { main: 'src/main.ts', 'hash-thread': 'src/survey/group/hash-thread.ts' },
  // Otherwise the entry would be a file that loads another one.
  preserveEntrySignatures: 'allow-extension',
  output: {
    ...output,
    format: 'cjs',
    // require() loads chunks without Node's loader of ES modules.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // Few files per start: for every start, for the command line, for lint of a conf, for the other kinds of node.
    codeSplitting: {
      groups: [
        { name: 'main', test: /src\/main\.ts$|rolldown[\\/]runtime/, priority: 5 },
        { name: 'cli', test: /src\/cli\/program\.ts$/, priority: 4 },
        { name: 'lint', test: /src\/node\/(commands\/lint|report\/text(-paint)?)\.ts$/, priority: 3 },
        { name: 'kinds', test: /src\/node\/kinds\/index\.ts$/, priority: 2 },
        { name: 'offline', test: /src\/node\/commands\/(settings|explain)\.ts$/, priority: 1 },
      ],
    },
  },
});
const library = await build({
  ...input,
  input: 'src/index.ts',
  // Maps of the same sources once more would be a fifteenth of the package.
  output: { ...output, sourcemap: false, chunkFileNames: '[name]-[hash].js' },
});
const chunks = [...program.output, ...library.output]
  .filter(({ type }) => type === 'chunk')
  .map(({ fileName, modules, imports }) => ({ fileName, imports, inputs: filled(modules) }));
/** The files with code left in a chunk. */
function filled(modules) {
  const left = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return left.map(([path]) => relative('.', path));
}
// The packages read these files from their own folder.
const wasm = [
  'tiny-secp256k1/lib/secp256k1.wasm',
  '@railgun-community/poseidon-hash-wasm/pkg-cjs/poseidon_hash_wasm_bg.wasm',
];
for (const path of wasm) copyFileSync(`node_modules/${path}`, `dist/${basename(path)}`);
mkdirSync('node_modules/.cache/kaiactl', { recursive: true });
writeFileSync('node_modules/.cache/kaiactl/chunks.json', JSON.stringify(chunks));
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices(bundled(chunks)));
writeFileSync('dist/kaiactl.1', run('node', 'bin/kaiactl.js', 'man'));
