import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** npm pack needs no network; what it packs is what a user gets. */
function pack(): Packed {
  const text = execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parsed = JSON.parse(text) as Packed[] | Record<string, Packed>;
  const packed = Object.values(parsed)[0];
  if (packed === undefined) throw new Error('npm pack packed nothing');
  return packed;
}

const packed = pack();

test('the packed tarball holds what we mean, and runs from another folder', { timeout: 60_000 }, () => {
  const paths = packed.files.map((file) => file.path);
  const strange = paths.filter(
    (path) =>
      !/^(bin\/kaiactl\.js|dist\/.*\.(js|js\.map|d\.ts|json)|dist\/kaiactl\.1|fixtures\/demo\/.*|package\.json|(README|CHANGELOG)\.md|LICENSE)$/.test(
        path,
      ),
  );
  expect(strange).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(2_000_000);

  const home = join(folder, 'node_modules', 'kaiactl');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1']);
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  const version = spawnSync(process.execPath, [join(home, 'bin/kaiactl.js'), '--version'], {
    encoding: 'utf8',
  });
  expect(version.stdout).toMatch(/^kaiactl \d+\.\d+\.\d+\n$/);
  const help = spawnSync(process.execPath, [join(home, 'bin/kaiactl.js'), 'node', '--help'], {
    encoding: 'utf8',
  });
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('lint');
  const library = spawnSync(process.execPath, ['--input-type=module', '-e', "await import('kaiactl')"], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(library.stderr).toBe('');

  const [, code = '', printed] =
    /```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ??
    [];
  const example = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([example.stderr, example.stdout]).toEqual(['', printed]);
});

test('what is packed is what its package.json says, for bundlers and for types', {
  timeout: 60_000,
}, async () => {
  const tarball = readFileSync(join(folder, packed.filename));
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer } });
  expect(messages.map((message) => formatMessage(message, { name: 'kaiactl' }))).toEqual([]);
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  // The package is for import alone: require, and the resolution before exports, are not promised.
  const promised = (types.types === false ? [{ kind: 'no types' }] : types.problems).filter(
    (one) =>
      !('resolutionKind' in one) || one.resolutionKind === 'node16-esm' || one.resolutionKind === 'bundler',
  );
  expect(promised).toEqual([]);
});

test('a stack names the files of src/', () => {
  const breaks = "data:text/javascript,process.stdout.write=()=>{throw new TypeError('broken')}";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', breaks, join(root, 'bin/kaiactl.js'), 'node', 'explain', '--verbose'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(70);
  expect(stderr).toMatch(/src\/host\.ts:\d+/);
});

test('the workflow runs what package.json has, on all that is supported', () => {
  const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const { jobs } = parse(text) as {
    jobs: { test: { strategy: { matrix: object }; steps: { run?: string }[] } };
  };
  expect(jobs.test.strategy.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: [20, 22, 24],
  });
  expect(jobs.test.steps.flatMap(({ run }) => run ?? [])).toEqual(['npm ci', 'npm run ci']);
});
