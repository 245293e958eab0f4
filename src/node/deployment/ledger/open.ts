/** The signs of a file that nothing accounts for, as open questions: one for each cause. */
import { basename } from 'node:path';
import { count } from '../../../util/words.js';
import type { LineIndex, Range } from '../../sources/text/line-index.js';
import { adviceFor } from './advice.js';
import type { Coverage } from './coverage.js';
import { questionAt } from './question.js';
import { type Sign, signsIn } from './signs.js';
import { type OpenIn, unjudged } from './unjudged.js';
import type { Vocabulary } from './vocabulary.js';

/** The open questions of a file, in the order of their places. */
export function openSigns(vocabulary: Vocabulary, file: LineIndex, coverage: Coverage): OpenIn {
  if (coverage.isWhole(file.file)) return { questions: [], notes: [] };
  const chart = chartOf(file.file);
  const open = signsIn(vocabulary, file.file, file.text).filter(
    (sign) => !isAccounted(sign, file, coverage) && !isTold(sign, chart, coverage),
  );
  if (chart?.part === 'templates')
    for (const { other } of open) if (other !== undefined) coverage.tell(chart.folder, other.client.name);
  const [first, ...more] = open.filter(({ other }) => other === undefined);
  const { questions, notes } = unjudged(file, open);
  if (first === undefined) return { questions, notes };
  const others = more.length === 0 ? '' : `, and ${count(more.length, 'more place')}`;
  const advice = first.type === 'script' ? scriptAdvice : adviceFor(file.file);
  const reason = `${saidBy(first)}${others}. ${advice}`;
  const start = questionAt(file, file.span(first), 'unfollowed-start', file.file, reason);
  return { questions: [start, ...questions], notes };
}

/** In a file that a target uses, only the start of another node is open. */
function isAccounted(sign: Sign, file: LineIndex, coverage: Coverage): boolean {
  const { type, word, within, words, other, tail } = sign;
  if (tail !== undefined && coverage.holds(tail, file)) return true;
  if (!coverage.isUsed(file.file))
    return type !== 'script' && other === undefined && isRendered(file.file, coverage);
  const isCovered = (part: Range) => {
    const { line, endLine } = file.span(part);
    return coverage.has(file.file, line, endLine);
  };
  if (isCovered(within)) return true;
  // What a chart's values decide, was read with the chart.
  const isUnread = type === 'script' || (type === 'container' && !word.startsWith('{{'));
  if (type === 'call' || isUnread || other !== undefined) return false;
  if (coverage.isRead(file.file)) return true;
  const isStart = type === 'program' && words.some((word) => word?.startsWith('-') === true);
  return !isStart || isAssigned(file, within);
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

/** A command in a variable, which is followed to where it runs. */
function isAssigned({ text }: LineIndex, { start }: Sign['within']): boolean {
  return /^\s*(?:export[ \t]+)?[A-Za-z_]\w*\+?=/.test(text.slice(start, start + 200));
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

function saidBy({ type, word }: Sign): string {
  return clauses[type](word);
}
