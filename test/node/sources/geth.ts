/** Starts of a geth node: its settings, and the program that tests compare them with. */
import { execFileSync } from 'node:child_process';
import { geth } from '../../../src/node/kinds/geth/index.js';
import type { Kind, TomlFile } from '../../../src/node/kinds/kind.js';
import type { NodeStart } from '../../../src/node/sources/argv/node.js';
import { LineIndex } from '../../../src/node/sources/text/line-index.js';
import { layerOf } from '../../../src/node/sources/toml/layer.js';

/** The kind at the release that the program says it is. @throws {Error} when the release is not known */
export function gethOf(program: string): Kind {
  const [, version] =
    /^Version: (\d+\.\d+\.\d+)/m.exec(execFileSync(program, ['version'], { encoding: 'utf8' })) ?? [];
  return geth.at(`geth/v${version}`);
}

/**
 * The settings of a start with a TOML file, variables and words.
 * @param environment variables as a shell writes them, separated by blanks; their values have none
 */
export function gethSettings(
  toml: string,
  environment: string,
  words: readonly string[],
  kind: Kind = geth,
): NodeStart {
  const variables = environment.split(' ').filter((one) => one !== '');
  return {
    kind,
    release: { value: kind.release.id, since: null, by: 'option' } as never,
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
    file: layerOf(new LineIndex('config.toml', toml), kind.flags.of('geth'), kind.configFile as TomlFile),
    before: [],
    after: [],
    locate: () => null,
  };
}
