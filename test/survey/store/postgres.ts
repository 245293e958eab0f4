/** Debian's PostgreSQL, started in a new folder on a unix socket, by a user other than root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const base = '/usr/lib/postgresql';
const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
const bin = versions
  .map((version) => join(base, version, 'bin'))
  .find((path) => existsSync(join(path, 'postgres')));

const isRoot = process.getuid?.() === 0;

/** The user of the server: initdb refuses root. */
function runner(): { uid: number; gid: number } | null {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }).toString());
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

const user = isRoot ? runner() : null;

/** Why tests that need it are skipped, or null. */
export const noPostgres =
  bin === undefined
    ? 'PostgreSQL is not installed (apt-get install postgresql)'
    : isRoot && user === null
      ? 'there is no user postgres to run it as'
      : null;

// Where CI requires it, its absence fails the tests instead of skipping them.
if (noPostgres !== null && process.env.KAIACTL_TEST_REQUIRE === 'postgresql') throw new Error(noPostgres);

/** The same of the tests that `npm run test:postgres` runs; all others need it for what only PostgreSQL does. */
export const notOnPostgres =
  process.env.KAIACTL_TEST_POSTGRES === undefined ? 'npm run test:postgres runs it' : noPostgres;

export interface Cluster {
  /** Creates an empty database and returns its URL. */
  database(): string;
  /** The text of pg_dump. */
  dump(url: string): string;
  /** Runs a dump with psql, in an empty database. */
  restore(url: string, dump: string): void;
  /** With -9, unless it is another signal. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A new folder of the server's user. */
function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-pg-'));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o755);
  return { folder, as: { ...(user ?? {}), stdio: 'pipe' as const, cwd: folder } };
}

type Own = ReturnType<typeof ownFolder>;

function initialise(programs: string, { folder, as }: Own): string {
  const data = join(folder, 'data');
  const words = ['-D', data, '-U', 'survey', '-A', 'trust', '-N', '--no-instructions'];
  execFileSync(join(programs, 'initdb'), words, as);
  return data;
}

/** A new empty cluster. Tests copy one that is made once in a run: their folder for temporary files is their own. */
function emptyCluster(programs: string, own: Own): string {
  if (process.env.VITEST === undefined) return initialise(programs, own);
  const shared = join(tmpdir(), 'kaiactl-pg-empty');
  if (!existsSync(shared)) {
    const made = ownFolder();
    initialise(programs, made);
    try {
      renameSync(made.folder, shared);
    } catch {
      // Another worker was faster.
      rmSync(made.folder, { recursive: true });
    }
  }
  const data = join(own.folder, 'data');
  execFileSync('cp', ['-a', join(shared, 'data'), data], own.as);
  return data;
}

/**
 * Starts a cluster; the caller stops it.
 * @param settings more settings; `fsync` is off: its data survives a kill of the process, but not of the machine
 */
export async function startPostgres(...settings: readonly string[]): Promise<Cluster> {
  if (bin === undefined) throw new Error(noPostgres ?? '');
  const own = ownFolder();
  const { folder, as } = own;
  const data = emptyCluster(bin, own);
  let child: ChildProcess | null = null;
  let count = 0;
  const sql = (text: string) =>
    execFileSync(join(bin, 'psql'), ['-h', folder, '-U', 'survey', '-d', 'postgres', '-qc', text], as);
  /** Null once it accepts connections; its log if it ended instead. */
  const run = (): Promise<string | null> => {
    const all = ['listen_addresses=', 'max_connections=100', 'fsync=off', ...settings];
    const words = ['-D', data, '-k', folder, ...all.flatMap((setting) => ['-c', setting])];
    const started = spawn(join(bin, 'postgres'), words, as);
    child = started;
    let log = '';
    return new Promise((resolve) => {
      started.stderr.on('data', (chunk) => {
        log += String(chunk);
        if (/ready to accept connections/.test(log)) resolve(null);
      });
      started.once('exit', () => resolve(log));
    });
  };
  const cluster: Cluster = {
    database() {
      count += 1;
      sql(`CREATE DATABASE survey_${count}`);
      return `postgres://survey@/survey_${count}?host=${encodeURIComponent(folder)}`;
    },
    dump: (url) => execFileSync(join(bin, 'pg_dump'), [url], { ...as, maxBuffer: 1 << 26 }).toString(),
    restore(url, dump) {
      const words = ['--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', url];
      execFileSync(join(bin, 'psql'), words, { ...as, input: dump });
    },
    async start() {
      // The children of a killed server end a little later; until then its shared memory is in use.
      for (let tries = 0; ; tries++) {
        const problem = await run();
        if (problem === null) return;
        if (tries === 200 || !/still in use/.test(problem)) throw new Error(`postgres ended: ${problem}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async kill(signal = 'SIGKILL') {
      const ending = child;
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
      const gone = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill(signal);
      await gone;
    },
    async stop() {
      await cluster.kill('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}
