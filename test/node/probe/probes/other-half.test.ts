/** Which nodes are asked for a method of the half of debug that a list without a name does not offer. */
import { expect, test } from 'vitest';
import { seen } from '../../../../src/node/facts/seen.js';
import { quietEndpoint } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { probesOf } from '../../../../src/node/probe/probes/index.js';

const probe = probesOf(kinds).find((one) => 'method' in one && one.method === 'debug_preimage');

test.each([
  ['v1.10.8', ['admin', 'debug', 'eth'], true],
  ['v1.9.16', ['admin', 'debug', 'eth'], true],
  ['v1.10.20', ['admin', 'debug', 'eth'], false],
  ['v1.17.8', ['admin', 'debug', 'eth'], false],
  ['v1.10.8', ['debug', 'eth'], false],
  ['v1.10.8', ['eth'], false],
])('geth %s that lists %j is asked for debug_preimage: %s', (release, names, isAsked) => {
  const facts = {
    ...quietEndpoint,
    modules: seen(Object.fromEntries(names.map((name) => [name, '1.0']))),
    client: seen(`Geth/${release}-stable-26675454/linux-amd64/go1.16.4`),
    chain: seen('1'),
  };
  expect(probe?.unless?.(facts) === null).toBe(isAsked);
});
