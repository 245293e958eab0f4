/** A thread that is asked and answers, in order. */
import { Worker } from 'node:worker_threads';

export interface Thread<Question, Answer> {
  /** @throws when the thread cannot answer, or has ended */
  ask(question: Question): Promise<Answer>;
  /** Ends it, finished or not. */
  close(): Promise<unknown>;
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * Started at once.
 * @param program CommonJS that posts one message for each message it gets
 * @param workerData what the program is given
 */
export function startThread<Question, Answer>(
  program: string,
  workerData: unknown,
): Thread<Question, Answer> {
  const waiting: Waiting<Answer>[] = [];
  const worker = new Worker(program, { eval: true, workerData });
  worker.on('message', (answer: Answer) => waiting.shift()?.resolve(answer));
  let ended = false;
  const fail = (error: Error) => {
    ended = true;
    for (const one of waiting.splice(0)) one.reject(error);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread has ended')));
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new Error('the thread has ended'));
        waiting.push({ resolve, reject });
        worker.postMessage(question);
      }),
    close: () => worker.terminate(),
  };
}
