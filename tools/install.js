/** Installs the packages of package-lock.json, unless they are there: those of the build, with --tests all of them. */
import { execFileSync, spawnSync } from 'node:child_process';

process.chdir(new URL('..', import.meta.url).pathname);
const tests = process.argv.includes('--tests');

// npm ls lists every problem and ends with 1 when there is any. --no-global: npm sets it where it installs a commit.
const { stdout } = spawnSync('npm', ['ls', '--json', '--no-global'], {
  encoding: 'utf8',
  shell: onWindows(),
});
const { problems = [] } = JSON.parse(stdout);
// The build needs neither the workspace of the tests nor its packages.
const harmless = tests ? /^extraneous: / : /^extraneous: |\bkaiactl-tests@/;
if (problems.some((problem) => !harmless.test(problem))) {
  process.stderr.write(`Installing the packages of the ${tests ? 'build and the tests' : 'build'} …\n`);
  const words = ['--no-global', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  if (!tests) words.push('--no-workspaces');
  execFileSync('npm', ['ci', ...words], { stdio: ['ignore', process.stderr, 'inherit'], shell: onWindows() });
}

/** npm is a script there. */
function onWindows() {
  return process.platform === 'win32';
}
