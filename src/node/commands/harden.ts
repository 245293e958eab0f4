/** `kaiactl node harden [source]`: a proxy, firewall or unit snippet from the effective settings of a node. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { visible } from '../../util/visible.js';
import { loadCommandLineNode, loadNode } from '../deployment/load.js';
import { planOf, readNetwork, readServerName, snippet } from '../harden/index.js';
import { kinds } from '../kinds/index.js';
import { kindOf } from '../kinds/node.js';
import { readConfOptions } from './conf-options.js';
import type { VerbOptions } from './options/verbs.js';

/** `conf` undefined: --command-line is the source. */
export type Options = VerbOptions<'harden'> & { readonly conf: string | undefined };

/** Prints the snippet; exit 3 when it depends on undetermined settings, which stderr and its comments name. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const product = options.for;
  if (product === undefined)
    throw new KaiactlError('--for is missing: it names the product of the snippet', {
      hint: 'Add --for nginx, caddy, nftables, systemd or compose.',
    });
  const monitoring = (options.monitoring ?? []).map(readNetwork);
  const serverName = options.serverName === undefined ? null : readServerName(options.serverName);
  const conf = await source(options, host);
  const plan = planOf(conf, kindOf(kinds, conf.settings), { monitoring, serverName });
  await print(host.stdout, snippet(product, plan));
  if (!options.quiet)
    for (const one of plan.undetermined)
      await print(host.stderr, `kaiactl: undetermined: ${visible(one, 500)}\n`);
  return plan.undetermined.length > 0 && !options.allowBlind ? exit.unseen : exit.ok;
}

async function source({ conf, commandLine, ...options }: Options, host: Host) {
  if ((conf === undefined) === (commandLine === undefined))
    throw new KaiactlError('name one source of settings: a file, - for stdin, or --command-line', {
      hint: 'Example: kaiactl node harden --for nginx /etc/kend/conf/kend.conf',
    });
  const how = readConfOptions(options, kinds);
  return conf === undefined
    ? await loadCommandLineNode(commandLine ?? '', how, host)
    : await loadNode(conf, how, host);
}
