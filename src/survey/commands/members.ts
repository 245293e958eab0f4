/** `kaiactl survey members`: lists a survey's group, and compares it with the contract on request. */

import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import type { ChainReader } from '../chain/verify.js';
import { parseAddress, parseBaseUrl } from '../client/target.js';
import { parseCommitment } from '../protocol/commitment.js';
import { follow } from './follow.js';
import { countMembers, listing, summary } from './listing.js';
import type { MembersOptions } from './options/members.js';
import { checkList, distrust, rooter, type Seen } from './root.js';
import { expectOk, openSession, type Session } from './session.js';

export type Options = MembersOptions & { readonly survey: string };

/** Prints members, a count or an answer. Exit 1: --contains finds no member; 3: the list cannot be trusted. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const survey = parseAddress(options.survey, 'the survey');
  const wanted = options.contains === undefined ? null : commitmentOf(options.contains);
  refuseCombinations(options);
  const session = openSession(options, host);
  const reader = options.verify ? await openReader(options, survey, host) : null;
  const readList = listReader(options, survey, session, host, reader);
  if (options.follow) return follow(readList, options, session, host);
  const seen = await readList();
  const disputed = seen.disagreements.length > 0;
  if (!disputed && wanted !== null) return answer(seen, wanted, options, session, host, reader);
  if (!disputed) await session.say(summary(seen));
  if (!disputed || options.format === 'json') await print(host.stdout, listing(seen, options));
  if (disputed) throw distrust(seen);
  const note = lengthNote(seen);
  if (note !== null) await session.say(note);
  return exit.ok;
}

/** A note on lists whose length suggests that members are missing; null if verified or unsuspicious. */
function lengthNote({ list, verified }: Seen): string | null {
  if (verified !== null) return null;
  if (list.members.length === 0) {
    return 'note: the original API also sends an empty list while its source of members is down; check with --verify';
  }
  if (countMembers(list) !== 100) return null;
  return 'note: exactly 100 members. The original API never lists more; check with --verify whether some are missing';
}

function commitmentOf(text: string): string {
  const parsed = parseCommitment(text);
  if (!parsed.ok) throw new KaiactlError(`--contains is not a commitment: ${parsed.why}`);
  return String(parsed.value);
}

function refuseCombinations(options: MembersOptions): void {
  const refuse = (message: string, hint: string) => {
    throw new KaiactlError(message, { hint });
  };
  if (options.follow && options.format === 'json') {
    refuse('--follow does not work with --format json, which is one document', 'Use --format ndjson.');
  }
  if (options.follow && (options.count || options.contains !== undefined)) {
    refuse('--follow does not work with --count or --contains', 'Leave one of them out.');
  }
  if (options.verify && options.rpcUrl === undefined) {
    refuse(
      '--verify needs a node of the survey’s chain',
      'Give --rpc-url, KAIACTL_RPC_URL or rpc-url in a profile.',
    );
  }
}

/** Reads the list, and computes and verifies its root as the options ask. */
function listReader(
  options: MembersOptions,
  survey: string,
  session: Session,
  host: Host,
  reader: ChainReader | null,
): () => Promise<Seen> {
  const rootFor = rooter(host, `${session.base.href} ${survey}`, options.quiet);
  // To compare with the contract, the complete list is read: a part does not show changes before it.
  const fetchList = async () => expectOk(await session.client.members(survey, reader !== null), session);
  if (reader !== null) {
    return async () => {
      const { list, root, disagreements } = await checkList(fetchList, rootFor, reader);
      return { survey, list, root, verified: disagreements.length === 0, disagreements };
    };
  }
  const rooted =
    options.root && options.format === 'json' && !options.count && options.contains === undefined;
  return async () => {
    const list = await fetchList();
    const root = rooted ? await rootFor(list) : null;
    return { survey, list, root, verified: null, disagreements: [] };
  };
}

async function openReader(options: MembersOptions, survey: string, host: Host): Promise<ChainReader> {
  const rpc = parseBaseUrl(options.rpcUrl, 'rpc-url');
  const { chainReader } = await import('../chain/verify.js');
  return chainReader(rpc, survey, host.signal);
}

/** Answers --contains: true or false on stdout, the position on stderr. --verify also asks the contract. */
async function answer(
  seen: Seen,
  commitment: string,
  options: MembersOptions,
  session: Session,
  host: Host,
  reader: ChainReader | null,
): Promise<ExitCode> {
  const at = seen.list.members.indexOf(commitment);
  const member = at !== -1;
  if (reader !== null && (await reader.hasMember(BigInt(commitment))) !== member) {
    const chain = member ? 'does not have' : 'has';
    throw distrust({ ...seen, disagreements: [`the contract ${chain} the member, unlike the list`] });
  }
  const { survey, verified } = seen;
  const json = {
    survey,
    groupId: seen.list.groupId,
    commitment,
    member,
    index: member ? at : null,
    verified,
  };
  const note = lengthNote(seen);
  await session.say(member ? `member ${at + 1} of ${countMembers(seen.list)}` : `not among ${summary(seen)}`);
  if (!member && note !== null) await session.say(note);
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(json)}\n` : `${member}\n`);
  return member ? exit.ok : exit.failed;
}
