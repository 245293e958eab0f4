/** `npm run bench [name…]`: runs the benchmarks one after the other and prints ratios. */
import type { Bench } from './bench.js';
import { startUp } from './start-up.js';
import { surveyClient } from './survey-client.js';
import { surveyServer } from './survey-server.js';

const benches: readonly Bench[] = [startUp, surveyServer, surveyClient];

const asked = process.argv.slice(2);
for (const bench of benches) {
  if (asked.length > 0 && !asked.includes(bench.name)) continue;
  process.stdout.write(`\n${bench.name}\n`);
  await bench.run((line) => process.stdout.write(`  ${line}\n`));
}
