/** `kaiactl survey results`: counts a survey's recorded answers, and checks their proofs on request. */

import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import type { SurveyAnswers } from '../chain/answers.js';
import { parseAddress, parseBaseUrl } from '../client/target.js';
import { isVerified, tally, type Verdict } from '../protocol/answers.js';
import type { ResultsOptions } from './options/results.js';
import { type Counted, rendered, summary } from './results-text.js';
import { wholeNumber } from './session.js';

export type Options = ResultsOptions & { readonly survey: string };

/** Prints the counts. Exit 1: an answer is invalid; 3: an answer could not be verified. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const survey = parseAddress(options.survey, 'the survey');
  const url = parseBaseUrl(options.rpcUrl, 'rpc-url');
  const from = options.fromBlock === undefined ? null : wholeNumber(options.fromBlock, 'from-block');
  const { readAnswers } = await import('../chain/answers.js');
  const { verifyAnswers } = await import('../chain/verify-answers.js');
  const { httpRpc } = await import('../chain/rpc.js');
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

function countedOf(survey: string, read: SurveyAnswers, verdicts: readonly Verdict[] | null): Counted {
  const states = verdicts?.map(isVerified) ?? [null];
  const problems = (verdicts ?? []).flatMap((verdict, at) => {
    const verified = isVerified(verdict);
    return verified === true
      ? []
      : [{ answer: at + 1, verified, reasons: [...verdict.wrong, ...verdict.unknown] }];
  });
  return {
    survey,
    groupId: String(read.place.groupId),
    block: read.block.number,
    answers: read.answers.length,
    verified: states.includes(false) ? false : states.includes(null) ? null : true,
    questions: tally(read.questions, read.answers, verdicts),
    problems,
  };
}
