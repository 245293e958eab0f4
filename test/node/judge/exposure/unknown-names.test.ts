/** Names in lists of modules, where the kind of node says which of them mean a module. */
import { expect, test } from 'vitest';
import { ineffectiveNames } from '../../../../src/node/judge/exposure/unknown-names.js';
import type { RpcListener } from '../../../../src/node/judge/settings/listeners.js';
import { geth } from '../../../../src/node/kinds/geth/index.js';
import type { NodeSettings } from '../../../../src/node/kinds/node.js';

const { modules } = geth;
const anyCase = { ...modules, listed: (name: string) => modules.listed(name.toLowerCase()) };

test.each([
  ['lower case alone', modules, ['ETH', 'nosuch', 'engine', 'rpc']],
  ['any case', anyCase, ['nosuch', 'engine', 'rpc']],
])('of a kind that reads names in %s, these add nothing', (_, own, expected) => {
  const settings = { nodeKind: { ...geth, modules: own } } as unknown as NodeSettings;
  const listed = ['eth', 'ETH', '', 'nosuch', 'engine', 'rpc'].map((name) => ({ name, at: null }));
  const found = ineffectiveNames(settings, { listed } as unknown as RpcListener);
  expect(found.map(({ name }) => name)).toEqual(expected);
});
