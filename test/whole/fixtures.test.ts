/** fixtures/conf: marked lines yield exactly their findings, others none. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seen } from '../../src/node/facts/seen.js';
import { launchers, type Package } from '../../src/node/kinds/kaia/names.js';
import { readConf } from '../node/editables.js';
import { judgeTarget } from '../node/pipeline.js';

const root = new URL('../../fixtures/conf', import.meta.url).pathname;

/**
 * `line rule` for every finding that is not suppressed, sorted; of severity info only those that are `expected`. The launcher
 * is in the file's name.
 */
function findings(folder: string, name: string, expected?: readonly string[]): string[] {
  const bytes = readFileSync(join(root, folder, name));
  const launcher = launchers.find((one) => name.endsWith(`.${one}.conf`));
  const packaging: Package = /^# package: rpm$/m.test(bytes.toString()) ? 'rpm' : 'tar';
  expect(launcher, `${name} ends in the name of a launcher`).toBeDefined();
  const conf = readConf(name, bytes, { launcher: launcher ?? 'kend', package: packaging });
  const facts = { name, role: null, conf: seen(conf), live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
  return judgeTarget(facts, { failOn: 'high' })
    .findings.filter(({ suppressed }) => suppressed === null)
    .map(({ rule, at, severity }) => ({ severity, text: `${'line' in at ? at.line : 0} ${rule}` }))
    .filter(({ severity, text }) => severity !== 'info' || expected?.includes(text) !== false)
    .map(({ text }) => text)
    .sort();
}

/** `line rule` for every `# expect: rule …` at a line's end, sorted. */
function markers(name: string): string[] {
  const lines = readFileSync(join(root, 'err', name), 'utf8').split('\n');
  return lines
    .flatMap((line, at) =>
      (/# expect: (.*)$/.exec(line)?.[1] ?? '')
        .split(/\s+/)
        .flatMap((rule) => (rule === '' ? [] : [`${at + 1} ${rule}`])),
    )
    .sort();
}

test.each(readdirSync(join(root, 'err')))('err/%s yields exactly what its lines expect', (name) => {
  const expected = markers(name);
  expect(expected).not.toEqual([]);
  expect(findings('err', name, expected)).toEqual(expected);
});

test.each(readdirSync(join(root, 'ok')))('ok/%s is silent', (name) => {
  expect(findings('ok', name)).toEqual([]);
});

test('every launcher has a silent and a failing fixture', () => {
  for (const folder of ['ok', 'err']) {
    const names = readdirSync(join(root, folder));
    const missing = launchers.filter((launcher) => !names.some((name) => name.endsWith(`.${launcher}.conf`)));
    expect(missing).toEqual([]);
  }
});
