/** The rules of firewalls in force in the network namespace of a process, as the machine's programs list them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { RulesInForce } from '../../facts/firewall.js';
import { seenValue } from '../../facts/seen.js';
import { readCapped, readLink, readText, userOf } from './proc.js';
import type { ProcPlace } from './sockets.js';

/** The first namespace of processes (include/linux/proc_ns.h, PROC_PID_INIT_INO): its process 1 is the machine's. */
const firstProcesses = 'pid:[4026531836]';

/** The tables of iptables that are no rules of nft, by the file that names those in use, and the program that lists them. */
const legacy = [
  ['ip_tables_names', 'iptables-legacy'],
  ['ip6_tables_names', 'ip6tables-legacy'],
] as const;

/** Programs that show what may change or divert packets before these rules, and what they then show. */
const diversions = [
  [['tc', 'qdisc', 'show'], /\b(?:clsact|ingress)\b/],
  [['ip', '-o', 'link', 'show'], /\bxdp/],
] as const;

/** What a program prints; null if it is missing, fails, warns or takes too long. */
export type List = (words: readonly string[]) => Promise<string | null>;

/** The network namespace of a process; null if it cannot be read. */
export function networkOf(pid: number | 'self', proc: string): string | null {
  return seenValue(readLink(join(proc, String(pid), 'ns', 'net')));
}

/** Returns null if they are not all listed, or something else may let packets through. Changes no rule. */
export async function rulesInForce(
  pid: number,
  { proc, platform }: ProcPlace,
  list: List = runLister,
): Promise<RulesInForce | null> {
  const folder = join(proc, String(pid));
  const [its, ours, first] = ([pid, 'self', 1] as const).map((one) => networkOf(one, proc));
  if (platform !== 'linux' || userOf(join(proc, 'self')) !== '0' || its == null) return null;
  const programs = legacyIn(folder);
  const hasVirtualServers = /^(?:TCP|FWM)/m.test(readText(join(folder, 'net', 'ip_vs'), 1 << 16));
  if (programs === null || hasVirtualServers) return null;
  const enter = its === ours ? [] : ['nsenter', `--net=${join(folder, 'ns', 'net')}`];
  const asked = [['nft', 'list', 'ruleset'], ...programs.map((one) => [`${one}-save`])];
  const [shown, texts] = await Promise.all([
    Promise.all(diversions.map(([words]) => list([...enter, ...words]))),
    Promise.all(asked.map((words) => list([...enter, ...words]))),
  ]);
  if (shown.some((text, at) => text === null || diversions[at]?.[1].test(text))) return null;
  const names = ['nft', ...programs];
  const dumps = texts.flatMap((text, at) => (text === null ? [] : { program: names[at] ?? '', text }));
  if (dumps.length < asked.length) return null;
  const processes = seenValue(readLink(join(proc, 'self', 'ns', 'pid')));
  return { isMachine: its === first && processes === firstProcesses, dumps };
}

/** The programs that list the tables of iptables in use; null if it cannot be read whether there are any. */
function legacyIn(folder: string): string[] | null {
  const used = legacy.map(([file, program]) => {
    const names = readCapped(join(folder, 'net', file), 1 << 16);
    if (names.state === 'seen') return names.value.length === 0 ? '' : program;
    return names.code === 'not-found' ? '' : null;
  });
  const known = used.filter((one) => one !== null);
  return known.length < used.length ? null : known.filter((one) => one !== '');
}

/** Without the user’s environment, in which other programs may have these names. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** At most 8 MiB. */
export function runLister(
  [program = '', ...words]: readonly string[],
  timeout = 5_000,
): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, words, { env, timeout, maxBuffer: 8 << 20 }, (error, text, warnings) =>
      resolve(error === null && harmless.test(warnings) ? text : null),
    );
  });
}

/** nft names the tables that iptables made. */
const harmless = /^(?:# Warning: .*\n?)*$/;
