/** Modules of a running node, where its release offers only a half of some. */
import { expect, test } from 'vitest';
import type { EndpointFacts } from '../../../../src/node/facts/live.js';
import { seen } from '../../../../src/node/facts/seen.js';
import { badNode } from '../../../../src/node/judge/rule/examples.js';
import { propose } from '../../pipeline.js';

const empty = ['admin', 'debug', 'eth', 'net', 'rpc', 'txpool', 'web3'];

function severitiesOf(release: string, names: readonly string[], preimage: 'present' | 'absent' | null) {
  const change: Partial<EndpointFacts> = {
    modules: seen(Object.fromEntries(names.map((name) => [name, '1.0']))),
    client: seen(`Geth/${release}-stable-26675454/linux-amd64/go1.16.4`),
    chain: seen('1'),
    methods: preimage === null ? {} : { debug_preimage: seen(preimage) },
    bind: seen(['0.0.0.0']),
  };
  const example = badNode('', change);
  if (!('facts' in example)) throw new Error('not a live example');
  const { findings } = propose(example.facts, {});
  const own = findings.filter(({ rule }) => rule === 'privileged-module');
  return own.map(({ subject, severity }) => `${subject} ${severity}`).sort();
}

test.each<[string, readonly string[], 'present' | 'absent' | null, readonly string[]]>([
  ['v1.10.8', empty, 'absent', ['http admin low', 'http debug medium', 'http txpool medium']],
  ['v1.9.16', empty, 'absent', ['http admin low', 'http debug medium', 'http txpool medium']],
  ['v1.10.8', empty, 'present', ['http admin critical', 'http debug critical', 'http txpool medium']],
  ['v1.10.8', empty, null, ['http admin critical', 'http debug critical', 'http txpool medium']],
  ['v1.10.8', ['admin', 'eth', 'rpc'], 'absent', ['http admin critical']],
  ['v1.10.26', empty, 'absent', ['http admin critical', 'http debug critical', 'http txpool medium']],
])(
  'modules of geth %s are rated by the half that it offers: %j, debug_preimage %s',
  (release, names, preimage, expected) => {
    expect(severitiesOf(release, names, preimage)).toEqual(expected);
  },
);
