/** The firewall of a machine, read from the files of its deployment. */
import { basename, relative } from 'node:path';
import { groupBy } from '../../util/group-by.js';
import type { PortGate } from '../facts/firewall.js';
import type { Settings, SourceKind } from '../facts/settings.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { closedPorts } from './firewalls/closed-ports.js';
import { readCommands } from './firewalls/commands.js';
import { readSaved } from './firewalls/iptables.js';
import { readNft } from './firewalls/nft.js';
import { ip4, ip6 } from './firewalls/ranges.js';
import { joinRulesets, type Ruleset, Unread } from './firewalls/ruleset.js';
import { machineFolder } from './machine-folder.js';

const signs = {
  nft: /^[ \t]*(?:(?:add|create)[ \t]+)?table[ \t]+(?:inet|ip6?|arp|bridge|netdev)[ \t]+[\w$-]+/m,
  iptables: /^\*(?:filter|mangle|raw|nat|security)[ \t]*$/m,
  commands: /(?:^|[\s"'/;&|(.])(?:nft|ufw|ip6?tables(?:-restore)?|firewall-cmd)[ \t:"']/m,
};

/** Firewalls in front of a machine, which are named and not read. */
const cloud =
  /^[ \t]*resource[ \t]+"(?:\w+_security_group\w*|google_compute_firewall|(?:digitalocean|hcloud)_firewall)"/m;
/** Its zones are named and not read. */
const firewalld = /(?:^|[\\/])firewalld[\\/].*\.(?:conf|xml)$/;

/** A cheap test of a file, with its comments. */
export function mayFilter(path: string, text: string): boolean {
  return cloud.test(text) || mayHold(path, text);
}

function mayHold(path: string, text: string): boolean {
  return firewalld.test(path) || Object.values(signs).some((sign) => sign.test(text));
}

/** A cheap test for commands that start containers, and for quadlets. */
export function mayContain(text: string): boolean {
  return startsContainers.test(text);
}

const startsContainers =
  /\b(?:docker|podman|nerdctl)\b(?!\.).*(?:\\$|\b(?:run|create|start|up|play|compose|stack|service|exec|pull|load|build|container)\b)|^\[(?:Container|Pod|Kube)\]/im;

/** Files of the folder, relative to it, for more than one machine. */
const inventory = /(?:^|[\\/])(?:(?:host|group)_vars|inventor(?:y|ies)|hosts\.(?:ini|ya?ml))(?:[\\/.]|$)/;

/** Kinds of files that start a node on the machine itself, or say how its containers are published. */
const starting: ReadonlySet<SourceKind> = new Set(['systemd', 'script', 'compose', 'command line']);
/** Kinds of files that a program of the machine reads, unless one of a container does. */
const read: ReadonlySet<SourceKind> = new Set(['conf', 'environment', 'toml', 'yaml']);
const unmentioned: readonly SourceKind[] = ['ansible', 'cloud-init'];
const contained: readonly SourceKind[] = ['compose', 'dockerfile', 'kubernetes', ...unmentioned];

/** What a folder has besides its firewalls. */
export interface Neighbours {
  readonly root: string;
  readonly paths: readonly string[];
  readonly byKind: ReadonlyMap<SourceKind, readonly string[]>;
  /** Files that start containers by commands, or as quadlets. */
  readonly containing: readonly string[];
}

/** A network of its own, in which these rules do not hold. */
const namespaces = /\b(?:NetworkNamespacePath|JoinsNamespaceOf)=|\bnetns\b|\bnsenter\b/;

export class Firewalls {
  readonly #closed: readonly PortGate[];
  /** The folders of the machines that the files belong to. */
  readonly #machines: ReadonlySet<string>;
  readonly #folder: Neighbours;
  /** Files that are not understood, or are several of one format: with any of a machine, no firewall counts. */
  readonly unread: string[] = [];
  /** Files with rules that count. */
  readonly read: readonly string[];

  /** @param files those that may hold rules of a firewall */
  constructor(files: readonly LineIndex[], folder: Neighbours) {
    this.#folder = folder;
    const filtering = files.filter(({ file, text }) => mayHold(file, text.replace(/^[ \t]*#.*/gm, '')));
    const isOfSeveral = folder.paths.some((path) => inventory.test(relative(folder.root, path)));
    const rulesets: Ruleset[] = [];
    for (const [format, all] of groupBy(filtering, formatOf))
      try {
        rulesets.push(...rulesetsOf(format, all));
      } catch (error) {
        if (!(error instanceof Unread)) throw error;
        this.unread.push(...all.map(({ file }) => file));
      }
    const counts = !isOfSeveral && this.unread.length === 0;
    this.#closed = counts ? closedPorts(rulesets) : [];
    this.unread.push(...files.filter(({ text }) => cloud.test(text)).map(({ file }) => file));
    this.read = counts ? filtering.map(({ file }) => file) : [];
    this.#machines = new Set(filtering.map(({ file }) => machineFolder(this.#folder.root, file)));
  }

  /** The ports that the firewall of a node's machine surely closes. */
  closedFor({ source: { kind, path, lines } }: Settings): readonly PortGate[] {
    const isElsewhere = lines.some((line) => namespaces.test(line));
    const isRead = !isElsewhere && (starting.has(kind) || (read.has(kind) && !this.#hasContainers()));
    return this.#isOwn(path) && isRead ? this.#closed : [];
  }

  /**
   * The ports that the firewall surely closes to the programs of the machine that a file belongs to.
   * @param isOfMachine - true where no image or manifest of the folder may hold the file, and its containers are known
   */
  closedAt(path: string, isOfMachine = false): readonly PortGate[] {
    const isInside = isOfMachine ? this.#hasContainers(unmentioned) : this.#hasContainers();
    return this.#isOwn(path) && !isInside ? this.#closed : [];
  }

  #isOwn(path: string): boolean {
    return this.#machines.size === 1 && this.#machines.has(machineFolder(this.#folder.root, path));
  }

  #hasContainers(kinds = contained): boolean {
    const { byKind, containing } = this.#folder;
    return containing.length > 0 || kinds.some((kind) => byKind.has(kind));
  }
}

type Format = 'nft' | 'iptables' | 'firewalld' | 'commands';

/** The rulesets of one format. @throws {Unread} where a file is not understood, or is one of several */
function rulesetsOf(format: Format, files: readonly LineIndex[]): readonly Ruleset[] {
  if (format === 'iptables') {
    const families = groupBy(files, ({ file }) => (/6/.test(basename(file)) ? ip6 : ip4));
    if (families.size < files.length) throw new Unread();
    return [
      joinRulesets([...families].flatMap(([family, all]) => all.map((file) => readSaved(file, family)))),
    ];
  }
  if (format === 'firewalld' || files.length > 1) throw new Unread();
  return files.map(format === 'nft' ? readNft : readCommands);
}

/** By the names that these files have on machines, and their contents. Other files may hold commands. */
function formatOf({ file, text }: LineIndex): Format {
  const name = basename(file);
  if (firewalld.test(file)) return 'firewalld';
  const isNft = /\.nft$|^nftables\b.*\.(?:conf|rules)$/.test(name) || /^#!.*\bnft\b/.test(text);
  if (isNft && signs.nft.test(text)) return 'nft';
  const isSaved = /^(?:rules\.v[46]|ip6?tables(?:\.(?:rules|conf|save))?)$/.test(name);
  return isSaved && signs.iptables.test(text) ? 'iptables' : 'commands';
}
