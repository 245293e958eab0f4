/** Renders the counts of a survey's answers as text, JSON or CSV. */
import { visible } from '../../util/visible.js';
import { count, grouped } from '../../util/words.js';
import type { QuestionCount } from '../protocol/answers.js';
import { csv } from './admin-report.js';
import type { ResultsOptions } from './options/results.js';

type Format = ResultsOptions['format'];

/** An answer that is invalid (false) or could not be verified (null); counted from 1. */
interface Problem {
  readonly answer: number;
  readonly verified: false | null;
  readonly reasons: readonly string[];
}

/** What --format json prints. */
export interface Counted {
  readonly survey: string;
  readonly groupId: string;
  readonly block: number;
  readonly answers: number;
  /** Null: not asked for, or not possible. */
  readonly verified: boolean | null;
  readonly questions: readonly QuestionCount[];
  readonly problems: readonly Problem[];
}

export function rendered(counted: Counted, format: Format): string {
  if (format === 'json') return `${JSON.stringify(counted)}\n`;
  if (format === 'csv')
    return csv(['question', 'text', 'option', 'label', 'answers', 'verified'], rows(counted));
  return counted.questions.map(questionText).join('\n') + problemLines(counted, '\n');
}

/** The note on stderr; it lists the problems if stdout cannot. */
export function summary(counted: Counted, format: Format): string {
  const { answers, groupId, block, problems } = counted;
  const head = `${grouped(answers)} ${answers === 1 ? 'answer' : 'answers'}, group ${groupId}, block ${block}`;
  const asked = counted.verified !== null || problems.length > 0;
  const wrong = problems.filter(({ verified }) => verified === false).length;
  const unknown = problems.length - wrong;
  const found = `${answers - problems.length} verified, ${wrong} invalid, ${unknown} not verified`;
  const more = format === 'csv' ? problemLines(counted, '') : '';
  return `${head}; ${asked ? found : 'proofs not checked (--verify checks them)'}\n${more}`;
}

function rows({ questions }: Counted) {
  return questions.flatMap(({ question, options }, at) =>
    options.map(({ option, answers, verified }, index) => {
      return { question: at + 1, text: question, option: index + 1, label: option, answers, verified };
    }),
  );
}

function questionText({ question, options }: QuestionCount, at: number): string {
  const lines = options.map(({ option, answers, verified }) => {
    return `   ${visible(option)}: ${count(answers, 'answer')}${verified === null ? '' : `, ${verified} verified`}\n`;
  });
  return `${at + 1}. ${visible(question)}\n${lines.join('')}`;
}

function problemLines({ problems }: Counted, before: string): string {
  if (problems.length === 0) return '';
  const lines = problems.map(({ answer, verified, reasons }) => {
    return `answer ${answer} is ${verified === false ? 'invalid' : 'not verified'}: ${reasons.join('; ')}\n`;
  });
  return before + lines.join('');
}
