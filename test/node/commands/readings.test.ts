/** The pages of settings: what `node settings` prints of whole sources. */
import { settingsText } from '../../../src/node/commands/settings-text.js';
import { testReadings } from '../sources/readings.js';

await testReadings<{ readonly columns?: number }>(import.meta.dirname, ({ nodes }, { columns = 80 }) =>
  nodes.map(({ conf }) => settingsText(conf, { columns, verbose: false })).join('\n'),
);
