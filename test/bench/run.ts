/** `npm run bench [-- name…]`: the benchmarks, one after the other; `curves` and --curves, after all, how time grows, for docs/. */
import { audit, auditPeers } from './audit.js';
import type { Bench, Figure } from './bench.js';
import { lintMany } from './lint-many.js';
import { writePerformance } from './performance.js';
import { replicas } from './replicas.js';
import { startUp } from './start-up.js';
import { surveyBatch } from './survey-batch.js';
import { surveyClient } from './survey-client.js';
import { surveyServer } from './survey-server.js';

const benches: readonly Bench[] = [
  audit,
  startUp,
  lintMany,
  surveyServer,
  replicas,
  surveyClient,
  surveyBatch,
];
/** Run only when asked for by name: what a benchmark starts in a process of its own. */
const helpers: readonly Bench[] = [auditPeers];

const words = process.argv.slice(2);
const asked = words.filter((word) => !word.startsWith('--'));
const chosen =
  asked.length === 0 ? benches : [...benches, ...helpers].filter(({ name }) => asked.includes(name));
const figures = new Map<string, Figure[]>();
for (const bench of chosen) {
  if (helpers.includes(bench)) await bench.run(() => undefined);
  else await measure(bench);
}
if (words.includes('--curves') || asked.includes('curves')) await writePerformance(figures);

/** One that fails does not end the others, nor does it replace what is known of it. */
async function measure(bench: Bench): Promise<void> {
  process.stdout.write(`\n${bench.name}\n`);
  const found: Figure[] = [];
  try {
    await bench.run((figure) => {
      found.push(figure);
      const { what, value, instead, ratio } = figure;
      process.stdout.write(
        `  ${what}: ${[value, ratio, instead].filter((part) => part !== undefined).join('; ')}\n`,
      );
    });
    figures.set(bench.name, found);
  } catch (error) {
    process.stdout.write(`  not measured: ${error}\n`);
    process.exitCode = 1;
  }
}
