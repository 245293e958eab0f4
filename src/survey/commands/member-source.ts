/** Where `survey members` reads from: the survey API, or the events of a Semaphore contract. */
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { once } from '../../util/once.js';
import { checkList, rooter, type Seen } from './member-list.js';
import type { MembersOptions } from './options/client.js';
import { expectOk, openSession, type Session } from './session.js';
import { milliseconds, parseAddress, parseBaseUrl, wholeNumber } from './values.js';

export type Options = MembersOptions & { readonly survey: string | undefined };

export type MemberSource = Awaited<ReturnType<typeof openSource>>;

/** @throws {KaiactlError} if the options do not select one list (exit 2) */
export async function openSource(options: Options, session: Pick<Session, 'say'>, host: Host) {
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
  const fetchList = async (whole: boolean) => expectOk(await session.client.members(survey, whole), session);
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
