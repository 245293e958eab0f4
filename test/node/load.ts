/** Sources of settings, read as those of every kind of node that is known. */

import * as load from '../../src/node/deployment/load.js';
import type { Loaded, LoadOptions } from '../../src/node/deployment/load-options.js';
import type { Conf } from '../../src/node/facts/facts.js';
import { kinds } from '../../src/node/kinds/index.js';
import { remember } from './editables.js';

type Options = Omit<LoadOptions, 'kinds'>;
type LoadHost = Parameters<typeof load.loadNodes>[2];

function remembered(loaded: Loaded): Loaded {
  remember(
    loaded.nodes.map(({ conf }) => conf),
    loaded.editables,
  );
  return loaded;
}

export async function loadNodes(path: string, options: Options, host: LoadHost): Promise<Loaded> {
  return remembered(await load.loadNodes(path, { kinds, ...options }, host));
}

export async function loadNode(path: string, options: Options, host: LoadHost): Promise<Conf> {
  return load.theNode(path, await loadNodes(path, options, host), options);
}

export async function loadCommandLine(text: string, options: Options, host: LoadHost): Promise<Loaded> {
  return remembered(await load.loadCommandLine(text, { kinds, ...options }, host));
}

export async function loadCommandLineNode(text: string, options: Options, host: LoadHost): Promise<Conf> {
  return load.theNode('--command-line', await loadCommandLine(text, options, host), options);
}
