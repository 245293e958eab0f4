/** What forwards to a running node: the commands and the files of programs beside it, and the rules of its kernel. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PortGate, RulesInForce } from '../facts/firewall.js';
import type { Neighbour } from '../facts/live.js';
import type { Settings } from '../facts/settings.js';
import type { OpenSign } from '../facts/sign.js';
import { LineIndex } from '../sources/text/line-index.js';
import { mayForward } from './forwards.js';
import { type Relay, type Relayed, relaysIn, relaysOf } from './ledger/relays.js';
import { includedPaths } from './machine-folder.js';
import { alone } from './places.js';
import { namesIn } from './project.js';

interface Beside {
  readonly neighbours: readonly Neighbour[];
  readonly rules: RulesInForce['dumps'];
  readonly closed: readonly PortGate[];
  readonly routesLoopback: boolean | null;
}

/** The files that each proxy reads: those behind its option, or its usual one. */
const configs: Readonly<Record<string, { readonly option: RegExp; readonly usual: string }>> = {
  nginx: { option: /(?:^| )-c ?(\S+)/g, usual: '/etc/nginx/nginx.conf' },
  haproxy: { option: /(?:^| )-f ?(\S+)/g, usual: '/etc/haproxy/haproxy.cfg' },
  caddy: { option: /--config[= ](\S+)/g, usual: '/etc/caddy/Caddyfile' },
  traefik: { option: /--config[fF]ile[= ](\S+)/g, usual: '/etc/traefik/traefik.yml' },
};

const maxBytes = 4 << 20;

/** The hops to the interfaces of a node, and an open question for each forwarder whose limits are not known. */
export function relaysBeside(
  settings: Settings,
  { neighbours, rules, closed, routesLoopback }: Beside,
): Relayed {
  const disk = new Disk();
  const files = [
    ...neighbours.flatMap((one) => filesOf(one, disk)),
    ...rules.map(({ program, text }) => new LineIndex(`${program} (rules in force)`, text)),
  ];
  const { relays } = relaysIn(
    files.filter(({ file, text }) => mayForward(text, file)),
    {
      ...alone,
      included: (path, from) => disk.matching(path, from),
      textOf: (path, { file }) =>
        disk.read(join(dirname(file), basename(path)), disk.rootOf(file))?.text ?? null,
      closed,
      routesLoopback,
    },
  );
  const found = relaysOf(settings, relays);
  const others = neighbours.flatMap((one) => questionOf(one, settings, relays));
  return { ...found, signs: [...found.signs, ...others] };
}

/** The command of a program, and the files of a proxy. */
function filesOf({ pid, program, words, root, isWorker }: Neighbour, disk: Disk): LineIndex[] {
  if (isWorker) return [];
  const line = words.join(' ');
  const own = configs[program];
  if (own === undefined) return [new LineIndex(`process ${pid}`, line)];
  const named = [...line.matchAll(own.option)].map(([, path = '']) => path);
  const paths = named.length === 0 ? [own.usual] : named;
  return [new LineIndex(`process ${pid}`, line), ...paths.flatMap((path) => disk.read(path, root) ?? [])];
}

/** A program that listens and is connected to the node, where nothing says how it forwards. */
function questionOf(
  { pid, program, listens, connected }: Neighbour,
  { listeners }: Settings,
  relays: readonly Relay[],
): OpenSign[] {
  const own = relays.filter((one) => one.program === program || one.file.file === `process ${pid}`);
  const isKnown = (port: number | null) =>
    own.some(({ to }) => to !== null && 'port' in to && to.port === port);
  if (listens.length === 0) return [];
  return listeners.flatMap(({ kind, port, state }) => {
    const isAsked =
      (kind === 'http' || kind === 'ws') && state !== 'off' && connected.some((one) => one.port === port);
    if (!isAsked || isKnown(port)) return [];
    const where = listens.map(
      ({ address, port }) => `${address.includes(':') ? `[${address}]` : address}:${port}`,
    );
    const reason = `process ${pid}: ${program} is connected to ${kind} and listens on ${where.join(', ')}: it may forward to it, so who reaches ${kind} is not known`;
    const subject = `${program}:${port}`;
    return [
      { rule: 'relayed-interface', subject, at: null, source: null, reason, comments: [], interface: kind },
    ];
  });
}

/** The files of the machine, as the programs of each root folder see them. */
class Disk {
  readonly #roots = new Map<string, string>();

  rootOf(file: string): string {
    return this.#roots.get(file) ?? '';
  }

  read(path: string, root: string): LineIndex | null {
    try {
      const whole = join(root, path);
      if (!statSync(whole).isFile() || statSync(whole).size > maxBytes) return null;
      this.#roots.set(path, root);
      return new LineIndex(path, readFileSync(whole, 'utf8'));
    } catch {
      return null;
    }
  }

  /** The files that a path or a pattern names, as a file beside them has it; null if there is none. */
  matching(path: string, { file }: LineIndex): readonly LineIndex[] | null {
    const root = this.rootOf(file);
    const inFolder = (folder: string) => namesIn(join(root, folder)).map((name) => join(folder, name));
    const paths = includedPaths(path, file, '/', inFolder);
    // A pattern may name nothing.
    if (paths === null) return /\*[^/]*$/.test(path) && !/[[{$]/.test(path) ? [] : null;
    return paths.flatMap((one) => this.read(one, root) ?? []);
  }
}
