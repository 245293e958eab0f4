/** Templates: the parts that are not known before rendering, and the command that renders them. */

import type { Range } from './text/line-index.js';
import { maskPlaceholders, unfilled } from './text/placeholders.js';

export interface Template {
  /** The text with its placeholders masked; all other text keeps its place. */
  readonly text: string;
  /** Lines of YAML that consist of placeholders, where they may become words of a command or variables. */
  readonly inserted: readonly Range[];
  /** A note that says how to render the template; null for no template, or one that Docker alone fills in. */
  readonly note: string | null;
}

/** `yaml`: lines that consist of placeholders are blanked, because they are not valid YAML. */
export function templateOf(path: string, raw: string, yaml: boolean): Template {
  const { text } = maskPlaceholders(raw);
  if (text === raw) return { text, inserted: [], note: null };
  const lines = yaml ? [...text.matchAll(wholeLine)] : [];
  const inserted = lines
    .map(({ index, 0: all }) => ({ start: index, end: index + all.length }))
    .filter(({ start, end }) => !noCommand.test(parentOf(text, start, raw.slice(start, end))));
  const kept = yaml ? text.replaceAll(wholeLine, (all) => ' '.repeat(all.length)) : text;
  const others = raw.replaceAll(logTag, '').replaceAll(format, '');
  const isTemplate = maskPlaceholders(others).text !== others;
  const note = `${path} is a template with unknown values; render it first: ${commandFor(path, others)}`;
  return { text: kept, inserted, note: isTemplate ? note : null };
}

/** Keys below which no word and no variable of a container stands. */
const noCommand =
  /^(?:metadata|labels|annotations|selector|matchLabels|spec|template|containers|initContainers|volumes|volumeMounts|volumeClaimTemplates|resources|ports|securityContext|podSecurityContext|nodeSelector|tolerations|affinity|topologySpreadConstraints|imagePullSecrets|hostAliases|livenessProbe|readinessProbe|startupProbe|data|stringData|rules|tls|networks|logging|deploy|healthcheck)$/;

/** The key that a line of placeholders is inserted below, by its own indentation or that of `nindent`; '' for none. */
function parentOf(text: string, at: number, written: string): string {
  const indent = Number(/\bn?indent\s+(\d+)/.exec(written)?.[1] ?? written.search(/\S/));
  const above = text.slice(0, at).split('\n').slice(-maxAbove).reverse();
  const parent = above.find(
    (line) => /^\s*[^\s#]/.test(line) && line.search(/\S/) < indent && !line.includes(unfilled),
  );
  return /^\s*([\w-]+):\s*$/.exec(parent ?? '')?.[1] ?? '';
}

/** Lines that are searched for a key. */
const maxAbove = 300;

/** What Docker itself fills in, in the tags of logs. */
const logTag = /\{\{\s*\.(?:ID|FullID|Name|ImageID|ImageName|ImageFullID|DaemonName)\s*\}\}/g;

/** The format of a command's output, such as that of `docker ps --format '{{.Names}}'`. */
const format =
  /(?<![\w-])(?:--format|--template|-f|-o|--output)[= \t](?:[a-z-]+=)?(?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\{\{[^}\n]*\}\})/g;

const wholeLine = new RegExp(`^[ \\t]*${unfilled}+[ \\t]*$`, 'gm');

/** Folders of Ansible's variables and roles, whose placeholders it alone fills in. */
const ofAnsible = /(?:^|[\\/])(?:roles|defaults|vars|(?:group|host)_vars)[\\/]/;

function commandFor(path: string, text: string): string {
  if (/\{\{-?\s*(?:include|toYaml|with|range)?[^}]*\.(?:Values|Release|Chart)\b/.test(text))
    return 'helm template CHART | kaiactl node lint -';
  if (/\$\{[A-Za-z_]\w*\./.test(text))
    return 'let terraform write it (local_file, templatefile) and lint the result';
  if (/\{\{-?\s*[.$]|\{\{-?\s*(?:if|range|end|define)\b/.test(text))
    return 'gomplate -f FILE | kaiactl node lint -';
  if (ofAnsible.test(path)) return 'ansible-playbook with --check --diff shows the files to lint';
  return 'jinja2 FILE VARIABLES.yml | kaiactl node lint -';
}
