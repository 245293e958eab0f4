/** Processor time of processes of their own, on each Node at hand, interleaved: other work on the machine disturbs it little. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { interleaved } from './bench.js';

export interface Node {
  /** `Node 20`. */
  readonly name: string;
  readonly program: string;
}

const cached = 'node_modules/.cache/kaiactl/node_modules';

/** The Node that runs this, and those that `npm run test:node` fetched. */
export const nodes: readonly Node[] = [
  { name: `Node ${process.versions.node.split('.')[0]}`, program: process.execPath },
  ...[22, 24].map((major) => ({ name: `Node ${major}`, program: `${cached}/node${major}/bin/node` })),
].filter(({ program }) => existsSync(program));

/** Milliseconds of processor of all threads of a command, as bash tells them. */
export function processorMs(command: readonly string[], cache: string): number {
  // Where it is set, it costs every start of Node as much as all of ours.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const timed = ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null 2> /dev/null', 'bash', ...command];
  const { stderr } = spawnSync('bash', timed, {
    encoding: 'utf8',
    env: { ...env, LC_ALL: 'C', XDG_CACHE_HOME: cache },
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(/\s+/).map(Number);
  return 1000 * (user + system);
}

/** Medians by name of the processor time of commands that run in turn, after a round that does not count. */
export function compared<Name extends string>(
  rounds: number,
  cache: string,
  commands: Readonly<Record<Name, readonly string[]>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(commands) as Name[];
  const runs = names.map((name) => [name, async () => processorMs(commands[name], cache)] as const);
  return interleaved(rounds, Object.fromEntries(runs) as Record<Name, () => Promise<number>>);
}
