/** `kaiactl node settings <conf>`: prints the effective settings of a conf. */

import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { widthOf } from '../../terminal/capabilities.js';
import { redact } from '../../util/redact.js';
import { loadNode } from '../deployment/load.js';
import type { Conf } from '../facts/facts.js';
import type { Setting } from '../facts/settings.js';
import { kinds } from '../kinds/index.js';
import { readConfOptions } from './conf-options.js';
import type { VerbOptions } from './options/verbs.js';
import { commandLine, flagValue, settingsText, variableValue } from './settings-text.js';

export type Options = VerbOptions<'settings'> & { readonly conf: string };

/** Exit 0 also for a node that would not start; see `startable` in the output. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const conf = await loadNode(options.conf, readConfOptions(options, kinds), host);
  const text =
    options.format === 'json'
      ? `${JSON.stringify(settingsDocument(conf), null, 2)}\n`
      : settingsText(conf, { columns: widthOf(host.stdout, host), verbose: options.verbose });
  await print(host.stdout, text);
  return exit.ok;
}

/** The JSON document, secrets masked. */
function settingsDocument({ settings, shell }: Conf): Record<string, unknown> {
  const variables = Object.entries(shell?.variables ?? {});
  const values = Object.entries(settings.values).map(([name, setting]) => [name, shown(name, setting)]);
  return {
    conf: settings.source.path,
    launcher: settings.launcher,
    package: settings.package,
    variables: Object.fromEntries(variables.map(([name, value]) => [name, variableValue(name, value)])),
    argv: commandLine((settings.start ?? []).map(({ text }) => text)),
    settings: Object.fromEntries(values),
    indeterminate: shell?.indeterminate ?? [],
    startable: settings.startable,
    problems: settings.problems.map((one) => ({ ...one, message: redact(one.message) })),
  };
}

function shown(name: string, { value, origin, shadowed, indeterminate }: Setting): Record<string, unknown> {
  const below = shadowed.map((one) => ({ value: flagValue(name, one.value), origin: one.origin }));
  const known = { value: flagValue(name, value), origin, shadowed: below };
  return indeterminate === null ? known : { ...known, indeterminate };
}
