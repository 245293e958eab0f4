/** Reads Kubernetes manifests: one launch for each container that starts a node and for each conf in a ConfigMap. */

import { basename } from 'node:path';
import type { MissingFile } from '../../facts/settings.js';
import { readerOfConf } from '../../kinds/find.js';
import { startWords } from '../image/recipe.js';
import { type Context, type Launch, type Launches, loneLaunch } from '../launch/launch.js';
import { builtElsewhere } from '../script/built-image.js';
import { conditionKey } from '../script/follow.js';
import { addAlternative, launchesOf } from '../script/launches.js';
import { isShell } from '../script/names.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, type Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { showText } from '../text/unknown.js';
import { itemsAt, type Tree, textsAt } from '../yaml/tree.js';
import { Cluster } from './cluster.js';
import { mountedFile, secretsOf, volumesOf } from './data.js';
import { environmentOf, expandReferences } from './environment.js';
import { patchedBy, servicesMade } from './exposed.js';
import { configuredNear, notFollowed, objectsBeside, objectsOfTemplate, templatesBeside } from './folder.js';
import { Chart } from './helm/chart.js';
import { environmentsOf, valuesOfCalls } from './helm/environments.js';
import { Unrendered } from './helm/tokens.js';
import { nothing, type Over, overBy } from './helm/values.js';
import { Kustomizer } from './kustomize.js';
import { isKustomization, templatesFolder } from './names.js';
import { type KubernetesObject, objectsOf, type Pod } from './objects.js';
import { numberOf } from './ports.js';
import { containerOf } from './reach.js';
import { isRoute } from './routes.js';

/** Reads manifests with the objects that they refer to, of the same file or of others in the folder. */
export function readKubernetes(file: LineIndex, context: Context): Launches {
  const chart = chartOf(context.written ?? file, context);
  if (chart !== null && 'launches' in chart) return chart;
  const configured = configuredNear(file, context);
  const { files } = context;
  const beside = patchedBy(objectsBeside(file, configured, context), files);
  if (isKustomization(file.file)) {
    const kustomizer = new Kustomizer(files);
    const objects = patchedBy(kustomizer.build(file), files);
    const launches = launchesIn(objects, beside, kustomizer, context);
    return { launches, problems: kustomizer.problems, notes: [] };
  }
  const { objects, problems } = objectsOf(file, context.kinds, configured);
  const gaps = chart === null ? [] : [chart];
  return { launches: launchesIn(patchedBy(objects, files), beside, { gaps }, context), problems, notes: [] };
}

/** Reads a template of a chart; why it is not followed; null if it is no template of a chart. */
function chartOf(template: LineIndex, context: Context): Launches | MissingFile | null {
  try {
    const chart = Chart.of(template, context.files);
    if (chart === null) return null;
    if (chart.isDisabled) return { launches: [], problems: [], notes: [], rendered: '' };
    const environments = environmentsOf(chart.folder, context.files);
    for (const { file } of environments) context.files.heard(file);
    const variants = [
      ...environments.map((file) => ({ over: () => overBy(file), by: file })),
      ...valuesOfCalls(chart.folder, context.files),
    ];
    const rendered = new Map<string, string>();
    const launches = withConditions(template, chart, nothing, rendered, context);
    const others = variants.flatMap(({ over, by }) => {
      try {
        const values = over();
        const variant = Chart.of(template, context.files, values);
        const own = variant === null ? [] : withConditions(template, variant, values, rendered, context);
        return own.map((one) => ({ ...one, name: `${one.name} (with ${basename(by.file)})` }));
      } catch (error) {
        if (!(error instanceof Unrendered)) throw error;
        if (launches.length > 0)
          context.files.unfollowed({
            name: basename(by.file),
            at: by.span({ start: 0, end: 0 }),
            reason: error.message,
          });
        return [];
      }
    });
    const text = [...rendered.values()].join('\n');
    return { launches: [...launches, ...others], problems: [], notes: [], rendered: text };
  } catch (error) {
    if (!(error instanceof Unrendered)) throw error;
    return notFollowed(template, error, 'settings');
  }
}

/** Conditions of one chart that are tried one by one. */
const maxConditions = 6;

/** The nodes of a template, with an alternative for each condition that only the cluster decides. */
function withConditions(
  template: LineIndex,
  chart: Chart,
  over: Over,
  rendered: Map<string, string>,
  context: Context,
): Launch[] {
  const found = launchesOfChart(template, chart, rendered, context);
  for (const condition of chart.undecided.slice(0, maxConditions)) {
    const holds = (one: Placed) => conditionKey(one) === conditionKey(condition);
    const variant = Chart.of(template, context.files, { ...over, holds });
    for (const launch of variant === null ? [] : launchesOfChart(template, variant, rendered, context))
      addAlternative(found, { ...launch, when: condition.as(showText(condition)) });
  }
  return found;
}

/**
 * The nodes of a template; none where other values rendered the chart to the same text.
 * @param rendered - by the text of the whole chart, that of this template
 */
function launchesOfChart(
  template: LineIndex,
  chart: Chart,
  rendered: Map<string, string>,
  context: Context,
): Launch[] {
  const objects = patchedBy(objectsOfTemplate(template, chart), context.files);
  const { objects: others, gaps } = templatesBeside(template, chart, context);
  const text = chart.rendered.join('\n');
  if (rendered.has(text)) return [];
  rendered.set(text, chart.rendered[0] ?? '');
  const inputs = chart.inputs.map((file) => ({ file, role: 'included' as const }));
  const routes = objectsBeside(template, configuredNear(template, context), context).filter(
    (one) => isRoute(one) && templatesFolder(one.file.file) === null,
  );
  return launchesIn(objects, [...others, ...routes], { inputs, gaps }, context);
}

/** The nodes that these objects of a cluster start beside others, and the confs that nothing starts. */
function launchesIn(
  objects: readonly KubernetesObject[],
  beside: readonly KubernetesObject[],
  { inputs, gaps }: Partial<Pick<Cluster, 'inputs' | 'gaps'>>,
  context: Context,
): Launch[] {
  const all = [...objects, ...beside];
  const cluster = new Cluster([...all, ...servicesMade(all, context.files)], inputs, gaps);
  const own = cluster.pods.filter(({ of }) => objects.includes(of));
  const names = own.map(({ name }) => name);
  const started = own.flatMap((pod) => {
    const isTwice = names.indexOf(pod.name) !== names.lastIndexOf(pod.name);
    const name = isTwice && pod.of.namespace !== null ? `${pod.of.namespace}/${pod.name}` : pod.name;
    return launchesOfPod({ ...pod, name }, cluster, context);
  });
  return [...started, ...loneConfs(objects, cluster, context)];
}

function launchesOfPod(pod: Pod, cluster: Cluster, context: Context): Launch[] {
  context.steps.commands = Math.max(1, cluster.pods.length);
  const containers = ['initContainers', 'containers'].flatMap((key) => itemsAt(pod.spec, key));
  return containers.flatMap((container) => {
    const text = container.get('name')?.text ?? null;
    const own = text === null ? '' : showText(text);
    const name = containers.length > 1 ? `${pod.name}/${own}` : pod.name;
    return launchesOfContainer(name, container, pod, cluster, context);
  });
}

function launchesOfContainer(
  name: string,
  container: Tree,
  pod: Pod,
  cluster: Cluster,
  { files, steps, kinds }: Context,
): Launch[] {
  const own = files.scope();
  for (const { file, role } of cluster.inputs) own.use(file, role);
  for (const gap of cluster.gaps) own.miss(gap);
  const environment = environmentOf(container, pod, cluster, own);
  const image = container.get('image')?.text ?? null;
  const recipe = builtElsewhere(image, { files: own, steps });
  const given = (key: string) => {
    const list = wordsIn(container.get(key));
    return list.length === 0 ? null : list;
  };
  const words = startWords(recipe, given('command'), given('args'));
  const secrets = secretsOf(container, pod, cluster, own);
  const launches = launchesOf({
    name,
    words: words.map((word) =>
      expandReferences(word, environment, isShell(words[0]?.text ?? '') ? null : own),
    ),
    environment: new Map([...(recipe?.environment ?? []), ...environment]),
    container: containerOf(pod, container, cluster, own),
    image: recipe === null ? image : recipe.image,
    before: recipe?.scripts ?? [],
    ports: itemsAt(container, 'ports').map((one) => numberOf(one.get('containerPort'))),
    files: own,
    after: [wordsIn(container.path('lifecycle', 'postStart', 'exec', 'command'))],
    checks: ['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) =>
      wordsIn(container.path(probe, 'exec', 'command')),
    ),
    file: (path, role) =>
      mountedFile(path, container, pod, cluster, own) ?? recipe?.file(path, own, role) ?? null,
    steps,
    kinds,
  });
  return secrets.length === 0 ? launches : launches.map((one) => ({ ...one, secrets }));
}

/** The words of a list; a text that a template leaves unknown may be any list. */
function wordsIn(tree: Tree | null): Placed[] {
  if (tree?.text != null && !isKnown(tree.text.text)) return [tree.text.as(unfilled)];
  return textsAt(tree);
}

/** Confs in ConfigMaps that no pod reads, of this file or of others. */
function loneConfs(objects: readonly KubernetesObject[], cluster: Cluster, context: Context): Launch[] {
  const confs = objects.flatMap((object) =>
    (object.kind === 'ConfigMap' ? (object.root.get('data')?.entries ?? []) : []).flatMap((entry) => {
      const reader = readerOfConf(context.kinds, entry.key.text);
      const text = entry.value?.text ?? null;
      return reader === null || text === null ? [] : [{ object, entry, text, reader }];
    }),
  );
  const names = new Set(confs.map(({ object }) => object.name));
  for (const pod of cluster.pods.filter(({ of }) => !objects.includes(of)))
    if (volumesOf(pod).some((one) => names.has(one))) launchesOfPod(pod, cluster, context);
  return confs
    .filter(({ entry }) => !cluster.mounted.has(entry))
    .map(({ object, entry, text, reader }) =>
      loneLaunch({
        name: `ConfigMap/${object.name}`,
        ...reader,
        by: 'name',
        start: { kind: 'launcher', conf: text, base: 'none' },
        container: { published: [], network: 'pods of the cluster', hostNames: null },
        at: entry.key.span(),
      }),
    );
}
