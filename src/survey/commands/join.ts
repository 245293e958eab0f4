/** `kaiactl survey join`: submits a join once and waits until the group lists it. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import type { HasMember, Listed, Submitted, Wait } from '../client/joining.js';
import { awaitListing, place, submit } from '../client/joining.js';
import type { JoinRequest } from '../protocol/wire.js';
import type { JoinOptions, Terms } from './credentials.js';
import { checkNow, dryRun, joinReporter, span, wallNote } from './join-report.js';
import { commitmentFor, requestFor, warnAboutSigner } from './joiner.js';
import { secrets } from './secrets.js';
import { clientErrorOf, openSession, type Session, sentenceOf, warnPlaintext } from './session.js';
import { milliseconds, parseAddress, parseBaseUrl, wholeNumber } from './values.js';

/** Joins one commitment, or many with --batch. Exit 1: refused; 3: outcome unknown; 4: accepted, but not listed in time. */
export async function run(options: JoinOptions, host: Host): Promise<ExitCode> {
  const terms = termsOf(options);
  const session = openSession(options, host);
  const wait = await waitOf(options, terms.survey, host);
  const tools = { host, session, terms, wait, secrets: secrets(host, session), signers: new Map() };
  await warnPlaintext(session, 'the id token');
  if (options.batch !== undefined) {
    const { runBatch } = await import('./batch.js');
    return runBatch(options.batch, options, tools);
  }
  if (options.check)
    throw new KaiactlError('--check reads a batch', { hint: 'Give --batch, or use --dry-run for one join.' });
  const commitment = await commitmentFor(options, tools);
  const request = await requestFor(options, commitment, tools);
  if (options.signature !== undefined || options.signatureFile !== undefined)
    await warnAboutSigner(request, options, tools);
  return joinOne({ request, options, wait, session }, host);
}

async function waitOf(options: JoinOptions, survey: string, { signal }: Host): Promise<Wait> {
  const contract = async (rpcUrl: string): Promise<HasMember> => {
    const rpc = parseBaseUrl(rpcUrl, 'rpc-url');
    const { chainReader } = await import('../chain/verify.js');
    return chainReader(rpc, survey, signal).hasMember;
  };
  return {
    timeoutMs: milliseconds(options.timeout, 'timeout'),
    intervalMs: milliseconds(options.pollInterval, 'poll-interval'),
    signal,
    now: () => performance.now(),
    hasMember: options.rpcUrl === undefined ? null : await contract(options.rpcUrl),
  };
}

function termsOf(options: JoinOptions): Terms {
  const whole = (text: string | undefined, option: string) =>
    text === undefined ? null : wholeNumber(text, option);
  return {
    survey: parseAddress(options.survey, 'the survey'),
    scheme: options.scheme,
    chainId: whole(options.chainId, 'chain-id'),
    expiresAt: whole(options.expiresAt, 'expires-at'),
  };
}

interface Single {
  readonly request: JoinRequest;
  readonly options: JoinOptions;
  readonly wait: Wait;
  readonly session: Session;
}

async function joinOne(single: Single, host: Host): Promise<ExitCode> {
  const { request, options, wait, session } = single;
  const reporter = joinReporter(request, options.format, host);
  const before = await place(session.client, request.id, request.commitment, wait.hasMember);
  if (!before.ok) {
    const failure = clientErrorOf(before.clientError, session, ['Nothing was sent.']);
    return reporter.fail('unsent', failure);
  }
  const { groupId, index, member } = before.value;
  if (member) return reporter.end({ status: 'already-listed', groupId, index });
  if (options.dryRun) {
    await print(host.stdout, dryRun(request, session.base, options.format));
    return exit.ok;
  }
  const submitted = await submit(session.client, request, groupId);
  if (submitted.state === 'accepted' || submitted.state === 'sent') {
    const { transaction } = submitted;
    const block = submitted.state === 'accepted' ? submitted.block : null;
    await reporter.note({ status: 'submitted', groupId, transaction, block });
  }
  const listed = await settle(submitted, single);
  if (listed?.place?.member === true)
    return reporter.end({ status: 'listed', groupId, index: listed.place.index, tookMs: listed.tookMs });
  const failure = failureOf(submitted, listed, single);
  if (failure === null) return reporter.end(null);
  const { state } = submitted;
  const isIn = state === 'accepted' || state === 'sent';
  return reporter.fail(isIn ? 'submitted' : state === 'failed' ? 'unknown' : state, failure);
}

/** Polls the list for as long as the outcome requires; null if there is nothing to poll for. */
async function settle(submitted: Submitted, single: Single): Promise<Listed | null> {
  const { request, options, wait, session } = single;
  const poll = (timeoutMs: number) =>
    awaitListing(session.client, request.id, request.commitment, { ...wait, timeoutMs });
  switch (submitted.state) {
    case 'accepted':
      if (submitted.proven) break;
      await session.say('the receipt names no member; polling the member list');
      return poll(options.wait ? wait.timeoutMs : 0);
    case 'sent':
      await session.say('the transaction is not in a block yet; polling the member list');
      break;
    case 'failed':
    case 'unknown':
      await session.say(
        `${sentenceOf(submitted.clientError, session)}; checking the member list whether it was accepted`,
      );
      return poll(wait.timeoutMs);
    case 'refused':
    case 'unsent':
      return null;
  }
  return options.wait ? poll(wait.timeoutMs) : null;
}

/** The error of a join that is not in the list; null with --no-wait. */
function failureOf(submitted: Submitted, listed: Listed | null, single: Single): KaiactlError | null {
  const { session, wait } = single;
  const check = checkNow(single.request, session.base);
  switch (submitted.state) {
    case 'refused':
      return clientErrorOf(submitted.clientError, session, [
        'Nothing was joined.',
        ...(submitted.clientError.code === 'LeafAlreadyExists' ? [check] : []),
      ]);
    case 'unsent': {
      const nothing = submitted.clientError.kind === 'unreachable' ? 'sent' : 'joined';
      return clientErrorOf(submitted.clientError, session, [`Nothing was ${nothing}.`]);
    }
    case 'failed':
    case 'unknown':
      return clientErrorOf(submitted.clientError, session, [
        'The join may have been accepted. Before you submit it again, check the list:',
        check,
      ]);
    case 'accepted':
      if (!submitted.proven) return unproven(submitted.transaction, check);
      return late('accepted', listed, wait.timeoutMs, check);
    case 'sent':
      return late(`sent in transaction ${submitted.transaction}`, listed, wait.timeoutMs, check);
  }
}

/** Exit 4: submitted, but not in the list before the timeout; null with --no-wait. */
function late(what: string, listed: Listed | null, timeoutMs: number, check: string): KaiactlError | null {
  if (listed === null) return null;
  const message = `${what}, but not listed within ${span(timeoutMs)}: check again later, do not submit again`;
  return new KaiactlError(message, { exitCode: exit.pending, notes: wallNote(listed), hint: check });
}

function unproven(transaction: string, check: string): KaiactlError {
  const why = `transaction ${transaction} holds no MemberAdded event of this commitment: nothing was joined`;
  const notes = ['The original API answers so when the address has no contract.'];
  return new KaiactlError(`the API answered success, but ${why}`, {
    exitCode: exit.unseen,
    notes,
    hint: check,
  });
}
