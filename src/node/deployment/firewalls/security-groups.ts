/**
 * Security groups of AWS in Terraform's files: who gets through to instances whose user data is a file of the folder. A
 * group lets nothing in but what a rule of it names. https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
 */
import { dirname, join, normalize } from 'node:path';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { type Block, flat, parseHcl } from './hcl.js';
import {
  addressesOf,
  everyPort,
  everywhere,
  portsOf,
  privateAddresses,
  type Ranges,
  union,
} from './ranges.js';
import { type Rule, type Ruleset, Tests } from './ruleset.js';

export function isTerraform(path: string): boolean {
  return path.endsWith('.tf');
}

/** Resources that hand connections on, or add groups to an instance. */
const relaying =
  /^aws_(?:a?lb|elb|network_interface_sg|globalaccelerator|api_?gateway|cloudfront|vpclattice|ec2_client_vpn)/;
const relayingModule = /\b(?:[agn]?lb|elb|load-?balancers?|api-?gateway|cloudfront)\b/i;
const ruleTypes = /^aws_(?:security_group_rule|vpc_security_group_ingress_rule)$/;

/** A resource with the folder of its module, which its names belong to. */
interface Resource extends Block {
  readonly folder: string;
  readonly file: LineIndex;
}

/** The rules before the instances that run a file, by its path; nothing where any of them is not known. */
export function groupsOf(files: readonly LineIndex[]): ReadonlyMap<string, readonly Ruleset[]> {
  const found = new Map<string, Ruleset[] | null>();
  const blocks: Resource[] = [];
  for (const file of files) {
    const top = parseHcl(file.text);
    if (top === null || /(?:^|[\\/_])override\.tf$/.test(file.file)) return new Map();
    blocks.push(...flat(top).map((block) => ({ ...block, folder: dirname(file.file), file })));
  }
  if (blocks.some(isRelaying)) return new Map();
  for (const block of blocks)
    for (const [name, text] of block.attributes)
      for (const path of filesIn(text, block.folder)) {
        const ruleset = /^user_data(?:_base64)?$/.test(name) ? rulesetOf(block, blocks) : null;
        const known = found.get(path);
        found.set(path, ruleset === null || known === null ? null : [...(known ?? []), ruleset]);
      }
  return new Map([...found].flatMap(([path, all]) => (all === null ? [] : [[path, all]])));
}

function isRelaying({ type, labels: [kind = ''], attributes }: Block): boolean {
  return type === 'module' ? relayingModule.test(attributes.get('source') ?? '') : relaying.test(kind);
}

/** The files that an expression reads. */
function filesIn(text: string, folder: string): string[] {
  const calls = text.matchAll(/\b(?:template)?file(?:base64)?\(\s*"(?:\$\{path\.module\}\/)?([^"$%\\]+)"/g);
  return [...calls].map(([, path = '']) => normalize(join(folder, path)));
}

/** The rules of the groups of an instance; null: not all are known. */
function rulesetOf(instance: Resource, all: readonly Resource[]): Ruleset | null {
  const { type, labels, attributes, blocks, folder } = instance;
  if (type !== 'resource' || !/^aws_(?:instance|spot_instance_request)$/.test(labels[0] ?? '')) return null;
  if (blocks.some((block) => /^(?:network_interface|launch_template|dynamic)$/.test(block.type))) return null;
  if (isGivenAway(instance, all)) return null;
  const names = namesIn(attributes.get('vpc_security_group_ids') ?? attributes.get('security_groups'));
  const groups = names?.map((name) => groupOf(name, folder, all));
  const [first] = groups ?? [];
  if (first == null || groups === undefined) return null;
  const own = groups.map((group) => (group === null ? null : rulesOf(group, all)));
  if (own.includes(null)) return null;
  const base = { hook: 'prerouting', priority: -300, policy: 'drop', sources: everywhere } as const;
  const chain = { ...base, rules: own.flatMap((one) => one ?? []), chains: new Map(), at: spanOf(first) };
  return { bases: [chain], translates: false };
}

/** True where a module is told of it, or may be by another name. */
function isGivenAway({ labels: [type, name], folder }: Resource, all: readonly Resource[]): boolean {
  const own = new RegExp(`\\b${type}\\.${name}\\b`);
  return all.some(
    (block) =>
      (block.type === 'module' || block.type === 'locals') &&
      block.folder === folder &&
      flat(block).some(({ attributes }) => [...attributes.values()].some((text) => own.test(text))),
  );
}

/** The names in `[aws_security_group.node.id]`; null: it holds anything else. */
function namesIn(text = ''): string[] | null {
  const names = itemsOf(text)?.map((item) => referenced.exec(item)?.[1]) ?? [undefined];
  return names.includes(undefined) ? null : names.flatMap((name) => name ?? []);
}

const referenced = /^aws_security_group\.([\w-]+)(?:\[\d+\])?\.(?:id|name)$/;

function groupOf(name: string, folder: string, all: readonly Resource[]): Resource | null {
  const isIt = ({ type, labels, folder: own }: Resource) =>
    type === 'resource' && labels[0] === 'aws_security_group' && labels[1] === name && own === folder;
  return all.find(isIt) ?? null;
}

/** The rules of a group, in it and beside it; null: not all are known. */
function rulesOf(group: Resource, all: readonly Resource[]): Rule[] | null {
  const { labels, attributes, blocks, folder, file } = group;
  if (attributes.has('ingress') || blocks.some(({ type }) => type === 'dynamic')) return null;
  if (isGivenAway(group, all)) return null;
  const inside = blocks.filter(({ type }) => type === 'ingress').map((block) => ({ ...group, ...block }));
  const beside = all.filter(({ type, labels: [kind = ''], attributes: own, folder: of }) => {
    if (type !== 'resource' || !ruleTypes.test(kind) || own.get('type') === '"egress"') return false;
    const name = referenced.exec(own.get('security_group_id') ?? '')?.[1];
    return name === undefined || (name === labels[1] && of === folder);
  });
  return [...inside, ...beside].flatMap((block) => ruleOf(block, spanOf({ ...block, file })) ?? []);
}

/** What a rule lets in of TCP; null: nothing. What is not literal may be anything. */
function ruleOf({ attributes }: Block, at: Span): Rule | null {
  const [protocol, low, high] = ['protocol', 'from_port', 'to_port'].map((name) =>
    literal(attributes.get(name) ?? attributes.get(`ip_${name}`)),
  );
  if (protocol !== null && !/^(?:tcp|6|-1|all)$/.test(protocol ?? '')) return null;
  const tests = new Tests();
  const isOfTcp = protocol === 'tcp' || protocol === '6';
  tests.to((isOfTcp ? portsOf(`${low}-${high}`) : null) ?? everyPort);
  tests.from(union(...[...attributes].map(([name, text]) => sourcesOf(name, text))));
  return tests.rule('accept', at);
}

/** The text of a string or number; null: another expression; undefined: none. */
function literal(text: string | undefined): string | null | undefined {
  return text === undefined
    ? undefined
    : (/^(?:"([^"$%\\]*)"|(-?\d{1,5}))$/
        .exec(text)
        ?.slice(1)
        .find((one) => one !== undefined) ?? null);
}

/** The addresses that an attribute of a rule lets in. */
function sourcesOf(name: string, text: string): Ranges {
  if (/^(?:security_groups|source_security_group_id|referenced_security_group_id)$/.test(name))
    return privateAddresses;
  if (name === 'self') return text === 'false' ? [] : privateAddresses;
  if (/^prefix_list_ids?$/.test(name)) return everywhere;
  if (!/^(?:cidr_blocks|ipv6_cidr_blocks|cidr_ipv[46])$/.test(name)) return [];
  const items = itemsOf(text) ?? [text];
  return union(...items.map((item) => addressesOf(literal(item) ?? '') ?? everywhere));
}

/** The expressions of a list; null: it is none. */
function itemsOf(text: string): string[] | null {
  const inside = /^\[([\s\S]*?),?\s*\]$/.exec(text)?.[1]?.trim();
  return inside === undefined ? null : inside === '' ? [] : inside.split(',').map((item) => item.trim());
}

function spanOf({ file, start }: Resource): Span {
  const end = file.text.indexOf('\n', start);
  return file.span({ start, end: end < 0 ? file.text.length : end });
}
