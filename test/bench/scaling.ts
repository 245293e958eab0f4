/** Processor time, which others on the machine disturb little, against size: measured, fitted, and drawn side by side as one SVG. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './bench.js';
import type { Curve } from './curves.js';

export interface Point {
  readonly size: number;
  readonly ms: number;
}

export interface Scaling {
  readonly curve: Curve;
  readonly points: readonly Point[];
}

/** Medians of the rounds at each size; one of the smaller is run twice before that, so that the code is compiled. */
export async function measured(curve: Curve, say: (line: string) => void): Promise<Scaling> {
  await measure(curve, curve.sizes[1] ?? 1, 2);
  const points: Point[] = [];
  for (const size of curve.sizes) points.push({ size, ms: await measure(curve, size, curve.rounds) });
  const each = points.map(({ size, ms }) => `${size}: ${ms.toFixed(0)} ms`);
  say(`${curve.title}: ${each.join(', ')}; exponent ${fitOf(points).exponent.toFixed(2)}`);
  return { curve, points };
}

async function measure(curve: Curve, size: number, rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
  const { run, close } = await curve.prepare(size, folder);
  try {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await processorTime(run));
    return median(times);
  } finally {
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of processor that this process needs for it, all its threads. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export interface Fit {
  /** ms = base + slope · size, by least squares. */
  readonly base: number;
  readonly slope: number;
  /** Of size, over the larger half of the points: 1 is a line. */
  readonly exponent: number;
}

export function fitOf(points: readonly Point[]): Fit {
  const { base, slope } = line(points.map(({ size, ms }) => [size, ms]));
  const larger = points.slice(points.length >> 1);
  const exponent = line(larger.map(({ size, ms }) => [Math.log(size), Math.log(ms)])).slope;
  return { base, slope, exponent };
}

function line(points: readonly (readonly [number, number])[]): { base: number; slope: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const up = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  const along = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const slope = along === 0 ? 0 : up / along;
  return { base: y - slope * x, slope };
}

/** Width and height of one plot, and of the space around what is plotted. */
const plot = { width: 360, height: 230, left: 58, right: 20, top: 34, bottom: 44 };
const columns = 2;

/** All of them as one picture that follows the reader's choice of light or dark. */
export function drawn(scalings: readonly Scaling[]): string {
  const rows = Math.ceil(scalings.length / columns);
  const plots = scalings.map((scaling, at) => {
    const [x, y] = [(at % columns) * plot.width, Math.floor(at / columns) * plot.height];
    return `<g transform="translate(${x} ${y})">${onePlot(scaling)}</g>`;
  });
  const size = `width="${columns * plot.width}" height="${rows * plot.height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${columns * plot.width} ${rows * plot.height}" role="img">
<title>Processor time against size of the input</title>
<style>
text { font: 11px system-ui, sans-serif; fill: #57606a; }
.title { font-size: 13px; fill: #1f2328; }
.axis { stroke: #8c959f; fill: none; }
.fit { stroke: #0969da; stroke-dasharray: 4 3; fill: none; }
.point { fill: #0969da; }
.page { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1; }
  .title { fill: #f0f6fc; }
  .axis { stroke: #656c76; }
  .fit { stroke: #4493f8; }
  .point { fill: #4493f8; }
  .page { fill: #0d1117; }
}
</style>
<rect class="page" width="100%" height="100%" rx="6"/>
${plots.join('\n')}
</svg>
`;
}

function onePlot({ curve, points }: Scaling): string {
  const { left, top } = plot;
  const [right, bottom] = [plot.width - plot.right, plot.height - plot.bottom];
  const [mostSize, mostMs] = [
    Math.max(...points.map(({ size }) => size)),
    1.1 * Math.max(...points.map(({ ms }) => ms)),
  ];
  const x = (size: number) => (left + ((right - left) * size) / mostSize).toFixed(1);
  const y = (ms: number) => (bottom - ((bottom - top) * Math.max(0, ms)) / mostMs).toFixed(1);
  const { base, slope } = fitOf(points);
  const half = mostSize / 2;
  const dots = points.map(({ size, ms }) => `<circle class="point" cx="${x(size)}" cy="${y(ms)}" r="3"/>`);
  return `
<text class="title" x="${left}" y="18">${curve.title}</text>
<path class="axis" d="M${left} ${top}V${bottom}H${right}"/>
<path class="fit" d="M${x(0)} ${y(base)}L${x(mostSize)} ${y(base + slope * mostSize)}"/>
${dots.join('')}
<text x="${left - 6}" y="${Number(y(mostMs / 1.1)) + 4}" text-anchor="end">${seconds(mostMs / 1.1)}</text>
<text x="${left - 6}" y="${bottom}" text-anchor="end">0 s</text>
<text x="${x(half)}" y="${bottom + 16}" text-anchor="middle">${count(half)}</text>
<text x="${x(mostSize)}" y="${bottom + 16}" text-anchor="end">${count(mostSize)}</text>
<text x="${(left + right) / 2}" y="${bottom + 34}" text-anchor="middle">${curve.unit}</text>
<text x="${left + 8}" y="${top + 4}">processor time</text>
`;
}

const seconds = (ms: number) => `${ms < 10_000 ? (ms / 1000).toPrecision(2) : Math.round(ms / 1000)} s`;
const count = (size: number) => Math.round(size).toLocaleString('en-US');
