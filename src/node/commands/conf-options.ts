/** What the options of every verb that reads a conf mean. */

import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { LoadOptions } from '../sources/load-options.js';
import type { ConfOptions } from './options/conf.js';

/** @throws {KaiactlError} when an --env is not NAME=value (exit 2) */
export function readConfOptions(options: ConfOptions): LoadOptions {
  const env: Record<string, string> = {};
  for (const given of options.env ?? []) {
    const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(given);
    if (match === null) {
      const shown = visible(given.replace(/=.*$/s, '=…'), 60);
      throw new KaiactlError(`--env ${shown}: write it as NAME=value`, {
        hint: 'Example: --env RPC_API=klay',
      });
    }
    env[match[1] as string] = match[2] as string;
  }
  const { launcher, package: from, stdinFilename, base, service, followOutside } = options;
  return { launcher, package: from, stdinFilename, base, service, followOutside, env };
}
