/** The names of the interfaces' flags, which changed with geth v1.9.14. */
import type { FlagSet, FlagUse } from '../kind.js';

/** Name → former name. Releases up to v1.10.8, for ws up to v1.9.25, take either. */
// biome-ignore format: a table, its lines filled by hand
export const formerNames: Readonly<Record<string, string>> = {
  http: 'rpc', 'http.addr': 'rpcaddr', 'http.port': 'rpcport', 'http.api': 'rpcapi',
  'http.corsdomain': 'rpccorsdomain', 'http.vhosts': 'rpcvhosts', 'ws.addr': 'wsaddr', 'ws.port': 'wsport',
  'ws.api': 'wsapi', 'ws.origins': 'wsorigins', 'pprof.addr': 'pprofaddr', 'pprof.port': 'pprofport',
};

/** Former name → name. */
export const laterNames: ReadonlyMap<string, string> = new Map(
  Object.entries(formerNames).map(([name, former]) => [former, name]),
);

/** The name that the flags of a release have for a flag of today; null if they have none. */
export function nameIn({ byName }: FlagSet, name: string): string | null {
  return byName.get(name)?.name ?? byName.get(formerNames[name] ?? '')?.name ?? null;
}

/** Whether a release takes a flag under both of its names. */
export function hasTwoNames({ byName }: FlagSet): boolean {
  return Object.entries(formerNames).some(([name, former]) => byName.get(name)?.aliases.includes(former));
}

/**
 * The uses that count where a flag is given under both names (cmd/utils/flags.go, setHTTP and setWS): those under the newer
 * name. http is on by the last use of either switch, and --rpc takes its address from --rpcaddr alone.
 */
export function countingUses<T extends FlagUse>(uses: readonly T[]): readonly T[] {
  const lastOf = (name: string) => {
    const all = uses.filter(({ written }) => written === name);
    return all.findLast(({ value }) => value !== null) ?? all.at(-1);
  };
  const isOn = (name: string) => lastOf(name)?.value === true;
  const address = isOn('rpc') ? 'rpcaddr' : 'http.addr';
  return uses.filter(({ flag: { name }, written, value }) => {
    if (name === 'http') return isOn(written) ? value === true : !(isOn('rpc') || isOn('http'));
    if (name === 'http.addr') return written === address;
    const isFormer = written === formerNames[name];
    return !isFormer || !uses.some((other) => other.flag.name === name && other.written === name);
  });
}
