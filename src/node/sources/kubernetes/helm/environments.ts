/** Values that a chart gets besides those of `values.yaml`. */
import { posix } from 'node:path';
import type { MissingFile } from '../../../facts/settings.js';
import type { Files } from '../../launch/files.js';
import type { LineIndex } from '../../text/line-index.js';

const ofEnvironment = /(?:^|\/)(?:values[-._][\w.-]+|[\w.-]+[-._]values)\.ya?ml$/;

/** The values for other environments, in the folder of the chart: `values-prod.yaml`, `prod-values.yaml`. */
export function environmentsOf(folder: string, files: Files): LineIndex[] {
  return files.named(ofEnvironment).filter(({ file }) => posix.dirname(file) === folder);
}

/** Files that may run helm, or describe its releases. */
const releases =
  /\.(?:sh|bash|mk|gotmpl)$|(?:^|\/)(?:Makefile|Jenkinsfile|[Jj]ustfile|Taskfile\.ya?ml|helmfile[\w.-]*|skaffold\.ya?ml|\.gitlab-ci\.ya?ml)$|(?:^|\/)(?:\.github\/workflows|\.circleci|helmfile\.d)\//;
const command = /\bhelm\b[^\n;|&]{0,200}?[ \t](?:upgrade|install|template)[ \t][^\n;|&]*/g;
const option = /[ \t](--set(?:-\w+)?|-f|--values)[ =]["']?([^\s"']+)/g;
const ofRelease = /(?:^[ \t-]*|[{,][ \t]*)["']?(?:set|values\w*|valueFiles|parameters)["']?[ \t]*:/m;
const ofChart = /(?:^[ \t-]*|[{,][ \t]*)["']?(?:chart|path)["']?[ \t]*:[^,}\n]*/gm;

/** Files of the folder that give the chart other values: they decide its settings. `known`: values that are read. */
export function valuesElsewhere(folder: string, known: readonly LineIndex[], files: Files): MissingFile[] {
  const isKnown = (path: string) => known.some(({ file }) => posix.basename(file) === posix.basename(path));
  return [...files.named(releases), ...files.all('kubernetes')].flatMap(({ file, text }) => {
    const from = posix.dirname(file);
    const isPart = from.startsWith(posix.join(folder, 'templates'));
    if (isPart || !/\bhelm/i.test(`${file}\n${text}`)) return [];
    const isNamed = (part: string): boolean =>
      part.split(/[\s"']+/).some((word) => {
        const path = word.replace(/(?<=.)\/$/, '');
        const isSameName = /\w/.test(path) && posix.basename(path) === posix.basename(folder);
        return isSameName || (path !== '' && posix.join(from, path) === folder);
      });
    const isGiven = (text.replaceAll(/\\\n/g, ' ').match(command) ?? [])
      .filter(isNamed)
      .flatMap((one) => [...one.matchAll(option)])
      .some(([, name = '', path = '']) => name.startsWith('--set') || !isKnown(path));
    const isDescribed = ofRelease.test(text) && (text.match(ofChart) ?? []).some(isNamed);
    if (!isGiven && !isDescribed) return [];
    const reason = `${file} gives the chart other values: run helm template with them, and pass its output`;
    return [{ name: file, decides: 'settings', reason }];
  });
}
