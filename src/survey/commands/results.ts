/** `kaiactl survey results`: counts a survey's recorded answers, and checks their proofs on request. */
import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { visible } from '../../util/visible.js';
import { count, groupDigits } from '../../util/words.js';
import type { SurveyAnswers } from '../chain/answers.js';
import { isVerified, type QuestionCount, tally, type Verdict } from '../protocol/answers.js';
import { csv } from './admin-report.js';
import type { ResultsOptions } from './options/client.js';
import { parseAddress, parseBaseUrl, wholeNumber } from './values.js';

export type Options = ResultsOptions & { readonly survey: string };

/** Prints the counts. Exit 1: an answer is invalid; 3: an answer could not be verified. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const survey = parseAddress(options.survey, 'the survey');
  const url = parseBaseUrl(options.rpcUrl, 'rpc-url');
  const from = options.fromBlock === undefined ? null : wholeNumber(options.fromBlock, 'from-block');
  const { readAnswers } = await import('../chain/answers.js');
  const { verifyAnswers } = await import('../chain/verify-answers.js');
  const { httpRpc } = await import('../../jsonrpc/rpc.js');
  const { timeoutMs } = await import('../chain/verify.js');
  const rpc = httpRpc(url.href, timeoutMs, host.signal);
  const read = await readAnswers(rpc, url.host, survey);
  const verdicts = options.verify ? await verifyAnswers(rpc, survey, read, from) : null;
  if (host.signal.aborted) return exit.interrupted;
  const counted = countedOf(survey, read, verdicts);
  if (!options.quiet) await print(host.stderr, summary(counted, options.format));
  await print(host.stdout, rendered(counted, options.format));
  if (verdicts === null || counted.verified === true) return exit.ok;
  return counted.verified === false ? exit.failed : exit.unseen;
}

function countedOf(survey: string, read: SurveyAnswers, verdicts: readonly Verdict[] | null) {
  const states = verdicts?.map(isVerified) ?? [null];
  // Invalid (false), or could not be verified (null).
  const problems = (verdicts ?? []).flatMap((verdict, at) => {
    const verified = isVerified(verdict);
    const reasons = [...verdict.wrong, ...verdict.unknown];
    return verified === true ? [] : [{ answer: at + 1, verified, reasons }];
  });
  return {
    survey,
    groupId: String(read.place.groupId),
    block: read.block.number,
    answers: read.answers.length,
    /** Null: not asked for, or not possible. */
    verified: states.includes(false) ? false : states.includes(null) ? null : true,
    questions: tally(read.questions, read.answers, verdicts),
    problems,
  };
}

type Format = ResultsOptions['format'];

type Counted = ReturnType<typeof countedOf>;

function rendered(counted: Counted, format: Format): string {
  if (format === 'json') return `${JSON.stringify(counted)}\n`;
  if (format === 'csv') {
    const rows = counted.questions.flatMap(({ question, options }, at) =>
      options.map(({ option, ...counts }, index) => {
        return { question: at + 1, text: question, option: index + 1, label: option, ...counts };
      }),
    );
    return csv(['question', 'text', 'option', 'label', 'answers', 'verified'], rows);
  }
  return counted.questions.map(questionText).join('\n') + problemLines(counted, '\n');
}

/** The note on stderr; it lists the problems if stdout cannot. */
function summary(counted: Counted, format: Format): string {
  const { answers, groupId, block, problems } = counted;
  const head = `${groupDigits(answers)} ${answers === 1 ? 'answer' : 'answers'}, group ${groupId}, block ${block}`;
  const asked = counted.verified !== null || problems.length > 0;
  const wrong = problems.filter(({ verified }) => verified === false).length;
  const found = `${answers - problems.length} verified, ${wrong} invalid, ${problems.length - wrong} not verified`;
  const more = format === 'csv' ? problemLines(counted, '') : '';
  return `${head}; ${asked ? found : 'proofs not checked (--verify checks them)'}\n${more}`;
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
