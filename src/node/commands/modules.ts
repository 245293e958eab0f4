/** `kaiactl node modules <endpoint>`: prints the answer of rpc_modules. */

import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import type { NotSeenCode } from '../facts/seen.js';
import { endpointName, listModules, parseEndpoint } from '../probe/index.js';
import { readConnection } from './connection.js';
import type { VerbOptions } from './options/verbs.js';

export type Options = VerbOptions<'modules'> & { readonly endpoint: string };

/** Prints `name version` lines or one JSON document; exit 3 when the modules could not be seen. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const address = parseEndpoint(options.endpoint);
  const how = readConnection(options, host.env);
  const name = endpointName(address.endpoint);
  const modules = await interruptible(host, () =>
    listModules(address, how.options, how.timeoutMs, host.signal),
  );
  if (options.format === 'json') {
    const found =
      modules.state === 'seen'
        ? { modules: modules.value }
        : { modules: null, code: modules.code, reason: modules.detail };
    await print(host.stdout, `${JSON.stringify({ endpoint: name, ...found }, null, 2)}\n`);
  } else if (modules.state === 'seen') {
    const lines = Object.entries(modules.value).map(([module, version]) => `${module} ${version}\n`);
    await print(host.stdout, lines.join(''));
  }
  if (host.signal.aborted) return exit.interrupted;
  if (modules.state === 'seen') return exit.ok;
  throw new KaiactlError(`${name} did not show its modules: ${modules.detail}`, {
    exitCode: exit.unseen,
    hint: hintFor(name, modules.code),
  });
}

function hintFor(name: string, code: NotSeenCode): string {
  if (code === 'rpc-error') return 'The endpoint speaks JSON-RPC but does not answer rpc_modules.';
  return name.startsWith('ipc:')
    ? 'The socket is klay.ipc in the node’s DATA_DIR; only its owner may open it.'
    : 'Check the address and that the interface is on; --timeout allows more time.';
}
