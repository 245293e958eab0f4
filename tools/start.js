/** `npm start`: installs, builds, and audits a simulated node of the demonstration conf. */
import { spawnSync } from 'node:child_process';

process.chdir(new URL('..', import.meta.url).pathname);
const audit = ['node', 'audit', '--simulate', 'fixtures/demo/kend.conf', '--exit-zero'];
for (const words of [['tools/install.js'], ['tools/build.js'], ['bin/kaiactl.js', ...audit]]) {
  const { status } = spawnSync('node', words, { stdio: 'inherit' });
  if (status !== 0) {
    process.exitCode = status ?? 1;
    break;
  }
}
