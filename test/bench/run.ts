/** `npm run bench [name…]`: runs the benchmarks one after the other and prints ratios. */
import { audit, auditPeers } from './audit.js';
import type { Bench } from './bench.js';
import { lintMany } from './lint-many.js';
import { startUp } from './start-up.js';
import { surveyClient } from './survey-client.js';
import { surveyServer } from './survey-server.js';

const benches: readonly Bench[] = [audit, startUp, lintMany, surveyServer, surveyClient];

const asked = process.argv.slice(2);
/** Run only when asked for by name: what a benchmark starts in a process of its own. */
const helpers: readonly Bench[] = [auditPeers];
for (const bench of [...benches, ...helpers.filter(({ name }) => asked.includes(name))]) {
  if (asked.length > 0 && !asked.includes(bench.name)) continue;
  process.stdout.write(`\n${bench.name}\n`);
  await bench.run((line) => process.stdout.write(`  ${line}\n`));
}
