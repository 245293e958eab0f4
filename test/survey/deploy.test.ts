/** What deploy/ and docs/ tell people to run is what the program takes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { main } from '../../src/main.js';
import { fakeHost } from './server/fake-host.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test.each(['deploy/compose.yaml', 'deploy/kaiactl-survey.service', 'docs/survey-server.md'])(
  '%s names options there are',
  async (name) => {
    const known = new Set<string>();
    for (const verb of ['serve', 'admin', 'backup']) {
      const { host, texts } = fakeHost(['survey', verb, '--help']);
      await main(host);
      for (const [option] of texts.out.matchAll(/--[a-z-]+/g)) known.add(option);
    }
    const named = [...read(name).matchAll(/(?<=[\s`"'-])--[a-z][a-z-]+/g)].map(([option]) => option);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((option) => !known.has(option))).toEqual([]);
  },
);

test('the dashboard asks for metrics there are', () => {
  const source = read('src/survey/server/metrics.ts');
  const asked = [...read('deploy/grafana.json').matchAll(/kaiactl_survey_[a-z_]+/g)].map(([name]) => name);
  expect(asked.length).toBeGreaterThan(7);
  expect(asked.filter((name) => !source.includes(name.replace(/_bucket$/, '')))).toEqual([]);
});
