import { expect } from 'vitest';
import type { Rule } from '../../../src/node/judge/rule/rule.js';

/** Words of one kind of node: JSON, SARIF and HTML show a rule's texts for nodes of other kinds, too. */
const kindWords =
  /kaia(?!ctl)|klay|homi|governance|scsigner|\bk(?:en|end|cn|cnd|pn|pnd|bnd|scnd|spnd|send)\b|\b(?:RPC|WS|SC|KLAYTN|KAIA)_\w|ADDITIONAL|PROMETHEUS/i;

/** Fails unless the texts of a rule are as docs/internals/add-a-rule.md says. */
export function expectHouseStyle({ id, title, why, fix, ignore, sources, needs, on }: Rule): void {
  expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(title).toMatch(/^[A-Z].{10,90}\.$/);
  expect(why.length).toBeGreaterThan(80);
  expect(fix.length).toBeGreaterThan(5);
  expect(ignore).toMatch(/^(?:If|Never:) .{10,160}\.$/);
  expect(sources.length, 'sources').toBeGreaterThan(0);
  expect(new Set(sources).size).toBe(sources.length);
  for (const source of sources) expect(source).toMatch(/^(?:https:\/\/[\w.-]+\/|docs\/[\w-]+\.md)\S*$/);
  if (needs === undefined && on !== 'shell')
    expect(
      [title, why, fix, ignore].filter((text) => kindWords.test(text)),
      'texts of a rule for every kind of node that name one',
    ).toEqual([]);
}
