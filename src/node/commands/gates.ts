/** Which findings count: options override the kaiactl.ini of the file's folder. */

import { dirname, join, relative, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { suggest } from '../../util/closest.js';
import { oncePerKey } from '../../util/once-per.js';
import { visible } from '../../util/visible.js';
import { type FailOn, type Severity, severities } from '../facts/severity.js';
import { ledgerRules } from '../facts/sign.js';
import type { Gates } from '../judge/gates.js';
import { type Acknowledgement, isLedgerRule } from '../judge/suppress/open-signs.js';
import { policies } from '../kinds/policies.js';
import type { JudgeOptions } from '../pipeline.js';
import { findRepositorySettings, type RepositorySettings } from './ini.js';
import type { CountingOptions } from './options/shared.js';
import { ruleNamed } from './rule-named.js';

export type GateOptions = {
  readonly [K in Exclude<keyof CountingOptions, 'onlyNew'>]?: CountingOptions[K] | undefined;
} & {
  /** The kaiactl.ini that counts in the place of those of the checkout, or `none`. */
  readonly trustConfig?: string | undefined;
  /** The names of options whose value a kaiactl.ini overrides. */
  readonly overridable?: ReadonlySet<string> | undefined;
  /** The folder whose kaiactl.ini counts for targets without a file; absent for the working folder. */
  readonly startedIn?: string;
};

/** The options of judging a target; policy and baseline by name. */
export interface Counting
  extends Pick<JudgeOptions, 'failOn' | 'gates'>,
    Pick<GateOptions, 'policy' | 'baseline'> {}

export const defaultFailOn: FailOn = 'high';

/**
 * Returns what counts for the file at a path; null for a target without a file. Options override the nearest kaiactl.ini
 * in the folders above the file, or above the working folder, but for those that are overridable.
 * @throws {KaiactlError} on an unknown rule or severity in an option or a kaiactl.ini (exit 2)
 */
export function gatesOf(given: GateOptions, host: Host): (path: string | null) => Promise<Counting> {
  const { startedIn, trustConfig, ...options } = given;
  readGates(options, ofOption);
  const trusted = trustedFile(trustConfig, host.cwd);
  const ofFolder = oncePerKey((folder: string) => inFolder(folder, trusted, options, host.cwd));
  return (path) =>
    ofFolder(path === null || path === '-' ? (startedIn ?? host.cwd) : dirname(resolve(host.cwd, path)));
}

/** The value of --trust-config with an absolute path. */
export function trustedFile(file: string | undefined, cwd: string): string | undefined {
  return file === undefined || file === 'none' ? file : resolve(cwd, file);
}

async function inFolder(
  folder: string,
  trusted: string | undefined,
  options: GateOptions,
  cwd: string,
): Promise<Counting> {
  const found = await findRepositorySettings(folder, trusted);
  if (found === null) return readGates(options, ofOption);
  const at = (key: string) => `${found.placeOf(key)}: ${key}`;
  const ini = fromIni(found, at, cwd);
  const own = readGates(ini, at);
  const { overridable, ...given } = options;
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  if (set.length === 0) return own;
  const [weak, strong] = [true, false].map((is) =>
    Object.fromEntries(set.filter(([key]) => (overridable?.has(key) ?? false) === is)),
  );
  return readGates({ ...weak, ...ini, ...strong }, (key) => key);
}

/** What a key takes: one of some words, a name or file, or a list. */
const keys = new Map<string, readonly string[] | 'file' | 'list'>([
  ['fail-on', [...severities, 'none']],
  ['min-severity', severities],
  ['only', 'list'],
  ['ignore', 'list'],
  ['severity', 'list'],
  ['acknowledge', 'list'],
  ['policy', 'file'],
  ['baseline', 'file'],
  // Read with the settings themselves: gather-confs.ts.
  ['exclude', 'list'],
  ['node-version', 'list'],
]);

/**
 * File names are relative to the folder of kaiactl.ini; here they become relative to the working folder.
 * @throws {KaiactlError} on an unknown key or severity (exit 2)
 */
function fromIni({ file, values, placeOf }: RepositorySettings, at: At, cwd: string): GateOptions {
  const options = Object.entries(values).map(([key, given]) => {
    const taken = keys.get(key);
    if (taken === undefined)
      throw new KaiactlError(`${placeOf(key)}: there is no key ${visible(key, 60)}`, {
        hint: suggest(key, [...keys.keys()], `Keys: ${[...keys.keys()].join(', ')}.`),
      });
    const option = key.replace(/-\w/, (mark) => mark.charAt(1).toUpperCase());
    const last = given.at(-1) ?? '';
    if (taken === 'list') return [option, given];
    if (taken !== 'file') return [option, oneOf(last, taken, at(key))];
    const isBuiltIn = key === 'policy' && Object.hasOwn(policies, last);
    return [option, isBuiltIn ? last : relative(cwd, join(dirname(file), last))];
  });
  return Object.fromEntries(options);
}

/** How an error names a key: `--only`, or `kaiactl.ini:3 [node]: only`. */
type At = (key: string) => string;
const ofOption: At = (key) => `--${key}`;

function readGates(options: GateOptions, at: At): Counting {
  const ids = (key: 'only' | 'ignore'): string[] =>
    split(options[key]).map((name) => ruleNamed(name, `${at(key)}: `).id);
  const severity = split(options.severity).map((pair): [string, Severity] => {
    const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
    const rule = ruleNamed(name, `${at('severity')}: `);
    return [rule.id, oneOf(value, severities, `${at('severity')} ${name}`)];
  });
  const gates: Gates = {
    minSeverity: options.minSeverity ?? 'info',
    only: options.only === undefined ? null : new Set(ids('only')),
    ignore: new Set(ids('ignore')),
    severity: new Map(severity),
    acknowledged: (options.acknowledge ?? []).flatMap((list) => acknowledgementsIn(list, at)),
  };
  const { failOn = defaultFailOn, policy, baseline } = options;
  return { failOn, gates, policy, baseline };
}

/** `unjudged-node(lighthouse), relayed-interface(nginx)`. @throws {KaiactlError} on another rule (exit 2) */
function acknowledgementsIn(list: string, at: At): Acknowledgement[] {
  return [...list.matchAll(/([^\s,()]+)(?:\(([^)]*)\))?/g)].map(([, rule = '', subjects]) => {
    if (isLedgerRule(rule) && subjects !== undefined)
      return { rule, subjects: subjects.split(',').map((one) => one.trim()) };
    throw new KaiactlError(`${at('acknowledge')}: “${visible(list, 80)}” is no acknowledgement`, {
      hint: `Example: acknowledge = unjudged-node(lighthouse). Rules: ${ledgerRules.join(', ')}.`,
    });
  });
}

function split(lists: readonly string[] | undefined): string[] {
  return (lists ?? []).flatMap((list) => list.split(/[\s,]+/)).filter((one) => one !== '');
}

function oneOf<T extends string>(word: string, allowed: readonly T[], what: string): T {
  const known = allowed.find((one) => one === word);
  if (known !== undefined) return known;
  throw new KaiactlError(`${what}: “${visible(word, 40)}” is not one of ${allowed.join(', ')}`, {
    hint: `Example: ${what.includes('severity ') ? 'severity public-bind=low' : `fail-on = medium`}`,
  });
}
