/** Runs in a checkout name files from its root, as the services that show the checkout do. */

import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Host } from '../../host.js';
import { isAddressText, isEndpointText } from '../../jsonrpc/endpoint.js';
import { nameFrom } from '../../util/name-from.js';
import { policies } from '../kinds/policies.js';
import { checkoutOf } from '../sources/checkout.js';

/** The options that name one file each. */
const single = [
  'baseline',
  'writeBaseline',
  'policy',
  'inventory',
  'targetsFrom',
  'facts',
  'saveFacts',
  'base',
  'stdinFilename',
  'trustConfig',
] as const;

/** The options and operands that name files of a run. */
type PathOptions = { readonly [key in (typeof single)[number]]?: string | undefined } & {
  readonly report?: readonly string[] | undefined;
  readonly paths?: readonly string[];
  readonly targets?: readonly string[];
};

/**
 * Moves a run to the root of its checkout: that of the working folder if something in it is asked for, else the only one
 * that holds what is asked for. Outside a checkout the working folder stays. Paths elsewhere become absolute.
 */
export function atRoot<O extends PathOptions>(
  options: O,
  host: Host,
): { readonly options: O & { readonly startedIn: string }; readonly host: Host } {
  const { cwd } = host;
  const { inventory = '-', targetsFrom = '-', paths = [], targets = [], report } = options;
  const asked = [...paths, ...targets, inventory, targetsFrom].filter((one) => isPath(one, cwd));
  const root = rootOf(
    asked.map((one) => resolve(cwd, one)),
    cwd,
  );
  const moved = (path: string): string => {
    const isMoved = isPath(path, cwd) && (root !== null || /^\.\.(?:[/\\]|$)/.test(path));
    return isMoved ? nameFrom(root ?? cwd, resolve(cwd, path)) : path;
  };
  const isFile = (key: string, value: string) =>
    key === 'trustConfig' ? value !== 'none' : key !== 'policy' || !Object.hasOwn(policies, value);
  const files = single.flatMap((key) => {
    const value = options[key];
    return value === undefined || !isFile(key, value) ? [] : [[key, moved(value)]];
  });
  const lists = {
    ...(options.paths && { paths: paths.map(moved) }),
    ...(options.targets && { targets: targets.map(moved) }),
    ...(report && { report: report.map((one) => one.replace(/(?<==).+/s, moved)) }),
  };
  return {
    options: { ...options, ...Object.fromEntries(files), ...lists, startedIn: cwd },
    host: { ...host, cwd: root ?? cwd },
  };
}

/** @param asked - absolute paths */
function rootOf(asked: readonly string[], cwd: string): string | null {
  const own = checkoutOf(cwd);
  const isOwn = own !== null && (asked.length === 0 || asked.some((path) => nameFrom(own, path) !== path));
  const roots = isOwn ? [own] : [...new Set(asked.map(checkoutOf))].filter((root) => root !== null);
  return roots.length === 1 ? (roots[0] ?? null) : null;
}

/** False for endpoints, processes and stdin. */
function isPath(word: string, cwd: string): boolean {
  if (word === '' || word === '-' || /^pid:|^[a-z][a-z0-9+.-]*:\/\//i.test(word) || isEndpointText(word))
    return false;
  const isHost = isAddressText(word);
  return !isHost || lstatSync(resolve(cwd, word), { throwIfNoEntry: false }) !== undefined;
}
