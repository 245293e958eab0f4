/** The pages of snippets: the whole file for each product that a reading names. */
import type { Product } from '../../../src/node/facts/products.js';
import { planOf, readNetwork, snippet } from '../../../src/node/harden/index.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { kindOf } from '../../../src/node/kinds/node.js';
import { testReadings } from '../sources/readings.js';

interface Given {
  readonly for: readonly Product[];
  readonly monitoring?: readonly string[];
  readonly serverName?: string;
}

await testReadings<Given>(import.meta.dirname, ({ nodes }, { for: products, monitoring = [], serverName }) =>
  nodes
    .map(({ conf }) =>
      planOf(conf, kindOf(kinds, conf.settings), {
        monitoring: monitoring.map(readNetwork),
        serverName: serverName ?? null,
      }),
    )
    .flatMap((plan) => products.map((product) => `=== ${product}\n${snippet(product, plan)}`))
    .join('\n'),
);
