/** docs/performance.md and docs/scaling.svg: every figure beside what one would use instead, and how time grows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Figure } from './bench.js';
import { curves } from './curves.js';
import { drawn, fitOf, measured, type Scaling } from './scaling.js';

const page = 'docs/performance.md';

/** Measures the curves and writes both; rows of benchmarks that were not run this time stay as they are. */
export async function writePerformance(figures: ReadonlyMap<string, readonly Figure[]>): Promise<void> {
  process.stdout.write('\ncurves\n');
  const scalings: Scaling[] = [];
  for (const curve of curves)
    scalings.push(await measured(curve, (line) => process.stdout.write(`  ${line}\n`)));
  writeFileSync('docs/scaling.svg', drawn(scalings));
  const kept = keptRows();
  for (const [name, found] of figures)
    kept.set(
      name,
      found.map((figure) => row(name, figure)),
    );
  writeFileSync(page, pageOf(kept, scalings));
}

function pageOf(rows: ReadonlyMap<string, readonly string[]>, scalings: readonly Scaling[]): string {
  const times = scalings.map(({ curve, points }) => {
    const fit = fitOf(points);
    const [last] = points.slice(-1);
    const most = `${last?.size.toLocaleString('en-US')} ${curve.unit}: ${((last?.ms ?? 0) / 1000).toFixed(2)} s`;
    return `| ${curve.title} | \`${curve.command}\` | ${most} | ${fit.exponent.toFixed(2)} |`;
  });
  return `# Performance

Medians of one run on ${availableParallelism()} processors under Node ${process.versions.node.split('.')[0]}. Machines differ: read the ratios. Each row is
measured again by its command, all of it and this page by \`npm run bench -- --curves\`.

${tableOf([...rows.values()].flat())}## How time grows

![Processor time against size: a line each](scaling.svg)

Processor time of all threads. The exponent is that of the larger half of the sizes: 1 is a line.

| | command | at most | exponent |
|---|---|---|---|
${times.join('\n')}
`;
}

/** Nothing before the first benchmark was run. */
function tableOf(rows: readonly string[]): string {
  if (rows.length === 0) return '';
  return `| what | kaiactl | what one would use instead | ratio | command |
|---|---|---|---|---|
${rows.join('\n')}

`;
}

function row(name: string, { what, value, instead = '', ratio = '' }: Figure): string {
  return `| ${[what, value, instead, ratio, `\`npm run bench -- ${name}\``].join(' | ')} |`;
}

/** The rows of the page as it is, by the benchmark that they come from. */
function keptRows(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of existing().split('\n')) {
    const name = /`npm run bench -- ([\w-]+)` \|$/.exec(line)?.[1];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), line]);
  }
  return found;
}

function existing(): string {
  try {
    return readFileSync(page, 'utf8');
  } catch {
    return '';
  }
}
