/** The start of a geth node with a TOML file, variables and words. */
import { geth } from '../../../src/node/kinds/geth/index.js';
import type { TomlFile } from '../../../src/node/kinds/kind.js';
import type { Started } from '../../../src/node/sources/argv/node.js';
import { LineIndex } from '../../../src/node/sources/text/line-index.js';
import { layerOf } from '../../../src/node/sources/toml/layer.js';

/** @param environment variables as a shell writes them, separated by blanks; their values have none */
export function gethSettings(toml: string, environment: string, words: readonly string[]): Started {
  const variables = environment.split(' ').filter((one) => one !== '');
  return {
    kind: geth,
    release: { value: geth.release.id, since: null, by: 'option' } as never,
    launcher: 'geth',
    words: words.map((text) => ({
      text,
      variable: null,
      at: null,
      cause: null,
      causeAt: null,
      indeterminate: null,
      maybe: null,
      written: true,
    })),
    environment: new Map(
      variables.map((one) => {
        const [variable = '', value = ''] = one.split(/=(.*)/s);
        return [
          variable,
          { value, indeterminate: null, origin: { kind: 'environment', variable, at: null } },
        ] as const;
      }),
    ),
    file: layerOf(new LineIndex('config.toml', toml), geth.flags.of('geth'), geth.configFile as TomlFile),
    before: [],
    after: [],
    locate: () => null,
  };
}
