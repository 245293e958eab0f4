/** kaiactl beside processes of its own, in namespaces that nothing else is in. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const kaiactl = fileURLToPath(new URL('../../bin/kaiactl.js', import.meta.url));
const namespaces = ['-p', '-f', '-n', '-m', '--mount-proc'];

/** False where the user may not make these namespaces: such tests are skipped. */
export const canIsolate =
  process.platform === 'linux' && spawnSync('unshare', [...namespaces, 'true']).status === 0;

/** A Node script that prints a line once it listens, run under the name of its first word. */
export interface Peer {
  readonly script: string;
  readonly words: readonly string[];
  /** True for a network namespace of its own, with loopback. */
  readonly isApart?: boolean;
}

export interface Isolation {
  readonly peers?: readonly Peer[];
  /** Addresses of the machine besides loopback, each with its prefix length. */
  readonly addresses?: readonly string[];
  /** A shell command that kaiactl's words are appended to; `; ` separates it from one before it. */
  readonly through?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function started({ script, words, isApart = false }: Peer): string {
  const [name = '', ...rest] = words;
  const run = `exec -a ${quoted(name)} ${[process.execPath, script, ...rest].map(quoted).join(' ')}`;
  const command = isApart ? `exec unshare -n bash --norc -c ${quoted(`ip link set lo up; ${run}`)}` : run;
  return `exec {out}< <(${command}); pids+=" $!"; read -r -u $out`;
}

/** Runs kaiactl with these words, and ends the peers after it. */
export function runIsolated(
  words: readonly string[],
  { peers = [], addresses = [], through = '', cwd = '/', env = {} }: Isolation = {},
) {
  const script = [
    'ip link set lo up',
    ...addresses.map((one) => `ip addr add ${one} dev lo${one.includes(':') ? ' nodad' : ''}`),
    ...peers.map(started),
    `${through} "$@"`,
    'code=$?; kill $pids 2>/dev/null; exit $code',
  ].join('\n');
  const command = [process.execPath, kaiactl, ...words];
  return spawnSync('unshare', [...namespaces, 'bash', '--norc', '-c', script, 'bash', ...command], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: '/nonexistent', ...env },
  });
}
