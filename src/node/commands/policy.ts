/** `kaiactl node policy list|make|check`: lists policies, makes one from a known-good node, checks and prints one. */
import { resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import { readPieces } from '../../input.js';
import { widthOf } from '../../terminal/capabilities.js';
import { fold } from '../../terminal/wrap.js';
import { maskUrls } from '../../util/mask-url.js';
import { shellWord } from '../../util/shell-word.js';
import { visible } from '../../util/visible.js';
import { sayIf } from '../../util/words.js';
import type { Facts } from '../facts/facts.js';
import { type Admitted, type Clause, type Policy, policyInterfaces } from '../facts/policy.js';
import { widest } from '../facts/reach.js';
import { gather } from '../gather.js';
import { liveOf } from '../judge/live/live.js';
import {
  declaredOffers,
  liveOffers,
  type Offer,
  type Offers,
  reportedOffers,
} from '../judge/policy/offers.js';
import { closed } from '../judge/policy/policy.js';
import { kinds } from '../kinds/index.js';
import { withKind } from '../kinds/node.js';
import { policies } from '../kinds/policies.js';
import { readConnection } from './connection.js';
import type { VerbOptions } from './options/verbs.js';
import { loadPolicy, policyText } from './policy-file.js';
import { machineOfHost } from './processes.js';
import { loadReport, wholeReport } from './saved-report.js';
import { readTargets } from './targets.js';

export type Options = VerbOptions<'policy'> & {
  readonly action: 'list' | 'make' | 'check';
  /** check: a built-in policy or a file. */
  readonly policy: string | undefined;
};

/**
 * make and check print a policy; list lists the built-in ones.
 * @throws {KaiactlError} on an invalid policy (exit 2), or when nothing of the node could be seen (exit 3)
 */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  if (options.action === 'make') return await make(options, host);
  if (options.from !== undefined)
    throw new KaiactlError(`--from is an option of make: ${options.action} has no use for it`);
  if (options.action === 'check') return await check(options.policy, host);
  if (options.policy !== undefined)
    throw new KaiactlError(`policy list takes no name: ${visible(options.policy, 200)}`, {
      hint: `kaiactl node policy check ${shellWord(options.policy, host.platform)} prints a policy.`,
    });
  return await list(host);
}

async function list(host: Host): Promise<ExitCode> {
  const width = widthOf(host.stdout, host);
  const rows = Object.values(policies).map(
    (one) => `${fold(`${one.name.padEnd(15)}${one.about}`, width, 15)}\n`,
  );
  await print(host.stdout, rows.join(''));
  return exit.ok;
}

async function check(name: string | undefined, host: Host): Promise<ExitCode> {
  if (name === undefined)
    throw new KaiactlError('policy check needs a policy', {
      hint: 'Give a file, or a name that kaiactl node policy list prints.',
    });
  await print(host.stdout, policyText(await loadPolicy(name, host), []));
  return exit.ok;
}

async function make(options: Options, host: Host): Promise<ExitCode> {
  const { from, name } = options;
  if (options.policy !== undefined || from === undefined)
    throw new KaiactlError('policy make needs --from', {
      hint: 'kaiactl node policy make --from kend.conf (or an endpoint, or a saved report)',
    });
  const all = await offersFrom(from, options, host);
  const [offers, blindSpots] = [all.flatMap((one) => one.offers), all.flatMap((one) => one.blindSpots)];
  if (offers.length === 0 && blindSpots.length > 0)
    throw new KaiactlError(`nothing of ${visible(from)} was seen: ${blindSpots[0]?.reason}`, {
      exitCode: exit.unseen,
      hint: 'Name an endpoint that answers, or a file of settings.',
    });
  const merged = sayIf(all.length > 1, `it allows whatever any of these ${all.length} nodes offers`);
  const blind = blindSpots.map(({ about, reason }) => `${about === null ? '' : `${about}: `}${reason}`);
  const notes = [
    `Limits of a node, made from ${maskUrls(from)} on ${new Date(host.now()).toISOString().slice(0, 10)}.`,
    'Use it with kaiactl node lint or audit --policy FILE. A node may be stricter.',
    `An interface without a section must be closed${merged.map((one) => `; ${one}`)}.`,
    ...blind.map((one) => `Not seen, and so not allowed: ${one}`),
  ];
  await print(host.stdout, policyText(policyOf(name ?? 'own', offers), notes));
  if (!options.quiet)
    for (const one of [...merged, ...new Set(blind.map((one) => `not seen: ${one}`))])
      await print(host.stderr, `kaiactl: ${visible(one)}\n`);
  return exit.ok;
}

async function offersFrom(from: string, options: Options, host: Host): Promise<Offers[]> {
  if (await isJson(resolve(host.cwd, from))) {
    const report = await wholeReport(await loadReport(from, host));
    return report.targets.map((one) => reportedOffers(one, kinds));
  }
  const { timeoutMs, options: connection } = readConnection(options, host.env);
  const machine = machineOfHost(host);
  const targets = await readTargets({ ...options, targets: [from] }, machine, host);
  const how = { connection, timeoutMs, depth: 'safe', machine, signal: host.signal } as const;
  const all: Offers[] = [];
  for (const target of targets) {
    const { name, role, conf } = target;
    const facts: Facts =
      conf === null
        ? await interruptible(host, () => gather(target, { ...how, now: () => host.now() }))
        : { name, role, conf, live: null, gatheredAt: new Date(host.now()).toISOString() };
    all.push(offersOf(facts));
  }
  return all;
}

function offersOf(facts: Facts): Offers {
  if (facts.conf !== null && facts.conf.state !== 'seen') throw new KaiactlError(facts.conf.detail);
  if (facts.conf !== null) return declaredOffers(withKind(kinds, facts.conf.value.settings));
  const live = liveOf(facts, kinds);
  return live === null ? { offers: [], blindSpots: [] } : liveOffers(live);
}

async function isJson(path: string): Promise<boolean> {
  const pieces = readPieces(path, { what: path, mib: 1 });
  const first = await pieces.next().catch(() => null);
  await pieces.return(undefined);
  return first !== null && first.done !== true && /^\s*\{/.test(first.value);
}

/** The strictest policy that allows all offers. */
function policyOf(name: string, offers: readonly Offer[]): Policy {
  const interfaces = policyInterfaces.flatMap((kind) => {
    const mine = offers.filter((offer) => offer.kind === kind);
    const isRare = policyInterfaces.indexOf(kind) > policyInterfaces.indexOf('pprof');
    if (kind === 'ipc' || (isRare && mine.length === 0)) return [];
    return [[kind, mine.length === 0 ? closed : clauseOf(kind, mine)] as const];
  });
  return { name, version: 1, about: '', interfaces: Object.fromEntries(interfaces) };
}

function clauseOf(kind: string, offers: readonly Offer[]): Clause {
  const own = <T>(value: T) => ({ value, says: null });
  const api = ['http', 'ws', 'grpc', 'https', 'socket'].includes(kind);
  const modules = [...new Set(offers.flatMap((offer) => offer.modules ?? []))].filter((one) => one !== 'rpc');
  const admitted = (any: (offer: Offer) => boolean | null): Admitted =>
    offers.some((offer) => any(offer) === true) ? 'any' : 'listed';
  return {
    ...(api ? { modules: own(modules.sort()) } : {}),
    reach: own(widest(offers.map(({ reach }) => reach)).reach),
    ...(kind === 'http' || kind === 'ws' ? { origins: own(admitted((one) => one.anyOrigin)) } : {}),
    ...(kind === 'http' ? { hosts: own(admitted((one) => one.anyHost)) } : {}),
    ...(modules.includes('debug')
      ? { 'unsafe-debug': own(offers.some((one) => one.unsafeDebugOff !== true) ? 'any' : 'disabled') }
      : {}),
  };
}
