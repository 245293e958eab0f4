/** `kaiactl node simulate <conf>`: simulates the node of a conf on loopback, until a signal. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import { untilSignal } from '../../util/until-aborted.js';
import { visible } from '../../util/visible.js';
import { loadNode, theNode } from '../deployment/load.js';
import type { Conf } from '../facts/facts.js';
import type { Settings } from '../facts/settings.js';
import { kinds } from '../kinds/index.js';
import { kindOf } from '../kinds/node.js';
import { type Simulation, simulate } from '../simulator/node.js';
import { readConfOptions } from './conf-options.js';
import { gatherFolder } from './gather-confs.js';
import type { VerbOptions } from './options/verbs.js';

export type Options = VerbOptions<'simulate'> & { readonly conf: string };

/** Prints the interfaces as one line of JSON and serves until the host's signal; exit 0. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const { settings } = await confToServe(options, host);
  if (!options.force) refuseUnstartable(settings);
  return await interruptible(host, () => serve(settings, options, host));
}

async function serve(settings: Settings, options: Options, host: Host): Promise<ExitCode> {
  const { ipc } = options;
  const node = await simulate(settings, {
    freePorts: options.freePorts,
    accounts: addresses('--account', options.account),
    unlocked: addresses('--unlocked', options.unlocked),
    ...(ipc === undefined ? {} : { ipc: host.platform === 'win32' ? ipc : resolve(host.cwd, ipc) }),
    ...(options.clientVersion === undefined ? {} : { clientVersion: options.clientVersion }),
    ...(options.verbose ? { log: requestLog(host) } : {}),
  });
  try {
    await announce(node, settings, options, host);
    await untilSignal(host.signal);
    return exit.ok;
  } finally {
    await node.close();
  }
}

/** The node of a file, or the only one of a folder. @throws {KaiactlError} as loadNode does */
async function confToServe(options: Options, host: Host): Promise<Conf> {
  const { conf: path, service } = options;
  const isFolder =
    path !== '-' && statSync(resolve(host.cwd, path), { throwIfNoEntry: false })?.isDirectory();
  const how = readConfOptions(options, kinds);
  if (isFolder !== true) return await loadNode(path, how, host);
  const { targets } = await gatherFolder(path, { ...options, ...how }, host);
  const nodes = targets.flatMap(({ conf }) =>
    conf?.state === 'seen' ? [{ name: conf.value.settings.name ?? null, conf: conf.value }] : [],
  );
  const unread = targets.flatMap(({ conf }) =>
    conf?.state === 'not-seen' ? [new KaiactlError(conf.detail)] : [],
  );
  return theNode(visible(path), { nodes, unfollowed: [], problems: unread, notes: [] }, { service });
}

async function announce(node: Simulation, settings: Settings, options: Options, host: Host): Promise<void> {
  const { http, ws, ipc, metrics, pprof, authrpc, notes } = node;
  const interfaces = { http, ws, ipc, metrics, pprof, authrpc };
  const { launchers, interfaces: own } = kindOf(kinds, settings);
  const what = launchers === null ? settings.kind : `${settings.launcher}, ${settings.package}`;
  if (Object.values(interfaces).every((one) => one === null)) {
    throw new KaiactlError(`${nameConf(settings)} opens nothing: there is nothing to simulate`, {
      notes: notes.map((note) => visible(note)),
      hint: `Switch an interface on, for example ${launchers === null ? `--${own.flags.http.enable}` : 'RPC_ENABLE=1'}.`,
    });
  }
  await print(host.stdout, `${JSON.stringify(interfaces)}\n`);
  if (options.quiet) return;
  const lines = [
    `simulating ${nameConf(settings)} (${what}) on loopback; Ctrl-C ends it`,
    ...notes.map((note) => `note: ${visible(note)}`),
  ];
  await print(host.stderr, `${lines.join('\n')}\n`);
}

function nameConf({ source: { path } }: Settings): string {
  return path === '-' ? 'the conf on stdin' : visible(path);
}

function refuseUnstartable(settings: Settings): void {
  if (settings.startable) return;
  const fatal = settings.problems.filter((problem) => problem.fatal);
  throw new KaiactlError(`a node with ${nameConf(settings)} would not start`, {
    notes: fatal.map(({ message, at }) => {
      const place = at === null ? '' : `${at.line}:${at.column}  `;
      return `${place}${visible(message)}`;
    }),
    hint: 'Fix the conf, or simulate what it would open with --force.',
  });
}

/** @throws {KaiactlError} when one is not an address */
function addresses(option: string, all: readonly string[] = []): readonly string[] {
  const wrong = all.find((text) => !/^0x[0-9a-fA-F]{40}$/.test(text));
  if (wrong === undefined) return all;
  throw new KaiactlError(`${option} ${visible(wrong, 60)} is not an address`, {
    hint: 'Write 0x and 40 hex digits.',
  });
}

/** Logs one line per message on stderr, without waiting for a slow reader. */
function requestLog(host: Host): (transport: string, method: string, outcome: string) => void {
  return (transport, method, outcome) => {
    const time = new Date(host.now()).toISOString().slice(11, 23);
    const what = method === '' ? '(no method)' : visible(method, 80);
    host.stderr.write(`${time}  ${transport.padEnd(4)}  ${what}  ${outcome}\n`);
  };
}
