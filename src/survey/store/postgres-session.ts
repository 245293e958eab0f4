/** Connections that are kept, for what lives as long as one: being heard of, being alive, having the lead. */
import pg from 'pg';

/** Between two tries to have a connection again, in milliseconds. */
const pauseMs = 250;

/**
 * Keeps one connection for `use`, with another one when it is lost, until `ended`.
 * @param failed told when not even the first one can be had; nothing is tried again then
 */
export async function keepSession(
  config: pg.ClientConfig,
  ended: AbortSignal,
  use: (client: pg.Client, lost: Promise<void>) => Promise<void>,
  failed?: (error: unknown) => void,
): Promise<void> {
  for (let first = failed !== undefined; !ended.aborted; first = false) {
    const client = new pg.Client(config);
    const over = new AbortController();
    const lost = new Promise<void>((resolve) => {
      for (const event of ['error', 'end']) client.once(event, () => resolve());
      ended.addEventListener('abort', () => resolve(), over);
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const closed = lost.then(() => client.end());
      await Promise.all([use(client, lost), closed.catch(() => undefined)]);
    } catch (error) {
      if (first) return failed?.(error);
    }
    over.abort();
    await client.end().catch(() => undefined);
    if (!ended.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
