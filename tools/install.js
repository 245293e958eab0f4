/** Installs missing packages of package-lock.json: those of the build, or with --tests all packages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

process.chdir(new URL('..', import.meta.url).pathname);
const tests = process.argv.includes('--tests');

if (!installed()) {
  process.stderr.write(`Installing the packages of the ${tests ? 'build and the tests' : 'build'} …\n`);
  const words = ['--no-global', '--include=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  const which = tests ? [] : ['--no-workspaces'];
  const options = { stdio: ['ignore', process.stderr, 'inherit'], shell: onWindows() };
  execFileSync('npm', ['ci', ...words, '--no-audit', '--no-fund', ...which], options);
}

/** npm ls lists every problem. --no-global: npm sets --global when it installs a git dependency. */
function installed() {
  if (!existsSync('node_modules')) return false;
  const words = ['ls', '--json', '--no-global'];
  const { stdout } = spawnSync('npm', words, { encoding: 'utf8', shell: onWindows() });
  const { problems = [] } = JSON.parse(stdout);
  // The build needs neither the workspace of the tests nor its packages.
  const harmless = tests ? /^extraneous: / : /^extraneous: |\bkaiactl-tests@/;
  return problems.every((problem) => harmless.test(problem));
}

/** On Windows npm is a script and needs a shell. */
function onWindows() {
  return process.platform === 'win32';
}
