/** Problems that keep a node from starting. */

import { expect, test } from 'vitest';
import { nearestFlag } from '../../../src/node/judge/rule/start-problems.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { type NodeSettings, withKind } from '../../../src/node/kinds/node.js';
import { closest } from '../../../src/util/closest.js';
import { exampleFacts } from '../editables.js';

function settingsOf(command: string): NodeSettings {
  const { conf } = exampleFacts({ command });
  if (conf?.state !== 'seen') throw new Error('no settings');
  return withKind(kinds, conf.value.settings);
}

test.each([
  ['ken --rpc.adr 0.0.0.0', 'rpc.adr'],
  ['ken --rpc --rpcapy klay', 'rpcapy'],
  ['geth --http.adr 0.0.0.0', 'http.adr'],
  ['geth --nothing-like-it', 'nothing-like-it'],
  ['reth node --http.apy eth', 'http.apy'],
])('the flag that a name may mean is among those of the node: %s', (command, name) => {
  const settings = settingsOf(command);
  expect(nearestFlag(settings, name)).toBe(closest(name, Object.keys(settings.values)));
  expect(nearestFlag(settings, name)).toBe(nearestFlag(settings, name));
});
