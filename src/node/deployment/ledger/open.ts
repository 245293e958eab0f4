/** The signs of a file that nothing accounts for, as open questions: one for each cause. */
import { basename } from 'node:path';
import { groupBy } from '../../../util/group-by.js';
import { once } from '../../../util/once.js';
import { visible } from '../../../util/visible.js';
import { count } from '../../../util/words.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { blockWith, commandAt, statementAt } from './blocks.js';
import type { Coverage } from './coverage.js';
import { questionAt } from './question.js';
import { opensInterface } from './search/flags.js';
import { flagName, type Sign } from './search/sign.js';
import { type ShellText, shellText } from './shell-text.js';
import { signsIn } from './signs.js';
import { judgeOthers, type OpenIn } from './unjudged.js';
import type { Vocabulary } from './vocabulary.js';

/** The open questions of a file, in the order of their places. */
export function openSigns(vocabulary: Vocabulary, file: LineIndex, coverage: Coverage): OpenIn {
  if (coverage.isWhole(file.file)) return { questions: [], notes: [] };
  const chart = chartOf(file.file);
  const shell = once(() => shellText(file.text));
  const open = signsIn(vocabulary, file.file, file.text).filter(
    (sign) => !isAccounted(vocabulary, sign, file, coverage, shell) && !isTold(sign, chart, coverage),
  );
  if (chart?.part === 'templates')
    for (const { other } of open) if (other !== undefined) coverage.tell(chart.folder, other.client.name);
  const own = open.filter(({ other }) => other === undefined);
  const [first, ...more] = [...groupBy(own, ({ within }) => within.start)].flatMap(([, [one]]) => one ?? []);
  const { questions, notes } = judgeOthers(file, open);
  if (first === undefined) return { questions, notes };
  const reason = reasonOf(vocabulary, first, more.length, file, shell);
  const start = questionAt(file, file.span(first), 'unfollowed-start', file.file, reason);
  return { questions: [start, ...questions], notes };
}

/** What is said of the first sign, and what to do. */
function reasonOf(
  vocabulary: Vocabulary,
  first: Sign,
  moreCount: number,
  file: LineIndex,
  shell: () => ShellText,
): string {
  const start = clauses[first.type](first.word);
  const said = opening(vocabulary, first).join(' ');
  const words = said === '' ? '' : `, with ${visible(said, 160)}`;
  const others = `${words}${moreCount === 0 ? '' : `, and ${count(moreCount, 'more place')}`}`;
  const error = isShellScript(file) ? shell().error : null;
  if (error === null || first.start < error.from)
    return `${start}${others}. ${first.type === 'script' ? scriptAdvice : adviceFor(file.file)}`;
  const { line } = file.span({ start: error.at, end: error.at });
  const advice = 'Correct the line, or pass the node’s command with --command-line';
  return `${start}${others}: bash stops at line ${line} (${error.message}). ${advice}`;
}

/** The words of a start that open an interface, as they are written. */
function opening(vocabulary: Vocabulary, { type, words, kind }: Sign): string[] {
  const flags = vocabulary.words().flatMap((one) => (one.kind === (kind ?? one.kind) ? one.interfaces : []));
  if (!['image', 'program', 'flag'].includes(type)) return [];
  return words.flatMap((word, at) => {
    if (word === null || !flags.some((own) => own.has(flagName(word)))) return [];
    const value = words[at + 1];
    return word.includes('=') || value === undefined || value?.startsWith('-')
      ? [word]
      : [word, value ?? '…'];
  });
}

/** By its name, or by its first line. */
function isShellScript({ file, text }: LineIndex): boolean {
  return /\.(?:ba|da|a|k|z)?sh$/.test(file) || /^#!.*\b(?:ba|da|a|k|z)?sh\b/.test(text);
}

/** A command beside the one that starts the node: a hook of a unit, or a step that builds an image. */
const besides = /^[ \t]*(?:Exec(?:StartPre|StartPost|Condition)[ \t]*=|RUN[ \t])/;

/**
 * In a file that a target uses, each sign is accounted for by its place. A script may read a start in parts, so there a weak
 * sign, such as one flag, is no start.
 */
function isAccounted(
  vocabulary: Vocabulary,
  sign: Sign,
  file: LineIndex,
  coverage: Coverage,
  shell: () => ShellText,
): boolean {
  const { type, word, within, other, tail } = sign;
  if (tail !== undefined && coverage.holds(tail, file)) return true;
  // A usage text of a script, as of `cat <<EOF` without a redirection.
  const isPrinted = () => shell().printed.some(({ start, end }) => start <= sign.start && sign.end <= end);
  if (isShellScript(file) && isPrinted()) return true;
  if (!coverage.isUsed(file.file))
    return type !== 'script' && other === undefined && isRendered(file.file, coverage);
  const isScript =
    !coverage.isRead(file.file) || besides.test(file.text.slice(within.start, within.start + 80));
  if (coverage.has(file.span(isScript ? commandAt(file.text, sign) : within))) return true;
  if (type === 'variable' || type === 'key') return !isGivenElsewhere(sign, file, coverage, isScript);
  // What a chart's values decide, was read with the chart.
  const isUnread = type === 'script' || (type === 'container' && !word.startsWith('{{'));
  if (type === 'call' || isUnread || other !== undefined) return false;
  if (!isScript || !isStart(vocabulary, sign) || isRead(file, coverage, within.start)) return true;
  return isPrinted();
}

/** Whether a command, a container or a play gets the setting, and no target reads that part of the file. */
function isGivenElsewhere(sign: Sign, file: LineIndex, coverage: Coverage, isScript: boolean): boolean {
  const { text } = file;
  if (!isScript) {
    const block = blockWith(hasImage, text, sign.start);
    if (block !== null) return !coverage.has(file.span(block));
    return sign.type === 'key' && ofGroups.test(file.file) && !coverage.isAsked(sign.word);
  }
  const command = commandAt(text, { ...sign, within: statementAt(text, sign.start) });
  return givesVariables.test(text.slice(command.start, command.end)) && !coverage.has(file.span(command));
}

/** The keys of what a container or a play runs; its settings may be those of a file that builds the image. */
const hasImage = /^(?![\s\S]*\bbuild["']?[ \t]*:)[\s\S]*(?<![\w.])(?:image|roles)["']?[ \t]*:/;
const ofGroups = /(?:^|[\\/])(?:group|host)_vars[\\/]/;
/** Assignments before the program of a command, or those of a container. */
const givesVariables =
  /^\s*(?:(?:sudo|env|nohup|exec|setsid)\s+(?:-\S+\s+)*)*(?:\w+=(?:"[^"]*"|'[^']*'|\{\{[^}\n]*\}\}|\\.|(?!\{\{)[^\s"'\\])*(?:\s|\\\r?\n)+)+[^\s\w#]*[^\W_][^\s=]*(?:\s|$)|\b(?:docker|podman|nerdctl)\b[^\n]*\b(?:run|create)\b[\s\S]*?\s(?:-e|--env)[ =]/;

/** Whether it is an assignment to a variable that a target reads, also through other variables: `eval "$COMMAND"`. */
function isRead(file: LineIndex, coverage: Coverage, start: number, seen = new Set<string>()): boolean {
  const { text } = file;
  const [, name] = assignment.exec(text.slice(start, start + 200)) ?? [];
  if (name === undefined || seen.has(name)) return false;
  seen.add(name);
  return [...text.matchAll(new RegExp(`\\$[({]?${name}\\b`, 'g'))].some(({ index, 0: { length } }) => {
    const within = statementAt(text, index);
    const command = commandAt(text, { start: index, end: index + length, within });
    return coverage.has(file.span(command)) || isRead(file, coverage, within.start, seen);
  });
}

/** In a shell or in a Makefile. */
const assignment = /^\s*(?:(?:export|local|readonly|declare)[ \t]+)?([A-Za-z_]\w*)[ \t]*[+?:]*=/;

/** An image, a program with flags, or flags that open an interface. */
function isStart(vocabulary: Vocabulary, { type, words }: Sign): boolean {
  if (type === 'program') return words.some((word) => word?.startsWith('-') === true);
  return type === 'image' || (type === 'flag' && opensInterface(vocabulary, words));
}

/** A client whose image stands in the values of a chart, and whose start was told of a template. */
function isTold({ type, other }: Sign, chart: ChartPart | null, coverage: Coverage): boolean {
  if (type !== 'image' || other === undefined || chart?.part !== 'values') return false;
  return coverage.isTold(chart.folder, other.client.name);
}

interface ChartPart {
  readonly folder: string;
  readonly part: 'templates' | 'values';
}

/** The chart that a file is a part of. */
function chartOf(path: string): ChartPart | null {
  const [, folder = '', values] =
    /^(.*)[\\/](?:templates[\\/].*|(values)[\w.-]*\.ya?ml)$/.exec(`./${path}`) ?? [];
  return folder === '' ? null : { folder, part: values === undefined ? 'templates' : 'values' };
}

/** A part of a chart, or of a chart in it, of which a template is used: the chart was rendered as a whole. */
function isRendered(path: string, coverage: Coverage): boolean {
  const own = chartOf(path)?.folder ?? null;
  if (own === null) return false;
  const above = /^(.*)[\\/]charts[\\/][^\\/]+$/.exec(own)?.[1] ?? null;
  return coverage.isUsedBelow(own) || (above !== null && coverage.isUsed(`${above}/Chart.yaml`));
}

const scriptAdvice = 'Pass a folder that has it, or the node’s command with --command-line';

const clauses: Readonly<Record<Sign['type'], (word: string) => string>> = {
  program: (word) => `${word} seems to be started here, in a way that is not followed`,
  script: (word) => `${basename(word)} seems to start a node here, and it is not among the files read`,
  container: (word) =>
    `a node seems to be started here, and its image${word === '' ? ', which is blank,' : `, ${word},`} is not known`,
  image: (word) => `the image ${word} seems to be started here, in a way that is not followed`,
  flag: (word) => `${word} seems to open an interface of a node here, and nothing that is read uses it`,
  variable: (word) => `${word} seems to open an interface of a node here, and nothing that is read uses it`,
  key: (word) => `${word} lists private modules of a node, and nothing that is read uses it`,
  call: (word) => `${word} is called here, and the node that it is called on is not known`,
};

const commandLine = 'Pass the node’s command with --command-line';

const rows: readonly { readonly path: RegExp; readonly advice: string }[] = [
  { path: /\.js$/, advice: 'Pass the script that runs it, or the node’s command with --command-line' },
  {
    path: /\.(?:tf|tfvars|hcl|nomad)$/,
    advice: 'Pass the rendered user data, or the node’s command with --command-line',
  },
  {
    path: /(?:^|[\\/])(?:(?:group|host)_vars[\\/].*|(?:inventor(?:y|ies)|hosts)(?:[\\/].*|\.(?:ini|ya?ml))?)$/,
    advice: 'Run ansible-playbook with --check --diff, and pass the files that it shows',
  },
  {
    path: /(?:^|[\\/])(?:values[\w.-]*|[\w.-]+[-._]values)\.ya?ml$/,
    advice: 'Pass the output of helm template',
  },
];

/** What to pass instead of a file that is not followed, by its name: a sentence without its full stop. */
function adviceFor(path: string): string {
  return rows.find((row) => row.path.test(path))?.advice ?? commandLine;
}
