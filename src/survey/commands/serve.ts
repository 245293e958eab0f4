/** kaiactl survey serve: runs the survey API until a signal. */

import { exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { untilSignal } from '../../util/until-aborted.js';
import type { ServeOptions } from './options/serve.js';
import { announce } from './serve-log.js';
import { serveSettings } from './serve-settings.js';

/** Serves until the host's signal, then lets requests under way finish. With `--check`, no client is served. */
export async function run(options: ServeOptions, host: Host): Promise<typeof exit.ok> {
  // Reading `signal` installs the handler: until then, a signal ends the process at once.
  const { signal } = host;
  const { serve } = await import('../server/serve.js');
  if (options.sandbox) {
    const { runSandbox } = await import('./sandbox.js');
    return runSandbox(options, host, serve);
  }
  const { settings, notes } = await serveSettings(options, host);
  if (!options.quiet) await print(host.stderr, notes.map((note) => `note: ${note}\n`).join(''));
  if (options.check) {
    const hidden = { host: '127.0.0.1', port: 0, adminSocket: null, metricsPort: null };
    const { about, close } = await serve({ ...settings, ...hidden });
    await close();
    await print(host.stdout, `can serve: ${about}\n`);
    return exit.ok;
  }
  const running = await serve(settings);
  await announce(running, options, host);
  await untilSignal(signal);
  await running.close();
  return exit.ok;
}
