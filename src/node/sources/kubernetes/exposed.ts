/** What commands of the folder make of objects: `kubectl expose`, `kubectl create service`, `kubectl patch`, `kubectl set`. */
import { pairs } from '../../../util/pairs.js';
import { type Call, callsOf, optionValues } from '../calls/calls.js';
import type { Files } from '../launch/files.js';
import { optionsFrom } from '../script/container-run.js';
import { isKnown, type Placed, PlacedIndex } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import { readYaml } from '../yaml/document.js';
import { itemsAt, listTree, mapOf, type Tree, textTree } from '../yaml/tree.js';
import { withPatch } from './kustomize.js';
import type { KubernetesObject } from './objects.js';

/** The short names of kinds, as `kubectl api-resources` lists them; others are a kind in lower case, or its plural. */
const shortNames = new Map(
  pairs(
    'deploy=deployment sts=statefulset ds=daemonset rs=replicaset rc=replicationcontroller po=pod svc=service',
  ),
);

const types = new Map(pairs('loadbalancer=LoadBalancer nodeport=NodePort clusterip=ClusterIP'));

/** The objects as commands patch them. */
export function patchedBy(objects: readonly KubernetesObject[], files: Files): KubernetesObject[] {
  const patches = (['patch', 'set env', 'set image'] as const).flatMap((verb) => commandsOf(files, verb));
  if (patches.length === 0) return [...objects];
  return objects.map((object) => {
    const own = patches.filter((one) => namesObject(one, object));
    const root = own.reduce<Tree>((tree, command) => {
      const patch = command.verb === 'patch' ? patchIn(command) : settingIn(command, tree);
      return (patch && withPatch({ ...object, root: tree }, patch)) ?? tree;
    }, object.root);
    return root === object.root ? object : { ...object, root };
  });
}

function patchIn({ words }: Command): Tree | null {
  const [text] = optionValues(words, /^(?:-p|--patch)$/);
  if (text === undefined || !isKnown(text.text)) return null;
  return readYaml(new PlacedIndex(text))[0]?.root ?? null;
}

/** `kubectl set env deploy/n A=b` and `kubectl set image deploy/n node=image` as a patch of the containers of an object. */
function settingIn({ verb, words }: Command, root: Tree): Tree | null {
  const folder = root.path('spec', 'template') === null ? ['spec'] : ['spec', 'template', 'spec'];
  const given = words.map(pairOf).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const [first] = given;
  if (first === undefined) return null;
  const map = (entries: Readonly<Record<string, Tree>>) => mapOf(first.value, entries);
  const containers = itemsAt(root, ...folder, 'containers').flatMap((one) => {
    const name = one.get('name')?.text ?? null;
    const images = given.filter((pair) => pair.name === '*' || pair.name === name?.text);
    const env = given.map((pair) =>
      map({ name: textTree(pair.value.as(pair.name)), value: textTree(pair.value) }),
    );
    const set =
      verb === 'set env'
        ? { env: listTree(first.value.span(), env) }
        : Object.fromEntries(images.map(({ value }) => ['image', textTree(value)]));
    return name === null ? [] : [map({ name: textTree(name), ...set })];
  });
  const list = map({ containers: listTree(first.value.span(), containers) });
  return folder.toReversed().reduce<Tree>((inner, key) => map({ [key]: inner }), list);
}

/** The Services that commands make for these objects. */
export function servicesMade(objects: readonly KubernetesObject[], files: Files): KubernetesObject[] {
  const exposed = commandsOf(files, 'expose').flatMap((command) =>
    objects.filter((one) => namesObject(command, one)).flatMap((one) => serviceFor(command, one)),
  );
  const created = commandsOf(files, 'create').flatMap((command) => {
    const [what, type, name] = command.named;
    if (what?.text !== 'service' || type === undefined || name === undefined) return [];
    const ports = optionValues(command.words, /^--tcp$/).flatMap((one) => one.split(/,/));
    const selector = mapOf(name, { app: textTree(name) });
    return serviceOf(command, name, type.as(types.get(type.text) ?? ''), selector, ports);
  });
  return [...exposed, ...created];
}

function serviceFor(command: Command, { root, name }: KubernetesObject): KubernetesObject[] {
  const value = (flag: string) => optionValues(command.words, new RegExp(`^--${flag}$`)).at(-1);
  const [verb] = command.words;
  if (verb === undefined) return [];
  const selector = [
    root.path('spec', 'selector', 'matchLabels'),
    root.path('spec', 'template', 'metadata', 'labels'),
    root.path('spec', 'selector'),
    root.path('metadata', 'labels'),
  ].find((one) => one !== null);
  const port = value('port');
  const target = value('target-port');
  const containers = root.path('spec', 'template', 'spec', 'containers') ?? root.path('spec', 'containers');
  const declared = (containers?.items ?? []).flatMap((one) => itemsAt(one, 'ports'));
  const own = [
    ...declared.map((one) => one.get('containerPort')?.text),
    ...itemsAt(root, 'spec', 'ports').map((one) => one.get('targetPort')?.text ?? one.get('port')?.text),
  ].flatMap((one) => one ?? []);
  const ports = port === undefined ? own : [target === undefined ? port : port.joined([port, ':', target])];
  const addresses = optionValues(command.words, /^--external-ip$/);
  const type = value('type') ?? verb.as('ClusterIP');
  return serviceOf(command, value('name') ?? verb.as(name), type, selector ?? null, ports, addresses);
}

/** `ports`: `8545` or `80:8545`. */
function serviceOf(
  { by, namespace }: Command,
  name: Placed,
  type: Placed,
  selector: Tree | null,
  ports: readonly Placed[],
  addresses: readonly Placed[] = [],
): KubernetesObject[] {
  if (selector === null) return [];
  const list = (items: readonly Tree[]) => listTree(type.span(), items);
  const all = ports.map((one) => {
    const [port = one, target = port] = one.split(/:/);
    return mapOf(one, { port: textTree(port), targetPort: textTree(target) });
  });
  const externalIPs = list(addresses.map((one) => textTree(one)));
  const spec = mapOf(type, { type: textTree(type), selector, ports: list(all), externalIPs });
  const metadata = mapOf(name, { name: textTree(name) });
  const root = mapOf(name, { kind: textTree(name.as('Service')), metadata, spec });
  return [{ kind: 'Service', name: name.text, namespace, root, file: by }];
}

/** A command of kubectl. */
interface Command extends Pick<Call, 'by'> {
  readonly verb: string;
  readonly words: readonly Placed[];
  /** The words behind the verb that are no options. */
  readonly named: readonly Placed[];
  readonly namespace: string | null;
}

function commandsOf(files: Files, verb: 'create' | 'expose' | 'patch' | 'set env' | 'set image'): Command[] {
  const { length } = verb.split(' ');
  return callsOf('kubectl', files).flatMap(({ by, words }) => {
    const named = plainIn(words);
    const namespace = optionValues(words, /^(?:-n|--namespace)$/)[0]?.text ?? null;
    const own = named.slice(0, length).map(({ text }) => text);
    return own.join(' ') === verb ? [{ by, verb, words, named: named.slice(length), namespace }] : [];
  });
}

/** The words that are neither options nor their values. */
function plainIn(words: readonly Placed[]): Placed[] {
  const { at } = optionsFrom(words, 0);
  const word = words[at];
  return word === undefined ? [] : [word, ...plainIn(words.slice(at + 1))];
}

/** `deployment n`, `deploy/n`, or a file. */
function namesObject({ named, words }: Command, { kind, name, file }: KubernetesObject): boolean {
  const [first, second] = named.map(({ text }) => text);
  const paths = optionValues(words, /^(?:-f|--filename)$/);
  if (first === undefined)
    return paths.some(
      ({ text }) => file.file === text || file.file.endsWith(`/${text.replace(/^\.\//, '')}`),
    );
  const [what = '', own = second] = first.split('/');
  const long = (shortNames.get(what) ?? what).toLowerCase().replace(/\..*$/, '');
  return own === name && [kind.toLowerCase(), `${kind.toLowerCase()}s`].includes(long);
}
