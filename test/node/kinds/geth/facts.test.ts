/** The flags of geth by release, against the facts where they lie beside the project. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { geth } from '../../../../src/node/kinds/geth/index.js';

const facts = new URL('../../../../../shared/facts/geth-versions.json', import.meta.url);
const beside = new URL('../../../../../../shared/facts/geth-versions.json', import.meta.url);
const path = [facts, beside].find((one) => existsSync(one));
if (path === undefined) process.stderr.write('geth-facts.test.ts: skipped, the facts are not here\n');

interface Facts {
  readonly versions: readonly { readonly tag: string }[];
  readonly flags: readonly Row[];
  readonly otherFlags: readonly Row[];
}
interface Row {
  readonly name: string;
  readonly since: string;
  readonly until: string | null;
  readonly periods?: readonly { readonly since: string; readonly until: string | null }[];
}

test.skipIf(path === undefined)('every release has the flags that its source has', () => {
  const { versions, flags, otherFlags } = JSON.parse(readFileSync(path as URL, 'utf8')) as Facts;
  const tags = versions.map(({ tag }) => tag);
  expect(geth.releases.map(({ tag }) => tag)).toEqual(tags);
  const rows = [...flags, ...otherFlags];
  expect(rows.length).toBeGreaterThan(300);
  const at = (tag: string) => tags.indexOf(tag);
  for (const [index, tag] of tags.entries()) {
    const has = geth.at(`geth/${tag}`).flags.of('geth').byName;
    const wanted = rows.filter(({ periods, ...own }) =>
      (periods ?? [own]).some(
        ({ since, until }) => at(since) <= index && (until === null || at(until) >= index),
      ),
    );
    const names = wanted.map(({ name }) => name).sort();
    const own = [...has.keys()].filter((name) => rows.some((row) => row.name === name)).sort();
    expect(own, tag).toEqual(names);
  }
});
