/** fixtures/<format>: marked lines yield exactly their findings, others none. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { seen } from '../../src/node/facts/seen.js';
import { loadNodes } from '../node/load.js';
import { judgeTarget } from '../node/pipeline.js';

const root = new URL('../../fixtures', import.meta.url).pathname;
const kinds = readdirSync(root).filter((name) =>
  ['compose', 'kubernetes', 'systemd', 'environment', 'yaml', 'dockerfile', 'script', 'template'].includes(
    name,
  ),
);

/** `line rule` for every finding in the file itself that is not suppressed, sorted. */
async function findings(folder: string, name: string): Promise<string[]> {
  const host = { cwd: folder, stdin: Readable.from([]), signal: new AbortController().signal };
  const { nodes, problems } = await loadNodes(name, {}, host);
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(nodes).not.toEqual([]);
  const found = nodes.flatMap(({ conf }) => {
    const facts = { name, role: null, conf: seen(conf), live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
    return judgeTarget(facts, { failOn: 'high' }).findings;
  });
  return found
    .filter(({ suppressed }) => suppressed === null)
    .map(
      ({ rule, at }) => `${'line' in at ? `${at.file === name ? '' : `${at.file}:`}${at.line}` : 0} ${rule}`,
    )
    .sort();
}

/** `line rule` for every `# expect: rule …` at a line's end; `# expect above:` is about the line above. */
function markers(folder: string, name: string): string[] {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  return lines
    .flatMap((line, at) => {
      const [, above, rules = ''] = /# expect( above)?: (.*)$/.exec(line) ?? [];
      return rules
        .split(/\s+/)
        .flatMap((rule) => (rule === '' ? [] : [`${above === undefined ? at + 1 : at} ${rule}`]));
    })
    .sort();
}

const fixtures = (which: 'err' | 'ok') =>
  kinds.flatMap((kind) =>
    readdirSync(join(root, kind, which), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => [kind, name] as const),
  );

test.each(fixtures('err'))('%s/err/%s yields exactly what its lines expect', async (kind, name) => {
  const folder = join(root, kind, 'err');
  const expected = markers(folder, name);
  expect(expected).not.toEqual([]);
  expect(await findings(folder, name)).toEqual(expected);
});

test.each(fixtures('ok'))('%s/ok/%s is silent', async (kind, name) => {
  expect(await findings(join(root, kind, 'ok'), name)).toEqual([]);
});
