/** `kaiactl survey members`: lists a survey's group, and compares it with the contract on request. */

import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { parseCommitment } from '../protocol/commitment.js';
import { follow } from './follow.js';
import { countMembers, listing, summary } from './listing.js';
import { type MemberSource, type Options, openSource } from './member-source.js';
import type { MembersOptions } from './options/members.js';
import { distrust, type Seen } from './root.js';
import { notes, type Session } from './session.js';

/** Prints members, a count or an answer. Exit 1: --contains finds no member; 3: the list cannot be trusted. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const wanted = options.contains === undefined ? null : commitmentOf(options.contains);
  refuseCombinations(options);
  const session = notes(options, host);
  const source = await openSource(options, session, host);
  if (options.follow) return follow(source.read, options, session, host);
  const seen = await source.read();
  const disputed = seen.disagreements.length > 0;
  if (!disputed && wanted !== null) return answer(seen, wanted, options, session, host, source);
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
  if (options.semaphore === undefined && (options.group ?? options.fromBlock) !== undefined) {
    refuse('--group and --from-block need --semaphore', 'Give the address of the Semaphore contract.');
  }
  if (options.verify && options.rpcUrl === undefined) {
    refuse(
      '--verify needs a node of the survey’s chain',
      'Give --rpc-url, KAIACTL_RPC_URL or rpc-url in a profile.',
    );
  }
}

/** Answers --contains: true or false on stdout, the position on stderr. --verify also asks the contract. */
async function answer(
  seen: Seen,
  commitment: string,
  options: MembersOptions,
  session: Pick<Session, 'say'>,
  host: Host,
  source: MemberSource,
): Promise<ExitCode> {
  const at = seen.list.members.indexOf(commitment);
  const member = at !== -1;
  if (options.verify && (await source.hasMember(BigInt(commitment))) !== member) {
    const chain = member ? 'does not have' : 'has';
    throw distrust({ ...seen, disagreements: [`the contract ${chain} the member, unlike the list`] });
  }
  const { subject, verified } = seen;
  const json = {
    ...subject,
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
