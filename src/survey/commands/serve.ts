/** kaiactl survey serve: runs the survey API until a signal. */
import { exit, explain, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { untilSignal } from '../../util/until-aborted.js';
import type { Running } from '../server/serve.js';
import type { ServeOptions } from './options/serve.js';
import { announce } from './serve-base.js';
import { serveSettings } from './serve-settings.js';

/**
 * Serves until the host's signal, then lets requests under way finish. With `--check`, no client is served.
 * @param reread the options with the settings file as it is now, for SIGHUP
 */
export async function run(
  options: ServeOptions,
  host: Host,
  reread: () => Promise<ServeOptions> = async () => options,
): Promise<typeof exit.ok> {
  // A hangup never ends the server, also while it starts.
  let reload = async (): Promise<void> => undefined;
  host.onHangup?.(() => void reload());
  // Reading `signal` installs the handler: until then, a signal ends the process at once.
  const { signal } = host;
  const { serve, tryAddresses } = await import('../server/serve.js');
  if (options.sandbox) {
    const { runSandbox } = await import('./sandbox.js');
    // The terminal is gone, and nobody else knows the sandbox.
    const hangup = new AbortController();
    reload = async () => hangup.abort();
    return runSandbox(options, host, serve, AbortSignal.any([signal, hangup.signal]));
  }
  const { settings, notes } = await serveSettings(options, host);
  const tell = async (sentences: readonly string[]) => {
    if (!options.quiet) await print(host.stderr, sentences.map((note) => `note: ${note}\n`).join(''));
  };
  await tell(notes);
  if (options.check) {
    await tryAddresses(settings);
    const hidden = { host: '127.0.0.1', port: 0, adminSocket: null, operations: null };
    const { about, check, close, notes: more } = await serve({ ...settings, ...hidden });
    await tell(more);
    const problem = await check().finally(close);
    if (problem !== null) throw new KaiactlError(problem);
    await print(host.stdout, `can serve: ${about}\n`);
    return exit.ok;
  }
  const running = await serve(settings);
  reload = reloading(running, reread, host);
  await tell(running.notes);
  await announce(running, options, host);
  await untilSignal(signal);
  await running.close();
  return exit.ok;
}

/** Reloads once at a time. An error changes nothing, and is printed. */
function reloading(running: Running, reread: () => Promise<ServeOptions>, host: Host): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const once = async () => {
    try {
      const options = await reread();
      const { settings } = await serveSettings(options, host);
      running.reload(settings);
      if (!options.quiet)
        await print(host.stderr, 'note: reloaded certificate, price list, credentials and limits\n');
    } catch (error) {
      const [first = '', ...more] = explain(error).map((line) => line.trim());
      const why = [first.replace(/^kaiactl: /, ''), ...more].join('. ');
      await print(host.stderr, `note: nothing was reloaded: ${why}\n`);
    }
  };
  return async () => {
    last = last.then(once);
    await last;
  };
}
