/** `kaiactl survey members`: lists a survey's group, and compares it with the contract on request. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { once } from '../../util/once.js';
import { groupDigits } from '../../util/words.js';
import { backoff } from '../client/pace.js';
import {
  checkList,
  countMembers,
  distrust,
  listing,
  removedNote,
  rooter,
  rows,
  type Seen,
  summary,
} from './member-list.js';
import type { MembersOptions } from './options/client.js';
import { clientErrorOf, notes, openSession, type Session } from './session.js';
import { commitment, milliseconds, parseAddress, parseBaseUrl, wholeNumber } from './values.js';

interface Call {
  readonly options: MembersOptions;
  readonly session: Pick<Session, 'say'>;
  readonly host: Host;
}

/** Prints members, a count or an answer. Exit 1: --contains finds no member, or the API refuses; 3: no trusted list. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const wanted =
    options.contains === undefined ? null : commitment(options.contains, '--contains is not a commitment');
  refuseCombinations(options);
  const session = notes(options, host);
  const source = await openSource(options, session, host);
  const call = { options, session, host };
  if (options.follow) return follow(source.read, call);
  const seen = await source.read();
  const disputed = seen.disagreements.length > 0;
  if (!disputed && wanted !== null) return answer(seen, wanted, source, call);
  if (!disputed) await session.say(summary(seen));
  if (!disputed || options.format === 'json') await print(host.stdout, listing(seen, options));
  if (disputed) throw distrust(seen);
  const note = lengthNote(seen);
  if (note !== null) await session.say(note);
  return exit.ok;
}

/** A note on lists whose length suggests that members are missing; null if verified or unsuspicious. */
function lengthNote({ list, verified, subject }: Seen): string | null {
  if (verified !== null || subject.survey === undefined) return null;
  if (list.members.length === 0)
    return 'note: the original API also sends an empty list while its source of members is down; check with --verify';
  if (countMembers(list) !== 100) return null;
  return 'note: exactly 100 members. The original API never lists more; check with --verify whether some are missing';
}

function refuseCombinations(options: MembersOptions): void {
  const refuse = (message: string, hint: string) => {
    throw new KaiactlError(message, { hint });
  };
  if (options.follow && options.format === 'json')
    refuse('--follow does not work with --format json, which is one document', 'Use --format ndjson.');
  if (options.follow && (options.count || options.contains !== undefined))
    refuse('--follow does not work with --count or --contains', 'Leave one of them out.');
  if (options.semaphore === undefined && (options.group ?? options.fromBlock) !== undefined)
    refuse('--group and --from-block need --semaphore', 'Give the address of the Semaphore contract.');
  if (options.verify && options.rpcUrl === undefined) {
    const hint = 'Give --rpc-url, KAIACTL_RPC_URL or rpc-url in a profile.';
    refuse('--verify needs a node of the survey’s chain', hint);
  }
}

/** Answers --contains: true or false on stdout, the position on stderr. --verify also asks the contract. */
async function answer(seen: Seen, commitment: string, source: MemberSource, call: Call): Promise<ExitCode> {
  const { options, session, host } = call;
  const at = seen.list.members.indexOf(commitment);
  const member = at !== -1;
  if (options.verify && (await source.hasMember(BigInt(commitment))) !== member) {
    const chain = member ? 'does not have' : 'has';
    throw distrust({ ...seen, disagreements: [`the contract ${chain} the member, unlike the list`] });
  }
  const { subject, verified } = seen;
  const { groupId } = seen.list;
  const json = { ...subject, groupId, commitment, member, index: member ? at : null, verified };
  const note = lengthNote(seen);
  await session.say(
    member
      ? `member ${at + 1} of ${seen.list.members.length}${removedNote(seen.list)}`
      : `not among ${summary(seen)}`,
  );
  if (!member && note !== null) await session.say(note);
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(json)}\n` : `${member}\n`);
  return member ? exit.ok : exit.failed;
}

/** Prints members as they appear; retries failed polls. @throws {KaiactlError} if the first poll fails */
async function follow(readList: () => Promise<Seen>, { options, session, host }: Call): Promise<ExitCode> {
  const interval = milliseconds(options.pollInterval, 'poll-interval');
  const pace = backoff(interval, interval * 15, host.signal);
  const show = printer({ options, session, host });
  let down = false;
  for (let first = true; !host.signal.aborted; first = false) {
    const seen = await readList().catch(async (error: unknown) => {
      if (first || !(error instanceof KaiactlError)) throw error;
      if (!down && !host.signal.aborted) await session.say(`${error.message}; trying again`);
      down = true;
      return null;
    });
    if (seen !== null) {
      if (seen.disagreements.length > 0) throw distrust(seen);
      if (first) await session.say(`${summary(seen)}; waiting for more`);
      // The reader closed the pipe, as `head` does.
      if (!(await show(seen.list.members))) return exit.ok;
      down = false;
      pace.reset();
    }
    await pace.wait();
  }
  return exit.interrupted;
}

/** Prints new members, and reports how many are gone. Resolves with false once the reader has closed stdout. */
function printer({ options: { format }, session, host }: Call) {
  let before: readonly string[] | null = null;
  // Keeps entries beyond a list that became shorter: a member that reappears is not printed again.
  const printed: string[] = [];
  return async (members: readonly string[]): Promise<boolean> => {
    if (members === before) return true;
    if (before === null && format === 'csv') await print(host.stdout, 'index,commitment\n');
    const gone = (before ?? []).filter((leaf, at) => leaf !== '0' && leaf !== members[at]).length;
    if (gone > 0) await session.say(missing(gone, members.length));
    const taken = await print(host.stdout, rows(members, format, printed));
    for (const [at, leaf] of members.entries()) printed[at] = leaf;
    before = members;
    return taken;
  };
}

function missing(gone: number, left: number): string {
  const outage = left === 0 ? ' (the original API also sends an empty list while its source is down)' : '';
  return `${groupDigits(gone)} of the printed members are not listed any more; the list has ${groupDigits(left)}${outage}`;
}

type Options = MembersOptions & { readonly survey: string | undefined };

type MemberSource = Awaited<ReturnType<typeof openSource>>;

/** The survey API, or the events of a contract. @throws {KaiactlError} if the options select no list (exit 2) */
async function openSource(options: Options, session: Pick<Session, 'say'>, host: Host) {
  const { survey, semaphore, quiet } = options;
  if ((survey === undefined) === (semaphore === undefined))
    throw new KaiactlError(
      survey === undefined
        ? 'neither a survey nor --semaphore is given'
        : '--semaphore reads a group without a survey',
      { hint: 'Give the address of a survey, or --semaphore and --group.' },
    );
  const from = await (semaphore === undefined
    ? ofSurvey(options, survey ?? '', session, host)
    : ofGroup(options, semaphore, host));
  const rootFor = rooter(host, from.key, quiet);
  const { subject } = from;
  const isRooted =
    options.root && options.format === 'json' && !options.count && options.contains === undefined;
  return {
    hasMember: from.hasMember,
    async read(): Promise<Seen> {
      if (options.verify) {
        const { list, root, disagreements } = await checkList(from.both, rootFor);
        return { subject, list, root, verified: disagreements.length === 0, disagreements };
      }
      const list = await from.list();
      const root = isRooted ? await rootFor(list) : null;
      return { subject, list, root, verified: null, disagreements: [] };
    },
  };
}

/** `key` identifies the list in the cache of roots. */
async function ofSurvey(options: Options, text: string, { say }: Pick<Session, 'say'>, host: Host) {
  const survey = parseAddress(text, 'the survey');
  const session = { ...openSession(options, host), say };
  const fetchList = async (whole: boolean) => {
    const result = await session.client.members(survey, whole);
    if (result.ok) return result.value;
    const error = clientErrorOf(result.clientError, session);
    if (options.contains === undefined) throw error;
    // Exit 1 would say that the list has no such member.
    const { message, notes, hint } = error;
    throw new KaiactlError(message, { exitCode: exit.unseen, notes, hint });
  };
  const rpc = options.verify ? parseBaseUrl(options.rpcUrl, 'rpc-url') : null;
  const reader = once(async () => {
    if (rpc === null) throw new Error('only --verify asks the contract');
    return (await import('../chain/verify.js')).chainReader(rpc, survey, host.signal);
  });
  return {
    subject: { survey },
    key: `${session.base.href} ${survey}`,
    list: () => fetchList(false),
    // The complete list is read: a part does not show changes before it.
    both: () => Promise.all([fetchList(true), reader().then((chain) => chain.group())]),
    hasMember: async (commitment: bigint) => (await reader()).hasMember(commitment),
  };
}

async function ofGroup(options: Options, address: string, host: Host) {
  const semaphore = parseAddress(address, 'the Semaphore contract');
  const url = parseBaseUrl(options.rpcUrl, 'rpc-url');
  const { group = '', fromBlock } = options;
  if (!/^(?:0|[1-9]\d{0,77})$/.test(group) || BigInt(group) >= 1n << 256n)
    throw new KaiactlError(
      group === '' ? '--semaphore needs --group' : '--group is not the id of a group, a decimal number',
    );
  const { anyGroup } = await import('../chain/verify.js');
  const place = { semaphore, groupId: BigInt(group) };
  const from = anyGroup(url, place, {
    fromBlock: fromBlock === undefined || fromBlock === '0' ? null : wholeNumber(fromBlock, 'from-block'),
    timeoutMs: milliseconds(options.requestTimeout, 'request-timeout'),
    signal: host.signal,
  });
  return { subject: { semaphore }, key: `${url.href} ${semaphore} events`, ...from };
}
