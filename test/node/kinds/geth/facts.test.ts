/** The flags of geth and the keys of its file by release, against the facts where they lie beside the project. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { geth } from '../../../../src/node/kinds/geth/index.js';
import type { TomlFile } from '../../../../src/node/kinds/kind.js';

const facts = new URL('../../../../../shared/facts/geth-versions.json', import.meta.url);
const beside = new URL('../../../../../../shared/facts/geth-versions.json', import.meta.url);
const path = [facts, beside].find((one) => existsSync(one));
if (path === undefined) process.stderr.write('geth-facts.test.ts: skipped, the facts are not here\n');

interface Facts {
  readonly versions: readonly { readonly tag: string }[];
  readonly flags: readonly Row[];
  readonly otherFlags: readonly Row[];
  readonly toml: { readonly retired: Readonly<Record<string, readonly string[]>> };
  readonly tomlNode: Readonly<Record<string, Omit<Row, 'name'>>>;
  readonly tomlEth: { readonly keys: Readonly<Record<string, Omit<Row, 'name'>>> };
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

test.skipIf(path === undefined)('the file of every release has the keys that its source has', () => {
  const { versions, toml, tomlNode, tomlEth } = JSON.parse(readFileSync(path as URL, 'utf8')) as Facts;
  const tags = versions.map(({ tag }) => tag);
  const at = (tag: string) => tags.indexOf(tag);
  // The facts have the keys of [Eth] from v1.10.0 on. A release warns of retired keys, and starts.
  const [first, firstOfEth] = ['v1.6.0', 'v1.10.0'].map(at) as [number, number];
  const retired = new Set(Object.values(toml.retired).flat());
  const sections = [
    ['Node', tomlNode, first],
    ['Eth', tomlEth.keys, firstOfEth],
  ] as const;
  for (const [section, keys, from] of sections)
    for (const [name, { since, until }] of Object.entries(keys))
      for (const [index, tag] of tags.entries()) {
        if (index < from) continue;
        const key = `${section}.${name}`;
        const isThere = at(since) <= index && (until === null || at(until) >= index || retired.has(key));
        const { isRefused } = geth.at(`geth/${tag}`).configFile as TomlFile;
        expect(isRefused(key), `${key} ${tag}`).toBe(!isThere);
      }
});
