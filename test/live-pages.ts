/** What docs/watch.md and docs/audit.md show of nodes that change: a block ```text NAME holds what a scene printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds } from '../src/node/kinds/index.js';
import { simulateShape } from '../src/node/simulator/node.js';
import { run } from './cli/run.js';
import { childNode, closeChildren } from './peers/child-node.js';
import { freePort } from './peers/free-port.js';
import { renamedKen } from './peers/go-program.js';
import { collector } from './peers/outcome.js';
import { quietShape } from './peers/shape.js';
import { probing, steppedWatch } from './peers/stepped-watch.js';

/** The name of a block → what a scene printed. */
type Blocks = Readonly<Record<string, string>>;

/** Path in the repository → generator; the processes and sockets of the scenes are those of Linux. */
export const livePages: Readonly<Record<string, () => Promise<string>>> =
  process.platform === 'linux'
    ? {
        'docs/watch.md': () => filled('docs/watch.md', watchScenes),
        'docs/audit.md': async () => withProbes(await filled('docs/audit.md', auditScenes)),
      }
    : {};

/** The page with its blocks, unless only white space differs: a process id has another length on each machine. */
async function filled(path: string, scenes: (folder: string) => Promise<Blocks>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-page-'));
  try {
    const blocks = await scenes(folder);
    const page = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    return page.replace(/^```text (\w+)\n([\s\S]*?)^```$/gm, (whole, name: string, before: string) => {
      const text = blocks[name] ?? `${path} names no scene ${name}`;
      return words(before) === words(text) ? whole : `\`\`\`text ${name}\n${text.trimEnd()}\n\`\`\``;
    });
  } finally {
    await closeChildren();
    rmSync(folder, { recursive: true });
  }
}

/** The page with its table of the existence probes by client. */
function withProbes(page: string): string {
  const rows = kinds.map(({ id, programs, probes }) => {
    const { unsafeDebug, namespaces, otherHalf, parameterMethods } = probes;
    const refused = [unsafeDebug?.stays, ...(unsafeDebug?.moved ?? []), ...namespaces, otherHalf];
    const [params, methods] = probes.refusesNamedParameters ? ['{}', refused] : ['[]', parameterMethods];
    const code = (names: readonly (string | null | undefined)[]) =>
      [...new Set(names)].flatMap((name) => (name == null ? [] : [`\`${name}\``])).join(' ');
    return `| ${id} | ${code(programs)} | \`${params}\` | ${code(methods)} |`;
  });
  const table = [
    '| client | its programs | parameters | methods |',
    '|---|---|---|---|',
    ...rows,
    '| any other | | none is sent | |',
  ];
  return page.replace(/(?<=<!-- probes by client -->\n)(?:\|.*\n)*/, `${table.join('\n')}\n`);
}

function words(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** The text with the same times, process ids, ports and paths on every machine. */
function steady(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .reduce((all, [value, shown]) => all.replaceAll(new RegExp(`(?<!\\w)${value}(?!\\w)`, 'g'), shown), text)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-02-11T00:00:00.000Z');
}

/** A process id where the text calls it one: the year of a time may be the same number. */
const pid = (id: number | string | undefined) => `(?<=(?:pid|[Pp]rocess|-t)[:\\s]+)${id}`;

const account = '0x71562b71999873db5b286df957af199ec94617f7';
const withoutInterfaces = { ...quietShape, http: null, ws: null };
const withPersonal = {
  ...withoutInterfaces,
  http: { ...quietShape.http, modules: ['eth', 'personal', 'rpc'] } as typeof quietShape.http,
};

/** The rounds of a watch, between which a node and the inventory change. */
async function watchScenes(folder: string): Promise<Blocks> {
  const ipc = join(folder, 'klay.ipc');
  const inventory = join(folder, 'nodes.ini');
  const list = (...more: string[]) =>
    writeFileSync(inventory, ['[cn-1]', `ipc = ${ipc}`, ...more, ''].join('\n'));
  list();
  let node = await simulateShape(withoutInterfaces, { ipc });
  const restart = async (...start: Parameters<typeof simulateShape>) => {
    await node.close();
    node = await simulateShape(...start);
  };
  const wide = () => {
    const { stream, text } = collector();
    return { stream: Object.assign(stream, { columns: 200 }), text };
  };
  const start = () => steppedWatch(['--inventory', inventory, '--state', 'state.json'], folder, wide);
  const watch = start();
  let at = 0;
  const shown = (text: string) =>
    steady(text, {
      [ipc]: '/var/kcnd/data/klay.ipc',
      [folder]: '/etc/kaiactl',
      [/:(\d+)/.exec(node.http ?? '')?.[1] ?? 'none']: '18551',
    });
  const round = async () => {
    await watch.round();
    const text = watch.out().slice(at);
    at += text.length;
    return shown(text);
  };
  const begins = await round();
  await restart(withoutInterfaces, { ipc, unlocked: [account] });
  const unlocked = await round();
  await restart(withPersonal, { ipc, unlocked: [account], freePorts: true });
  list(`rpc = ${node.http}`, '[en-1]', 'rpc = http://127.0.0.1:1');
  const opened = await round();
  writeFileSync(inventory, '[cn-1');
  const unread = await round();
  await watch.stop();
  list();
  const next = start();
  await next.round();
  const away = shown(next.out());
  await next.stop();
  await node.close();
  const probe = await probeOf(folder);
  return { begins, unlocked, opened, unread, away, probe, restarted: await restartOf(folder, wide) };
}

/** What a watch answers to a request for a node that lists personal, without comments. */
async function probeOf(folder: string): Promise<string> {
  const node = await simulateShape(withPersonal, { ipc: join(folder, 'probe.ipc'), freePorts: true });
  writeFileSync(join(folder, 'fleet.ini'), `[en-1]\nrole = public-en\nrpc = ${node.http}\n`);
  const { url, stop } = await probing(['--inventory', 'fleet.ini'], folder);
  const text = await (await fetch(`${url}/probe?target=en-1&policy=internal-en`)).text();
  await stop();
  await node.close();
  return text
    .replace(/^(?:#.*)?\n/gm, '')
    .replace(/(_duration_seconds) \S+/, '$1 0.048')
    .replace(/(_timestamp_seconds) \S+/, '$1 1770768000.123')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8551');
}

/** What a watch of this machine says of a node that is down for one round. Other nodes may come and go. */
async function restartOf(folder: string, sink: typeof collector): Promise<string> {
  const data = join(folder, 'data');
  const port = await freePort();
  const words = ['--rpc', '--rpcport', `${port}`, '--datadir', data, '--ipcdisable'];
  const first = await childNode([`127.0.0.1:${port}`], words);
  const watch = steppedWatch([], folder, sink);
  await watch.round();
  await closeChildren();
  await watch.round();
  const second = await childNode([`127.0.0.1:${port}`], words);
  await watch.round();
  await watch.stop();
  const blocks = watch.out().split('\n\n');
  const own = blocks
    .map((one) => one.replace(/^\d{4}-\S+Z\n/, ''))
    .filter((one) => one.startsWith(`ken ${data} ·`));
  await closeChildren();
  const values = { [data]: '/var/kend/data', [pid(first.pid)]: '4711', [pid(second.pid)]: '5022' };
  return steady(own.map((one) => `2026-02-11T00:00:00.000Z\n${one}`).join('\n\n'), values);
}

/** An audit of three nodes, one of which lists personal. */
async function threeNodes(
  values: Record<string, string>,
  audit: (...argv: string[]) => Promise<string>,
): Promise<string> {
  const pids: string[] = [];
  for (const [at, modules] of ['eth,net', 'eth,net,personal', 'eth,net,admin'].entries()) {
    const port = await freePort();
    const data = `/srv/en-${at + 1}`;
    const host = at === 1 ? '0.0.0.0' : '127.0.0.1';
    const words = ['--rpc', '--rpcaddr', host, '--rpcport', `${port}`, '--rpcapi', modules];
    const node = await childNode([`${host}:${port}`], [...words, '--datadir', data, '--ipcdisable'], {
      modules,
    });
    pids.push(`pid:${node.pid}`);
    values[port] = `${18551 + at}`;
  }
  values['(?:\\S+\\.service · )?user \\S+'] = 'user kaia';
  return await audit(...pids, '--only', 'privileged-module');
}

/** Audits of nodes that change after their start. */
async function auditScenes(folder: string): Promise<Blocks> {
  mkdirSync(join(folder, 'data'));
  const port = await freePort();
  const values: Record<string, string> = { [`${folder}/data`]: '/var/kend/data', [port]: '18551' };
  const kaiactl = async (...argv: string[]) =>
    (await run(['node', ...argv], { cwd: folder, columns: 100 })).out;
  const audit = (...argv: string[]) => kaiactl('audit', ...argv);

  const ipc = join(folder, 'klay.ipc');
  const simulated = await simulateShape(withPersonal, { ipc, unlocked: [account], freePorts: true });
  values[/:(\d+)/.exec(simulated.http ?? '')?.[1] ?? 'none'] = '18551';
  values[ipc] = '/var/kend/data/klay.ipc';
  writeFileSync(join(folder, 'nodes.ini'), `[en-1]\nrpc = ${simulated.http}\nipc = ${ipc}\n`);
  const inventory = ['--inventory', 'nodes.ini', '--only', 'unlocked-account'];
  const unlocked = await audit(...inventory, '--assume-reach', 'http=any');
  await simulated.close();

  const argv = ['--mainnet', '--datadir', `${folder}/data`, '--rpc', '--rpcport', `${port}`];
  const node = (modules: string) =>
    childNode([`127.0.0.1:${port}`], [...argv, '--rpcapi', modules], { modules, profiler: ['127.0.0.1:0'] });
  const first = await node('eth,net');
  values[pid(first.pid)] = '4711';
  values[first.ports[1] ?? 0] = '16060';
  const profiler = await audit(`pid:${first.pid}`, '--only', 'open-profiler');
  const conf = ['NETWORK=mainnet', `DATA_DIR=${folder}/data`, `LOG_DIR=${folder}`, 'RPC_ENABLE=1'];
  const api = [`RPC_PORT=${port}`, 'RPC_ADDR=0.0.0.0', 'RPC_API="eth,net,personal"', ''];
  writeFileSync(join(folder, 'kend.conf'), [...conf, ...api].join('\n'));
  const restart = await audit('kend.conf', '--only', 'pending-restart');

  const json = ['kend.conf', '--only', 'privileged-module', '--format', 'json'];
  writeFileSync(join(folder, 'before.json'), await audit(...json));
  await closeChildren();
  const second = await node('eth,net,personal');
  values[pid(second.pid)] = '5022';
  values[second.ports[1] ?? 0] = '16061';
  writeFileSync(join(folder, 'after.json'), await audit(...json));
  const { out: changed } = await run(['report', 'diff', 'before.json', 'after.json'], {
    cwd: folder,
    columns: 100,
  });

  const ken = renamedKen('kaia-en');
  const process = spawn(ken.path, ['600'], { argv0: 'kaia-en', stdio: 'ignore' });
  let renamed = '';
  try {
    await once(process, 'spawn');
    values[pid(process.pid)] = '902';
    renamed = await audit(`pid:${process.pid}`, '--only', 'open-profiler');
  } finally {
    process.kill('SIGKILL');
    ken.remove();
  }
  await closeChildren();
  const nodes = await threeNodes(values, audit);
  values['kaia-en of (?:user )?\\S+'] = 'kaia-en of kend.service';
  const scenes = { nodes, unlocked, profiler, restart, changed, renamed };
  return Object.fromEntries(Object.entries(scenes).map(([name, text]) => [name, steady(text, values)]));
}
