/** The programs the snippets are for: each checks a snippet as its package's comment says, in a folder of its own. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nginx, njs, scriptPath } from '../../../src/node/harden/nginx.js';
import type { Plan } from '../../../src/node/harden/plan.js';
import { freePort } from '../../peers/free-port.js';
import { installed } from '../report/tools.js';

const modulePath = '/usr/lib/nginx/modules/ngx_http_js_module.so';
export const hasNginx = installed('nginx', 'the nginx snippet') && hasModule();
export const hasCaddy = installed('caddy', 'the Caddy snippet');
export const hasNft = installed('nft', 'the nftables snippet');
export const hasSystemd = installed('systemd-analyze', 'the systemd snippet');

function hasModule(): boolean {
  const there = existsSync(modulePath);
  if (!there)
    process.stderr.write('libnginx-mod-http-js is not installed: the nginx snippet is not tested\n');
  return there;
}

/** A folder that others may read, since workers run as somebody else. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'kaiactl-harden-'));
  chmodSync(made, 0o755);
  return made;
}

/** What a program said against the text; null: nothing. */
function complaint(program: string, words: readonly string[]): string | null {
  const { status, stderr, stdout, error } = spawnSync(program, words, { encoding: 'utf8' });
  return status === 0 ? null : `${program} ${status ?? error?.message}: ${stderr}${stdout}`;
}

/** The configuration that takes the nginx snippet in, listening on a free port of loopback. */
function nginxFolder(plan: Plan, port: number): { dir: string; conf: string } {
  const dir = folder();
  const script = join(dir, 'kaia-rpc.js');
  writeFileSync(script, njs(plan));
  const text = nginx(plan)
    .replaceAll(scriptPath, script)
    .replace('listen 80', `listen 127.0.0.1:${port}`)
    .replace(/^ *listen \[::\]:80.*\n/m, '');
  writeFileSync(join(dir, 'kaia.conf'), text);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(dir, name));
    return `${name}_temp_path ${join(dir, name)};`;
  });
  const conf = join(dir, 'nginx.conf');
  writeFileSync(
    conf,
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `load_module ${modulePath};`,
      `pid ${join(dir, 'pid')};`,
      `error_log ${join(dir, 'error.log')};`,
      'worker_processes 1;',
      'events {}',
      `http { access_log off; ${places.join(' ')} include ${join(dir, 'kaia.conf')}; }`,
    ].join('\n'),
  );
  return { dir, conf };
}

/**
 * The nginx of the package with its own configuration and default site, and the snippet in conf.d; it listens on a free
 * port of loopback in place of 80. null: what `nginx -t` accepts; else its complaint.
 */
export async function startPackagedNginx(
  plan: Plan,
  { isSiteRemoved }: { readonly isSiteRemoved: boolean },
): Promise<RunningProxy | string> {
  const port = await freePort();
  const { dir } = nginxFolder(plan, port);
  const moved = (text: string) =>
    text
      .replaceAll('/etc/nginx/', `${dir}/etc/`)
      .replaceAll(/^\s*listen \[::\]:80.*\n/gm, '')
      .replaceAll('listen 80', `listen 127.0.0.1:${port}`);
  cpSync('/etc/nginx', join(dir, 'etc'), { recursive: true, dereference: true });
  for (const name of ['sites-enabled', 'modules-enabled'])
    rmSync(join(dir, 'etc', name), { recursive: true });
  mkdirSync(join(dir, 'etc/sites-enabled'));
  writeFileSync(
    join(dir, 'etc/conf.d/kaia.conf'),
    moved(nginx(plan).replaceAll(scriptPath, join(dir, 'kaia-rpc.js'))),
  );
  if (!isSiteRemoved)
    writeFileSync(
      join(dir, 'etc/sites-enabled/default'),
      moved(readFileSync('/etc/nginx/sites-available/default', 'utf8')),
    );
  const own = moved(readFileSync('/etc/nginx/nginx.conf', 'utf8'))
    .replace(/^user .*$/m, process.getuid?.() === 0 ? 'user root;' : '')
    .replace(/^pid .*$/m, `pid ${join(dir, 'pid')};\nload_module ${modulePath};`)
    .replaceAll('/var/log/nginx', dir);
  writeFileSync(join(dir, 'etc/nginx.conf'), own);
  const words = ['-e', join(dir, 'error.log'), '-c', join(dir, 'etc/nginx.conf')];
  const said = complaint('nginx', ['-t', ...words]);
  if (said !== null) {
    rmSync(dir, { recursive: true });
    return said;
  }
  return runNginx(port, dir, words);
}

export async function nginxComplaint(plan: Plan): Promise<string | null> {
  const { dir, conf } = nginxFolder(plan, await freePort());
  const said = complaint('nginx', ['-t', '-e', join(dir, 'error.log'), '-c', conf]);
  rmSync(dir, { recursive: true });
  return said;
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** nginx returns once it listens. */
export async function startNginx(plan: Plan): Promise<RunningProxy> {
  const port = await freePort();
  const { dir, conf } = nginxFolder(plan, port);
  return runNginx(port, dir, ['-e', join(dir, 'error.log'), '-c', conf]);
}

function runNginx(port: number, dir: string, words: readonly string[]): RunningProxy {
  execFileSync('nginx', words);
  return {
    port,
    stop: async () => {
      execFileSync('nginx', [...words, '-s', 'stop']);
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function caddyComplaint(text: string): string | null {
  return withFile('Caddyfile', text, (path) => complaint('caddy', ['validate', '--config', path]));
}

/** Caddy says in its log when it serves. `text` serves `:80`. */
export async function startCaddy(text: string): Promise<RunningProxy> {
  const port = await freePort();
  const dir = folder();
  const path = join(dir, 'Caddyfile');
  const here = text.replace(/^:80 \{$/m, `:${port} {\n\tbind 127.0.0.1`);
  writeFileSync(path, `{\n\tadmin off\n\tauto_https off\n}\n${here}`);
  const child = spawn('caddy', ['run', '--config', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(child.stderr)) if (line.includes('serving initial')) break;
  child.stderr.resume();
  return {
    port,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(dir, { recursive: true });
    },
  };
}

/** In a network namespace of its own where that is allowed: nft asks the kernel even to check. */
export function nftComplaint(text: string): string | null {
  return withFile('kaia.nft', text, (path) => complaint('unshare', ['-rn', 'nft', '-c', '-f', path]));
}

/** Whether nft can check anything here. */
export function nftWorks(): boolean {
  const works = hasNft && nftComplaint('add table inet probe\n') === null;
  if (hasNft && !works) process.stderr.write('nft may not ask the kernel here: its snippet is not tested\n');
  return works;
}

/** The drop-in beside a unit, both checked; systemd names unknown or bad lines and goes on. */
export function systemdComplaint(text: string): string | null {
  const dir = folder();
  const unit = join(dir, 'kaia-harden-test.service');
  mkdirSync(`${unit}.d`);
  writeFileSync(unit, '[Service]\nExecStart=/bin/true\n');
  writeFileSync(join(`${unit}.d`, 'harden.conf'), text);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  rmSync(dir, { recursive: true });
  const about = stderr.split('\n').filter((line) => line.includes('kaia-harden-test'));
  return status === 0 && about.length === 0 ? null : `${status}: ${stderr}`;
}

function withFile<T>(name: string, text: string, use: (path: string) => T): T {
  const dir = folder();
  const path = join(dir, name);
  writeFileSync(path, text);
  try {
    return use(path);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
