/**
 * Builds dist/: types, the program with the packages it needs inside, their notices, and the manual page. Left out are
 * libsql, whose binary is for one platform, and what packages use only where it happens to be.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { build, RolldownMagicString } from 'rolldown';
import { bundled, manifest } from './bundled.js';
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

/** Each of node's own packages is loaded by the first line that uses it: crypto, net and fs/promises take 5 ms. */
const whenUsed = {
  name: 'when-used',
  renderChunk(code) {
    const text = new RolldownMagicString(code);
    for (const [line, name, load] of code.matchAll(/^let (node_\w+) = (require\("node:[\w/]+"\));$/gm)) {
      // A default import is made of it at once.
      if (code.includes(`${name} = `, code.indexOf(line) + line.length)) continue;
      text.replace(line, `let ${name};`);
      for (const { index } of code.matchAll(new RegExp(`\\b${name}(?=\\.)`, 'g')))
        text.overwrite(index, index + name.length, `(${name} ??= ${load})`);
    }
    // rolldown's own file is loaded even where nothing of it is used.
    for (const { 0: line, 1: name, index } of code.matchAll(/^const (require_rolldown_runtime) = .*$/gm))
      if (!code.includes(`${name}.`)) text.remove(index, index + line.length);
    return text;
  },
};

/** The version is known by now. */
const versioned = {
  name: 'versioned',
  load: {
    filter: { id: /src\/version\.ts$/ },
    handler: () => `export const version = () => '${manifest('.').version}';`,
  },
};

rmSync('dist', { recursive: true, force: true });
run('node', 'node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json');
const input = {
  external: ['libsql', 'pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate', 'supports-color'],
  platform: 'node',
  tsconfig: false,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  transform: { target: 'node20' },
  plugins: [unmapped, noPrograms, versioned],
  checks: { ineffectiveDynamicImport: false },
};
const output = {
  dir: 'dist',
  charset: 'ascii',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
};
// CommonJS: before a program's first line, node takes a fifth longer to start for ES modules.
const program = await build({
  ...input,
  plugins: [...input.plugins, whenUsed],
  input: 'src/main.ts',
  // Else it would be a file that loads the one it names.
  preserveEntrySignatures: 'allow-extension',
  output: {
    ...output,
    format: 'cjs',
    // What was compiled before the start cannot import, and need not.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // What every start needs, the command line and what runs offline are a file each: a start reads few of them.
    codeSplitting: {
      groups: [
        { name: 'main', test: /src\/main\.ts$/, priority: 3 },
        { name: 'cli', test: /src\/cli\/program\.ts$/, priority: 2 },
        {
          name: 'offline',
          test: /src\/node\/(commands\/(lint|settings|explain)|report\/text(-paint)?)\.ts$/,
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
