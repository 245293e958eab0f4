/** Probes of a fleet, one after another as Prometheus spreads them over its interval. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { inventory, withPeers } from './audit.js';
import type { Bench } from './bench.js';
import { fetchWhole, peakMegabytes, processorTime } from './load.js';

const program = join(process.cwd(), 'bin', 'kaiactl.js');
const nodes = 5_000;
const intervalMs = 300_000;
/** At the start, code is compiled, which is measured elsewhere. */
const warmUpMs = 10_000;
const measuredMs = 60_000;

export const probe: Bench = {
  name: 'probe',
  async run(tell) {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await withPeers(async (urls, folder) => {
      const some = urls.map(
        (url, at) => [url, url, 'http://127.0.0.1:1', url, url, silentUrl][at % 6] ?? url,
      );
      const fleet = inventory(folder, some, nodes);
      const words = ['--inventory', fleet, '--listen', '127.0.0.1:0', '--concurrency', '100'];
      const child = spawn(process.execPath, [program, 'node', 'watch', '--serve-probe', ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        const pid = child.pid ?? 0;
        const base = await urlIn(child.stderr);
        await probesFor(warmUpMs, base);
        const before = processorTime(pid) ?? Number.NaN;
        await probesFor(measuredMs, base);
        const cores = ((processorTime(pid) ?? Number.NaN) - before) / measuredMs;
        tell({
          what: `\`kaiactl node watch --serve-probe\` of ${nodes} nodes every ${intervalMs / 60_000} minutes, a third of them dead or silent`,
          value: `${cores.toFixed(2)} of a processor, at a load average of ${loadavg()[0]?.toFixed(0)}`,
        });
        tell({ what: 'its peak memory', value: `${peakMegabytes(pid)?.toFixed(0)} MB` });
      } finally {
        child.kill();
      }
    });
    silent.close();
  },
};

/** The address of the listener. */
async function urlIn(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const url = /probes at (\S+)NAME/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('kaiactl node watch did not listen');
}

/** Starts probes of one node after another at the rate of the interval, and waits for their results. */
async function probesFor(ms: number, base: string): Promise<void> {
  const start = performance.now();
  const under: Promise<unknown>[] = [];
  for (let at = 0; performance.now() - start < ms; at++) {
    under.push(fetchWhole(`${base}en-${at % nodes}`));
    await sleep(Math.max(0, start + (at + 1) * (intervalMs / nodes) - performance.now()));
  }
  await Promise.all(under);
}
