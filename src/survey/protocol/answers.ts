/** Questions and answers as a survey's contract records them. No I/O. */

export interface Question {
  readonly question: string;
  readonly options: readonly string[];
}

/** A recorded answer. The wallet beside it is left out. */
export interface Answer {
  /** Index of an option for each question, from 0. */
  readonly choices: readonly number[];
  readonly depth: bigint;
  readonly root: bigint;
  readonly nullifier: bigint;
  readonly points: readonly bigint[];
}

/** The checks of one answer: what is wrong with it, and what could not be checked. */
export interface Verdict {
  readonly wrong: readonly string[];
  readonly unknown: readonly string[];
}

/** Whether every check passed; null if none failed, and at least one could not be made. */
export function isVerified({ wrong, unknown }: Verdict): boolean | null {
  if (wrong.length > 0) return false;
  return unknown.length > 0 ? null : true;
}

/** The message of an answer's proof: one byte for each question, the first one highest. */
export function messageOf(choices: readonly number[]): bigint {
  return choices.reduce((message, choice) => (message << 8n) | BigInt(choice), 0n);
}

/** What is wrong with the answers themselves, by position: unknown options, and nullifiers used more than once. */
export function recordFaults(questions: readonly Question[], answers: readonly Answer[]): string[][] {
  const first = new Map<bigint, number>();
  return answers.map(({ choices, nullifier, depth }, at) => {
    const found: string[] = [];
    if (choices.length !== questions.length)
      found.push(`it answers ${choices.length} of ${questions.length} questions`);
    for (const [index, { options }] of questions.entries()) {
      const choice = choices[index] ?? 0;
      if (choice >= options.length)
        found.push(`it chooses option ${choice + 1} of question ${index + 1}, which has ${options.length}`);
    }
    const before = first.get(nullifier);
    if (before === undefined) first.set(nullifier, at);
    else found.push(`its nullifier was used by answer ${before + 1}`);
    if (depth < 1n || depth > 32n) found.push(`its tree depth ${depth} is not between 1 and 32`);
    return found;
  });
}

export type QuestionCount = ReturnType<typeof tally>[number];

/** Counts the answers by question and option; `verified` is null without verdicts. Choices outside the options are ignored. */
export function tally(
  questions: readonly Question[],
  answers: readonly Answer[],
  verdicts: readonly Verdict[] | null,
) {
  const passed = verdicts?.map((verdict) => isVerified(verdict) === true) ?? null;
  return questions.map(({ question, options }, at) => ({
    question,
    options: options.map((option, index) => {
      const chosen = answers.map(({ choices }) => choices[at] === index);
      const counted = (of: readonly boolean[]) => of.filter(Boolean).length;
      const verified = passed && counted(chosen.map((one, answer) => one && passed[answer] === true));
      return { option, answers: counted(chosen), verified };
    }),
  }));
}
