/** Before any test: dist/ as src/ is now, so that no test runs a stale build. */
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: new URL('..', import.meta.url).pathname,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
