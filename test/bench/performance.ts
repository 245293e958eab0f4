/** Writes docs/performance.md, and docs/scaling.svg when the curves are measured. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Figure } from './bench.js';
import { curves } from './curves.js';
import { drawn, fitOf, measured, type Scaling } from './scaling.js';

const page = 'docs/performance.md';
const growth = '## How time grows';

/** Rows of benchmarks that were not run, and curves that were not measured, stay as they are. */
export async function writePerformance(
  figures: ReadonlyMap<string, readonly Figure[]>,
  withCurves: boolean,
): Promise<void> {
  const before = existing();
  const rows = keptRows(before);
  for (const [name, found] of figures)
    rows.set(
      name,
      found.map((figure) => row(name, figure)),
    );
  const kept = before.slice(before.indexOf(growth));
  writeFileSync(page, `${table([...rows.values()].flat())}${withCurves ? await measuredGrowth() : kept}`);
}

function table(rows: readonly string[]): string {
  return `# Performance

Medians on ${availableParallelism()} processors under Node ${process.versions.node.split('.')[0]}. Values depend on the machine: compare the ratios. The last column
measures a row again, and \`npm run bench -- --page\` this page.

| what | kaiactl | compared with | ratio | command |
|---|---|---|---|---|
${rows.join('\n')}

`;
}

async function measuredGrowth(): Promise<string> {
  process.stdout.write('\ncurves\n');
  const scalings: Scaling[] = [];
  for (const curve of curves)
    scalings.push(await measured(curve, (line) => process.stdout.write(`  ${line}\n`)));
  writeFileSync('docs/scaling.svg', drawn(scalings));
  const times = scalings.map(({ curve, points }) => {
    const fit = fitOf(points);
    const [last] = points.slice(-1);
    const largest = `${last?.size.toLocaleString('en-US')} ${curve.unit}: ${((last?.ms ?? 0) / 1000).toFixed(2)} s`;
    return `| ${curve.title} | \`${curve.command}\` | ${largest} | ${fit.exponent.toFixed(2)} |`;
  });
  return `${growth}

![Processor time by size, a line for each input](scaling.svg)

Processor time of all threads. The exponent is fitted to the larger half of the sizes: 1 is linear.

A root is the same work for \`--format json\` and for \`--verify\`: about 10 s of processor for 100,000 members the first time. Two
idle processors need 6 s for it; under a load of 10, they need 30 s and more. \`--no-root\` leaves it out.

| input | command | largest | exponent |
|---|---|---|---|
${times.join('\n')}
`;
}

function row(name: string, { what, value, instead = '', ratio = '' }: Figure): string {
  return `| ${[what, value, instead, ratio, `\`npm run bench -- ${name}\``].join(' | ')} |`;
}

/** The rows of the page, by benchmark. */
function keptRows(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
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
