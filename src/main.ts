/** The entry point: runs a command line, prints errors on stderr, returns the exit code. */
import { exit, exitCodeOf, explain } from './errors.js';
import { type Host, print } from './host.js';
import { version } from './version.js';

export { nodeHost } from './host.js';

/** Runs one command line. Never throws; never exits the process. */
export async function main(host: Host): Promise<number> {
  try {
    if (host.argv.length === 1 && ['--version', '-V'].includes(host.argv[0] ?? '')) {
      await print(host.stdout, `kaiactl ${version()}\n`);
      return exit.ok;
    }
    if (host.runInChild !== undefined && host.argv.includes('node')) return await host.runInChild();
    host.keepCompiled?.();
    const { runProgram } = await import('./cli/program.js');
    return await runProgram(host, version());
  } catch (error) {
    if (host.signal.aborted && exitCodeOf(error) !== exit.interrupted) {
      await print(host.stderr, 'kaiactl: interrupted\n');
      return exit.interrupted;
    }
    const verbose = host.argv.includes('-v') || host.argv.includes('--verbose');
    await print(host.stderr, `${explain(error, verbose).join('\n')}\n`);
    return exitCodeOf(error);
  }
}
