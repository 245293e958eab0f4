/** Sources of settings, read as those of every kind of node that is known. */

import * as load from '../../src/node/deployment/load.js';
import type { LoadOptions } from '../../src/node/deployment/load-options.js';
import { kinds } from '../../src/node/kinds/index.js';

type Options = Omit<LoadOptions, 'kinds'>;
type LoadHost = Parameters<typeof load.loadNodes>[2];

export const loadNodes = (path: string, options: Options, host: LoadHost) =>
  load.loadNodes(path, { kinds, ...options }, host);

export const loadNode = (path: string, options: Options, host: LoadHost) =>
  load.loadNode(path, { kinds, ...options }, host);

export const loadCommandLine = (text: string, options: Options, host: LoadHost) =>
  load.loadCommandLine(text, { kinds, ...options }, host);

export const loadCommandLineNode = (text: string, options: Options, host: LoadHost) =>
  load.loadCommandLineNode(text, { kinds, ...options }, host);
