/** A compose file of many services: none uses up the steps that the others need. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { loadNodes } from '../../load.js';

const { signal } = new AbortController();

test('services whose scripts depend on many conditions leave the steps for a node behind them', async () => {
  const conditions = Array.from({ length: 60 }, (_, at) => `if [ "$$X${at}" = a ]; then Y="$$Y b"; fi`);
  const script = [...conditions, 'exec besu $$Y'].map((line) => `        ${line}\n`).join('');
  const other = (at: number) =>
    `  other-${at}:\n    entrypoint: [sh, -c]\n    command:\n      - |\n${script}`;
  const others = Array.from({ length: 12 }, (_, at) => other(at)).join('');
  const text = `services:\n${others}  geth:\n    image: ethereum/client-go:v1.14.0\n    command: --http --http.api admin\n`;
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal };
  const { nodes, problems } = await loadNodes('-', { stdinFilename: 'compose.yml' }, host);
  expect(problems).toEqual([]);
  expect(nodes.map(({ name, conf }) => [name, conf.settings.values['http.api']?.value])).toEqual([
    ['geth', 'admin'],
  ]);
});
