/** Policy files: an ini file with a section for each interface. */
import { resolve } from 'node:path';
import { addPlace, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readText } from '../../input.js';
import { type IniSection, sectionsOf } from '../../options/ini.js';
import { suggest } from '../../util/closest.js';
import { visible } from '../../util/visible.js';
import { type Clause, type Limit, type Policy, policyInterfaces } from '../facts/policy.js';
import { reaches } from '../facts/reach.js';
import type { Kind, KindModules } from '../kinds/kind.js';
import { policies } from '../kinds/policies.js';

/**
 * A built-in policy by name, or the policy in a file.
 * @throws {KaiactlError} when neither exists, or on an invalid file, with line, section and key (exit 2)
 */
export async function loadPolicy(name: string, host: Pick<Host, 'cwd'>): Promise<Policy> {
  if (Object.hasOwn(policies, name)) return policies[name] as Policy;
  const known = Object.keys(policies);
  const hint = suggest(name, known, `A policy is a file, or one of ${known.join(', ')}.`);
  const what = `the policy ${visible(name, 200)}`;
  const text = await readText(resolve(host.cwd, name), { what, mib: 1, hint });
  return parsePolicy(name, text, (await import('../kinds/index.js')).kinds);
}

/** The parser of each key; it throws on an invalid value. */
const readers = {
  open: (value: string) => oneOf(value, ['yes', 'no']) === 'yes',
  modules: (value: string, kinds: readonly Kind[]) => [
    ...new Set((value.match(/[^\s,]+/g) ?? []).map((name) => moduleNamed(name, kinds))),
  ],
  reach: (value: string) => oneOf(value, reaches),
  origins: (value: string) => oneOf(value, ['listed', 'any']),
  hosts: (value: string) => oneOf(value, ['listed', 'any']),
  'unsafe-debug': (value: string) => oneOf(value, ['disabled', 'any']),
} as const satisfies { [K in keyof Clause]-?: (value: string, kinds: readonly Kind[]) => unknown };

/** The comment of each key. */
const about: { readonly [K in keyof Clause]-?: string } = {
  open: 'no: nothing may listen here',
  modules: 'modules it may offer (rpc is always allowed)',
  reach: `who may reach it: ${reaches.join(', ')}`,
  origins: 'origins whose pages may call it: listed or any',
  hosts: 'Host names it may answer to: listed or any',
  'unsafe-debug': 'disabled: where debug is offered, --rpc.unsafe-debug.disable is set',
};
const keys = Object.keys(readers) as (keyof Clause)[];

/** @throws {KaiactlError} on an invalid policy, with line, section and key, or a module of no kind (exit 2) */
export function parsePolicy(file: string, text: string, kinds: readonly Kind[]): Policy {
  const all = sectionsOf(file, text, isNoPolicy);
  const policy = all.find(({ name }) => name === 'policy');
  if (policy === undefined)
    throw new KaiactlError(`${file} is not a policy: it has no section [policy]`, { hint: isNoPolicy });
  const interfaces = all.flatMap((one) => {
    if (one === policy) return [];
    const known = policyInterfaces.find((name) => name === one.name);
    if (known === undefined) throw unknownName(one.placeOf(), 'interface', one.name, policyInterfaces);
    return [[known, readClause(one, kinds)] as const];
  });
  return { ...readHead(policy), interfaces: Object.fromEntries(interfaces) };
}

const isNoPolicy = 'kaiactl node policy make writes one.';

function readHead({ values, placeOf }: IniSection): Pick<Policy, 'name' | 'version' | 'about'> {
  for (const key of Object.keys(values))
    if (!['name', 'version', 'about'].includes(key))
      throw unknownName(placeOf(key), 'key', key, ['name', 'version', 'about']);
  const { name, version, about: whom = '' } = values;
  if (typeof name !== 'string' || name === '')
    throw new KaiactlError(`${placeOf('name')} name: a policy needs one`);
  if (!/^[1-9]\d{0,5}$/.test(String(version)))
    throw new KaiactlError(`${placeOf('version')} version is not a number from 1`, {
      hint: 'Write version = 1, and increase it with every change.',
    });
  return { name, version: Number(version), about: String(whom) };
}

function readClause({ values, placeOf }: IniSection, kinds: readonly Kind[]): Clause {
  const limits = Object.entries(values).map(([key, value]): [string, Limit<unknown>] => {
    const known = keys.find((one) => one === key);
    if (known === undefined) throw unknownName(placeOf(key), 'key', key, keys);
    try {
      return [key, { value: readers[known](String(value), kinds), says: null }];
    } catch (error) {
      throw addPlace(`${placeOf(key)} ${key}`, error);
    }
  });
  return Object.fromEntries(limits);
}

function unknownName(place: string, what: string, name: string, known: readonly string[]): KaiactlError {
  return new KaiactlError(`${place} ${visible(name, 60)}: there is no such ${what}`, {
    hint: suggest(name, known, `There are ${known.join(', ')}.`),
  });
}

function moduleNamed(name: string, kinds: readonly KindModules[]): string {
  for (const { modules } of kinds) {
    const canonical = modules.canonical(name);
    if (Object.hasOwn(modules.catalogue, canonical)) return canonical;
  }
  const known = kinds.flatMap(({ modules }) => Object.keys(modules.catalogue));
  throw new KaiactlError(`there is no module ${visible(name, 60)}`, {
    hint: suggest(name, known, `There are ${known.join(', ')}.`),
  });
}

function oneOf<const T extends string>(word: string, allowed: readonly T[]): T {
  const known = allowed.find((one) => one === word);
  if (known !== undefined) return known;
  throw new KaiactlError(`“${visible(word, 40)}” is not one of ${allowed.join(', ')}`);
}

/** The policy as a file, each limit under what it means and the sentence it comes from; `notes` stand at the top. */
export function policyText(
  { name, version, about: whom, interfaces }: Policy,
  notes: readonly string[],
): string {
  const sections = policyInterfaces.flatMap((one) => {
    const clause = interfaces[one];
    return clause === undefined ? [] : [`[${one}]\n${clauseText(clause)}`];
  });
  const head = `[policy]\nname = ${name}\nversion = ${version}\n${whom === '' ? '' : `about = ${whom}\n`}`;
  return `${[comment(notes) + head, ...sections].join('\n')}`;
}

function clauseText(clause: Clause): string {
  const lines = keys.flatMap((key) => {
    const limit = clause[key];
    if (limit === undefined) return [];
    const { value, says } = limit;
    const quote = says === null ? [] : [`“${says.text}”`, says.from];
    return [`${comment([about[key], ...quote])}${key} = ${valueText(value)}\n`];
  });
  return lines.join('');
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => `; ${visible(line)}\n`).join('');
}
