/** What is said once a survey server listens. */
import { type Host, print } from '../../host.js';
import type { Running } from '../server/serve.js';

/** The first line of stdout: the URL, or an object that holds it. */
export async function announce(
  running: Running,
  options: { readonly format: 'text' | 'json'; readonly quiet: boolean },
  host: Host,
): Promise<void> {
  const line = options.format === 'json' ? JSON.stringify({ url: running.url }) : running.url;
  await print(host.stdout, `${line}\n`);
  if (!options.quiet) await print(host.stderr, `serving ${running.about}; Ctrl-C ends it\n`);
}
