/** The firewall of a machine, read from the files of its deployment. */
import { basename, dirname, relative } from 'node:path';
import type { ClosedPorts } from '../facts/firewall.js';
import type { Settings, SourceKind } from '../facts/settings.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { closedPorts } from './firewalls/closed-ports.js';
import { readSaved } from './firewalls/iptables.js';
import { readNft } from './firewalls/nft.js';
import { ip4, ip6 } from './firewalls/ranges.js';
import { type Ruleset, Unread } from './firewalls/ruleset.js';

const signs = {
  nft: /^[ \t]*(?:(?:add|create)[ \t]+)?table[ \t]+(?:inet|ip6?|arp|bridge|netdev)[ \t]+[\w$-]+/m,
  iptables: /^\*(?:filter|mangle|raw|nat|security)[ \t]*$/m,
  commands: /(?:^|[\s"'/;&|(.])(?:nft|ufw|ip6?tables(?:-restore)?|firewall-cmd)[ \t:"']/m,
  zone: /<zone\b/,
};

/** A cheap test of a text, with its comments. */
export function mayFilter(text: string): boolean {
  return Object.values(signs).some((sign) => sign.test(text));
}

/** Files of the folder, relative to it, for more than one machine. */
const inventory = /(?:^|[\\/])(?:(?:host|group)_vars|inventor(?:y|ies)|hosts\.(?:ini|ya?ml))(?:[\\/.]|$)/;

/** Kinds of files that start a node on the machine itself, or say how its containers are published. */
const starting: ReadonlySet<SourceKind> = new Set(['systemd', 'script', 'compose', 'command line']);
/** Kinds of files that a program of the machine reads, unless one of a container does. */
const read: ReadonlySet<SourceKind> = new Set(['conf', 'environment', 'toml', 'yaml']);
const contained: readonly SourceKind[] = ['compose', 'dockerfile', 'kubernetes', 'ansible', 'cloud-init'];

/** What a folder has besides its firewalls. */
export interface Neighbours {
  readonly root: string;
  readonly paths: readonly string[];
  readonly byKind: ReadonlyMap<SourceKind, readonly string[]>;
  /** The scripts of the folder. */
  readonly scripts: () => readonly LineIndex[];
}

/** Folders that sort the files of a machine by program. */
const sorting =
  /^(?:conf(?:ig)?|systemd|system|firewall|nftables|iptables|ufw|nginx|caddy|haproxy|conf\.d|sites-\w+|snippets|k[a-z]nd?)$/;

export class Firewalls {
  readonly #closed: readonly ClosedPorts[];
  /** The folders of the machines that the files belong to. */
  readonly #machines: ReadonlySet<string>;
  readonly #folder: Neighbours;

  /** @param files those that may hold rules of a firewall */
  constructor(files: readonly LineIndex[], folder: Neighbours) {
    this.#folder = folder;
    const filtering = files.filter(({ text }) => mayFilter(text.replace(/^[ \t]*#.*/gm, '')));
    const isOfSeveral = folder.paths.some((path) => inventory.test(relative(folder.root, path)));
    this.#closed = isOfSeveral ? [] : closedPorts(rulesetsOf(filtering));
    this.#machines = new Set(filtering.map(({ file }) => this.#machineOf(file)));
  }

  /** The ports that the firewall of a node's machine surely closes. */
  closedFor({ source: { kind, path } }: Settings): readonly ClosedPorts[] {
    const isRead = starting.has(kind) || (read.has(kind) && !this.#hasContainers());
    return this.#isOwn(path) && isRead ? this.#closed : [];
  }

  /** The ports that the firewall surely closes to the programs of the machine that a file belongs to. */
  closedAt(path: string): readonly ClosedPorts[] {
    return this.#isOwn(path) && !this.#hasContainers() ? this.#closed : [];
  }

  #isOwn(path: string): boolean {
    return this.#machines.size === 1 && this.#machines.has(this.#machineOf(path));
  }

  #hasContainers(): boolean {
    const { byKind, scripts } = this.#folder;
    return (
      contained.some((kind) => byKind.has(kind)) ||
      scripts().some(({ text }) => /\b(?:docker|podman|nerdctl)\b/.test(text))
    );
  }

  /** The folder of the machine's files: above `etc`, or the folder of the file, without those that sort files by program. */
  #machineOf(path: string): string {
    const folder = dirname(relative(this.#folder.root, path));
    const parts = folder.split(/[\\/]/).filter((part) => part !== '.');
    const system = parts.findIndex((part) => /^(?:etc|usr|opt|var)$/.test(part));
    if (system >= 0) return parts.slice(0, system).join('/');
    while (sorting.test(parts.at(-1) ?? '')) parts.pop();
    return parts.join('/');
  }
}

/** One ruleset for each program; empty where one of the files is not understood, or is one of several. */
function rulesetsOf(files: readonly LineIndex[]): readonly Ruleset[] {
  const found = new Map<string, Ruleset>();
  for (const file of files) {
    const format = formatOf(file);
    if (format === null || found.has(format)) return [];
    try {
      found.set(format, format === 'nft' ? readNft(file) : readSaved(file, format === 'ip6' ? ip6 : ip4));
    } catch (error) {
      if (error instanceof Unread) return [];
      throw error;
    }
  }
  const { nft, ip4: v4, ip6: v6 } = Object.fromEntries(found);
  const tables = [v4, v6].flatMap((one) => one ?? []);
  const both = {
    bases: tables.flatMap(({ bases }) => bases),
    translates: tables.some(({ translates }) => translates),
  };
  return [...(nft === undefined ? [] : [nft]), ...(tables.length === 0 ? [] : [both])];
}

/** By the names that these files have on machines, and their contents; null: of another format. */
function formatOf({ file, text }: LineIndex): 'nft' | 'ip4' | 'ip6' | null {
  const name = basename(file);
  if (/\.nft$|^nftables\b.*\.(?:conf|rules)$/.test(name) || /^#!.*\bnft\b/.test(text))
    return signs.nft.test(text) ? 'nft' : null;
  if (!signs.iptables.test(text) || !/^(?:rules\.v[46]|ip6?tables(?:\.(?:rules|conf|save))?)$/.test(name))
    return null;
  return /6/.test(name) ? 'ip6' : 'ip4';
}
