/** Long-lived connections: for notifications, liveness and leases, which end with their connection. */
import pg from 'pg';

/** Delay before reconnecting, in milliseconds. */
const pauseMs = 250;

/**
 * Keeps a connection open for `use`, and reconnects when it is lost, until `ended`.
 * @param failed called when the first connection fails; no retry follows
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
