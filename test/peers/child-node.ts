/** A child process named `ken` that listens where a test says; ended by closeChildren. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./child-node.mjs', import.meta.url));
const simulator = fileURLToPath(new URL('./child-simulated.mjs', import.meta.url));
const proxy = fileURLToPath(new URL('./docker-proxy.mjs', import.meta.url));
const children = new Set<ChildProcess>();

export interface ChildNode {
  readonly pid: number;
  /** In the order of `listen`, then of `profiler`. */
  readonly ports: readonly number[];
}

interface NodeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly modules?: string;
  readonly unshare?: string;
  readonly within?: number;
  readonly uid?: number;
  readonly profiler?: readonly string[];
  readonly ipc?: readonly string[];
  readonly unlocked?: readonly string[];
}

/**
 * Starts one; `listen` are `host:port`, port 0 for a free one; `words` are flags as the node's command line has them.
 * `profiler` are further addresses, which serve Go's profiler; `ipc` are paths of sockets, which tell that the accounts
 * `unlocked` are; `uid` is the user that it runs as; `unshare` are options of
 * unshare for namespaces of its own, in which it has the address 172.31.99.2; `within` is a process, whose network it shares.
 */
export async function childNode(
  listen: readonly string[],
  words: readonly string[] = [],
  { env = {}, modules = 'kaia,net,web3', unshare = '', within, uid = -1, ...more }: NodeOptions = {},
): Promise<ChildNode> {
  const { profiler = [], ipc = [], unlocked = [] } = more;
  const addresses = Object.entries({ listen, profiler, ipc, unlocked }).flatMap(([name, all]) =>
    all.map((one) => `${name}=${one}`),
  );
  const own = [script, ...addresses, `modules=${modules}`];
  const up = 'ip link set lo up 2>/dev/null || ifconfig lo up; ip addr add 172.31.99.2/32 dev lo 2>/dev/null';
  const named = 'exec -a ken "$0" "$@"';
  const [entered, start] =
    within === undefined
      ? [unshare === '' ? [] : ['unshare', ...unshare.split(' ')], `${up}; ${named}`]
      : [['nsenter', '-t', `${within}`, '-n', ...(uid < 0 ? [] : ['-S', `${uid}`, '-G', `${uid}`])], named];
  const [program = process.execPath, ...options] = entered;
  const inside = entered.length === 0 ? [] : [...options, 'bash', '-c', start, process.execPath];
  const child = spawn(program, [...inside, ...own, ...words], {
    ...(entered.length === 0 ? { argv0: 'ken' } : {}),
    ...(uid < 0 || within !== undefined ? {} : { uid }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return await ready(child);
}

/** Starts one that runs the project's own simulator of a conf; `words` are flags as the node's command line has them. */
export async function simulatedChild(
  conf: string,
  words: readonly string[],
  argv0 = 'ken',
): Promise<{ readonly pid: number }> {
  const child = spawn(process.execPath, [simulator, ...words], {
    argv0,
    env: { ...process.env, SIMULATED_CONF: conf },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { pid: (await ready(child)).pid };
}

/** Starts a docker-proxy that forwards `host:port` of this machine to port 8551 of the node at this Unix socket. */
export async function dockerProxy(socket: string, host: string, port: number): Promise<void> {
  const words = ['-proto', 'tcp', '-host-ip', host, '-host-port', `${port}`];
  const to = ['-container-ip', '172.31.99.2', '-container-port', '8551'];
  await ready(
    spawn(process.execPath, [proxy, socket, ...words, ...to], {
      argv0: 'docker-proxy',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
}

async function ready(child: ChildProcessByStdio<null, Readable, null>): Promise<ChildNode> {
  children.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    return { pid: child.pid ?? 0, ports: JSON.parse(line) };
  }
  throw new Error('the child ended before it listened');
}

/** Ends every child a test left: call it in afterEach. */
export async function closeChildren(): Promise<void> {
  const running = [...children].filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null);
  const gone = running.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running) child.kill('SIGKILL');
  children.clear();
  await Promise.all(gone);
}
