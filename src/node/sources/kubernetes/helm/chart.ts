/** Helm charts: their templates, rendered with the values of `values.yaml` as `helm template` does. */
import { posix } from 'node:path';
import type { Files } from '../../launch/files.js';
import { conditionKey } from '../../script/follow.js';
import { LineIndex } from '../../text/line-index.js';
import { Placed, PlacedIndex } from '../../text/placed.js';
import { itemsAt, mapOf, mapTree, mergeTrees, type Tree, textAt } from '../../yaml/tree.js';
import { release, templatesFolder } from '../names.js';
import { environmentsOf } from './environments.js';
import { mapOfTexts, Renderer } from './render.js';
import { parseTemplate } from './template.js';
import { at, nothing, type Over, rootOf } from './values.js';

export class Chart {
  /** The folder of `Chart.yaml`. */
  readonly folder: string;
  /** The files that were read, without templates of pods. */
  readonly inputs: LineIndex[];
  /** Whether the values of its parent chart disable the subchart. */
  readonly isDisabled: boolean;
  private readonly root: Tree;
  private readonly files: Files;
  private readonly read: Read;
  private readonly over: Over;
  /** The conditions that only the cluster decides. */
  readonly undecided: Placed[] = [];

  /** What its templates rendered to. */
  readonly rendered: string[] = [];

  private constructor(folder: string, chart: LineIndex, read: Read, files: Files, over: Over) {
    this.folder = folder;
    this.over = over;
    this.files = files;
    this.read = (path) => read(posix.join(folder, path));
    const values = loadValues(folder, chart, read, files, over);
    this.isDisabled = values.isDisabled;
    this.inputs = [chart, ...values.inputs];
    const at = Placed.at(chart);
    this.root = mapOf(at, {
      Values: values.tree,
      Chart: capitalised(rootOf(chart), at),
      Release: mapOfTexts(at, release),
      Template: mapOfTexts(at, { BasePath: 'templates' }),
    });
  }

  /** The chart of a file below `templates/`, with more values; null if it is no template of a chart. */
  static of(template: LineIndex, files: Files, over: Over = nothing): Chart | null {
    const templates = templatesFolder(template.file);
    if (templates === null) return null;
    const folder = posix.dirname(templates);
    const read: Read = (path) => {
      const relative = posix.relative(posix.dirname(template.file), path);
      const file = files.read(relative, template, 'included');
      return file instanceof LineIndex ? file : null;
    };
    const chart = read(posix.join(folder, 'Chart.yaml'));
    return chart === null ? null : new Chart(folder, chart, read, files, over);
  }

  /** @throws {Unrendered} with the reason why the template is not followed */
  render(template: LineIndex): PlacedIndex {
    const used = (file: LineIndex | null): Placed | null => {
      if (file === null) return null;
      if (!this.inputs.includes(file)) this.inputs.push(file);
      return Placed.at(file);
    };
    const renderer = new Renderer(this.root, {
      at: (path) => used(this.read(path)),
      defining: (name) => used(this.defining(name)),
      outside: (path, at) => this.files.outside(path, at),
      holds: (condition) => {
        if (!this.undecided.some((one) => conditionKey(one) === conditionKey(condition)))
          this.undecided.push(condition);
        return this.over.holds?.(condition) ?? false;
      },
    });
    const nodes = parseTemplate(Placed.at(template));
    renderer.define(nodes);
    const rendered = new PlacedIndex(Placed.at(template).joined(renderer.render(nodes)));
    this.rendered.push(rendered.text);
    return rendered;
  }

  /** The file that defines a named template: one of the chart, else of a chart in its folder `charts`. */
  private defining(name: string): LineIndex | null {
    const helpers = this.read('templates/_helpers.tpl');
    const isOurs = ({ file }: LineIndex) => file.startsWith(posix.join(this.folder, 'templates/'));
    const isInner = ({ file }: LineIndex) => file.startsWith(posix.join(this.folder, 'charts/'));
    const others = this.files.named(definitions).filter((one) => isOurs(one) || isInner(one));
    const own = [...(helpers === null ? [] : [helpers]), ...others.filter(isOurs), ...others.filter(isInner)];
    return own.find(({ text }) => defines(text, name)) ?? null;
  }
}

/** Files of a chart that only define templates. */
const definitions = /(?:^|\/)templates\/(?:.*\/)?(?:_[^/]*|[^/]*\.tpl)$/;

function defines(text: string, name: string): boolean {
  return [...text.matchAll(/\{\{-?\s*define\s+"([^"\n]*)"/g)].some(([, one]) => one === name);
}

/** The file at a path of the deployment; null if there is none. */
type Read = (path: string) => LineIndex | null;

/** `values.yaml`, overridden by the file of an environment, and by the values that the parent chart sets for it. */
function loadValues(folder: string, chart: LineIndex, read: Read, files: Files, given: Over) {
  const own = read(posix.join(folder, 'values.yaml'));
  const isInner = posix.basename(posix.dirname(folder)) === 'charts';
  const parent = posix.join(folder, '../..');
  const above = isInner ? read(posix.join(parent, 'values.yaml')) : null;
  const dependent = isInner ? read(posix.join(parent, 'Chart.yaml')) : null;
  const over = rootOf(above);
  const chartName = textAt(rootOf(chart), 'name') || posix.basename(folder);
  const dependency = itemsAt(rootOf(dependent), 'dependencies').filter(
    (one) => textAt(one, 'name') === chartName,
  );
  const enabled = dependency.filter((one) => isEnabled(one, over));
  const name = textAt(enabled[0] ?? null, 'alias') || chartName;
  // The values of another environment may enable it.
  const isDisabled =
    dependency.length > 0 &&
    enabled.length === 0 &&
    environmentsOf(parent, files).every(
      (one) => !dependency.some((entry) => isEnabled(entry, over, rootOf(one))),
    );
  const empty = mapTree(chart.span({ start: 0, end: 0 }), []);
  const imports = importsOf(folder, chart, read, rootOf(own));
  const layers = [...imports.trees, rootOf(own), ...given.trees, over?.get(name) ?? null, ofGlobals(over)];
  const tree = layers.reduce<Tree>(
    (base, layer) => (layer === null ? base : (mergeTrees(base, layer, () => []) ?? base)),
    empty,
  );
  const inputs = [own, ...given.inputs, above, dependency.length === 0 ? null : dependent, ...imports.inputs];
  return { tree, inputs: inputs.flatMap((file) => file ?? []), isDisabled };
}

/**
 * The values that a chart imports from its subcharts, the weakest first: the chart's own values override them, and the
 * first import overrides the others. https://helm.sh/docs/topics/charts, `import-values`
 */
function importsOf(folder: string, chart: LineIndex, read: Read, own: Tree | null) {
  const inputs: LineIndex[] = [];
  const trees = itemsAt(rootOf(chart), 'dependencies').flatMap((dependency) => {
    const wanted = itemsAt(dependency, 'import-values');
    if (wanted.length === 0 || !isEnabled(dependency, own)) return [];
    const [name, alias] = [textAt(dependency, 'name'), textAt(dependency, 'alias')];
    const file = read(posix.join(folder, 'charts', name, 'values.yaml'));
    if (file !== null) inputs.push(file);
    const [values, given] = [rootOf(file), own?.get(alias || name) ?? null];
    const all = given === null ? values : mergeTrees(values, given, () => []);
    return wanted.flatMap((one) => {
      const child = one.text === null ? textAt(one, 'child') : `exports.${one.text.text}`;
      const tree = all?.path(...child.split('.')) ?? null;
      return tree === null ? [] : at(textAt(one, 'parent'), tree, Placed.at(chart));
    });
  });
  return { trees: trees.reverse(), inputs };
}

/** The first of its conditions that the values set decides; without one, its tags. https://helm.sh/docs/topics/charts */
function isEnabled(dependency: Tree, ...layers: readonly (Tree | null)[]): boolean {
  const valueAt = (...path: readonly string[]) =>
    layers.map((layer) => layer?.path(...path)?.value).findLast((value) => typeof value === 'boolean');
  const conditions = textAt(dependency, 'condition')
    .split(',')
    .map((path) => path.trim().split('.'));
  const decided = conditions.map((path) => valueAt(...path)).find((value) => value !== undefined);
  const tags = itemsAt(dependency, 'tags').map(({ text }) => valueAt('tags', text?.text ?? ''));
  return decided ?? (tags.includes(true) || !tags.includes(false));
}

/** `{global: …}` of the chart around it. */
function ofGlobals(values: Tree | null): Tree | null {
  const entry = values?.entries.find(({ key }) => key.text === 'global');
  return entry === undefined ? null : mapTree(entry.key.span(), [entry]);
}

/** `.Chart` has the keys of `Chart.yaml` with a capital letter. */
function capitalised(chart: Tree | null, at: Placed): Tree {
  const entries = (chart?.entries ?? []).map(({ key, value }) => ({
    key: key.as(key.text.charAt(0).toUpperCase() + key.text.slice(1)),
    value,
  }));
  return mapTree(at.span(), entries);
}
