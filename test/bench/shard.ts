/** A quarter of a fleet of 100,000 nodes, of which a third is dead or silent, and the merge of four such reports. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { inventory, withPeers } from './audit.js';
import type { Bench } from './bench.js';
import { type Apart, apart } from './program.js';

const shards = 4;
/** Of each shard. */
const nodes = Number(process.env.KAIACTL_TEST_NODES ?? 25_000);

export const shard: Bench = {
  name: 'shard',
  async run(tell) {
    await withPeers(async (alive, folder) => {
      const silent = createServer((socket) => socket.on('error', () => undefined));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      const fleet = inventory(folder, withDead(alive, `http://127.0.0.1:${port}`), shards * nodes);
      const output = ['--report', 'ndjson=1.ndjson', '--format', 'ndjson', '--quiet'];
      const words = ['--inventory', fleet, '--shard', `1/${shards}`, '--concurrency', '128', ...output];
      const audited = expectUnseen(await apart(folder, ['node', 'audit', ...words]));
      silent.close();
      const first = join(folder, '1.ndjson');
      const load = loadavg()[1]?.toFixed(1);
      tell({
        what: `\`kaiactl node audit --shard 1/${shards}\` of ${shards * nodes} nodes, a sixth of which refuses and a sixth never answers, 128 at once`,
        value: `${Math.round(audited.seconds)} s for ${nodes} nodes, ${Math.round(audited.processorSeconds)} s of processor, at a load of ${load}`,
      });
      tell({
        what: 'its peak memory',
        value: `${audited.mb} MB, ${Math.round(statSync(first).size / nodes)} bytes of ndjson each node`,
      });
      const others = ['2', '3', '4'].map((part) => join(folder, `${part}.ndjson`));
      for (const [at, file] of others.entries()) writeFileSync(file, renamed(first, at + 2));
      const outputs = ['--report', 'html=fleet.html', '--format', 'ndjson', '--quiet'];
      const merged = expectUnseen(await apart(folder, ['report', 'merge', first, ...others, ...outputs]));
      tell({
        what: `\`kaiactl report merge\` of ${shards} such reports, as HTML and ndjson`,
        value: `${merged.seconds.toFixed(1)} s, ${merged.mb} MB at most`,
      });
    });
  },
};

/** Of six URLs, four answer, one refuses connections and one accepts them and says nothing. */
function withDead(alive: readonly string[], silent: string): string[] {
  return alive.flatMap((url, at) => (at % 4 === 3 ? [url, 'http://127.0.0.1:1', silent] : [url]));
}

/** The report of a shard with other names of nodes. */
function renamed(file: string, part: number): string {
  return readFileSync(file, 'utf8').replaceAll(/^\{"name":"en-/gm, `{"name":"en-${part}-`);
}

/** @throws when the run ended otherwise than with nodes that were not seen */
function expectUnseen(ran: Apart): Apart {
  if (ran.code !== 3) throw new Error(`kaiactl ended with ${ran.code}`);
  return ran;
}
