/** `npm run bench [-- name… --page]`: runs the benchmarks in turn; `--page` writes docs/performance.md, `curves` its curves. */
import { loadavg } from 'node:os';
import { audit, auditBare, auditPeers } from './audit.js';
import type { Bench, Figure } from './bench.js';
import { compose } from './compose.js';
import { lintMany } from './lint-many.js';
import { lsp } from './lsp.js';
import { writePerformance } from './performance.js';
import { probe } from './probe.js';
import { replicas } from './replicas.js';
import { shard } from './shard.js';
import { startUp } from './start-up.js';
import { surveyBatch } from './survey-batch.js';
import { surveyClient } from './survey-client.js';
import { surveyServer } from './survey-server.js';

const benches: readonly Bench[] = [
  audit,
  shard,
  probe,
  startUp,
  lintMany,
  compose,
  lsp,
  surveyServer,
  replicas,
  surveyClient,
  surveyBatch,
];
/** Run by name only: a benchmark starts it in another process. */
const helpers: readonly Bench[] = [auditPeers, auditBare];

const words = process.argv.slice(2);
const asked = words.filter((word) => !word.startsWith('--'));
const chosen =
  asked.length === 0 ? benches : [...benches, ...helpers].filter(({ name }) => asked.includes(name));
const figures = new Map<string, Figure[]>();
for (const bench of chosen) {
  if (helpers.includes(bench)) await bench.run(() => undefined);
  else await measure(bench);
}
if (words.includes('--page')) await writePerformance(figures, asked.length === 0 || asked.includes('curves'));

/** After a failure, the other benchmarks run, and the page keeps its rows. */
async function measure(bench: Bench): Promise<void> {
  process.stdout.write(`\n${bench.name}\n`);
  const found: Figure[] = [];
  try {
    await bench.run((told) => {
      const load = /\bload\b/.test(told.value) ? '' : `, at a load of ${loadavg()[0]?.toFixed(1)}`;
      const figure = { ...told, value: `${told.value}${load}` };
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
