/**
 * Builds dist/: types, the program with the packages it needs inside, their notices, and the manual page. Left out are
 * libsql, whose binary is for one platform, and what packages use only where it happens to be.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundled } from './bundled.js';
import { notices } from './notices.js';

process.chdir(new URL('..', import.meta.url).pathname);
const run = (command, ...words) =>
  execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** A map for each file of a package would be as large as the program: stacks name the files of src/ alone. */
const unmapped = {
  name: 'unmapped',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${empty}`,
    })),
};
const empty = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

rmSync('dist', { recursive: true, force: true });
run('node', 'node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json');
const { metafile } = await build({
  entryPoints: ['src/main.ts', 'src/index.ts'],
  bundle: true,
  splitting: true,
  external: ['libsql', 'pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate', 'supports-color'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outdir: 'dist',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  plugins: [unmapped],
  metafile: true,
  logLevel: 'warning',
  // Packages in CommonJS ask for node's own modules by require.
  banner: {
    js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
  },
});
mkdirSync('node_modules/.cache/kaiactl', { recursive: true });
writeFileSync('node_modules/.cache/kaiactl/meta.json', JSON.stringify(metafile));
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices(bundled(metafile)));
writeFileSync('dist/kaiactl.1', run('node', 'bin/kaiactl.js', 'man'));
