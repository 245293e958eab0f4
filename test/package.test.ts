import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

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

test('the packed tarball holds what we mean, and runs from another folder', { timeout: 60_000 }, () => {
  const packed = pack();
  const paths = packed.files.map((file) => file.path);
  const strange = paths.filter(
    (path) =>
      !/^(bin\/kaiactl\.js|dist\/.*\.(js|d\.ts|json)|fixtures\/demo\/.*|package\.json|(README|CHANGELOG)\.md|LICENSE)$/.test(
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
});
