/** The connection to the survey API, and the errors of its clients. */
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { agentFor } from '../../http/agent.js';
import type { CommonOptions } from '../../options/common.js';
import { widthOf } from '../../terminal/capabilities.js';
import { wrap } from '../../terminal/wrap.js';
import { surveyClient } from '../client/client.js';
import type { ClientError } from '../client/client-error.js';
import type { CallingOptions } from './options/client.js';
import { isPrivateUrl, milliseconds, parseBaseUrl } from './values.js';

export type SessionOptions = CallingOptions & CommonOptions;

export type Session = ReturnType<typeof openSession>;

/** @throws {KaiactlError} for invalid options (exit 2) */
export function openSession(options: SessionOptions, host: Host) {
  const base = parseBaseUrl(options.apiUrl, 'api-url');
  const timeout = milliseconds(options.requestTimeout, 'request-timeout');
  // The commands limit how many requests are under way.
  const agent = agentFor(base, { insecure: false, env: host.env, maxSockets: Number.POSITIVE_INFINITY });
  return { base, client: surveyClient(base, timeout, host.signal, agent), ...notes(options, host) };
}

export function notes(options: CommonOptions, host: Host) {
  const warned = new Set<string>();
  return {
    /** Prints a line on stderr, each warning once; prints nothing with --quiet. */
    say: async (line: string): Promise<void> => {
      if (options.quiet || warned.has(line)) return;
      if (line.startsWith('warning:')) warned.add(line);
      const text = host.stderr.isTTY ? wrap(line, widthOf(host.stderr, host), 0, 2) : line;
      await print(host.stderr, `${text}\n`);
    },
  };
}

export function sentenceOf({ kind, sentence }: ClientError, { base }: Session): string {
  const did = {
    refused: 'refused',
    unavailable: 'cannot do it now',
    broken: `at ${base.host} gave no usable answer`,
    unreachable: `at ${base.host} could not be reached`,
  };
  return `the survey API ${did[kind]}: ${sentence}`;
}

/** Exit 1: the API refused; 3: it gave no usable answer. */
export function clientErrorOf(clientError: ClientError, session: Session, notes: readonly string[] = []) {
  return new KaiactlError(sentenceOf(clientError, session), {
    exitCode: clientError.kind === 'refused' ? exit.failed : exit.unseen,
    notes,
    ...(clientError.hint === null ? {} : { hint: clientError.hint }),
  });
}

export async function warnPlaintext(session: Session, what: string): Promise<void> {
  if (isPrivateUrl(session.base)) return;
  await session.say(
    `warning: ${session.base.host} is reached over plain http: others on the network can read ${what}`,
  );
}
