/** Generated rulesets of nftables on the machine of a node. */
import { type Draft, disjoint, indented } from './draft.js';

export function addNftables(draft: Draft): void {
  const { random } = draft;
  const writer = new Writer(draft);
  const text = writer.ruleset();
  draft.firewall = 'nft';
  const read = random.pick(['nftables.conf', 'etc/nftables.conf', 'firewall.nft']);
  draft.write('/etc/nftables.conf', read, text);
}

class Writer {
  private readonly defines: string[] = [];
  private readonly sets: string[] = [];
  private readonly chains: string[] = [];

  private readonly draft: Draft;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  private get random() {
    return this.draft.random;
  }

  ruleset(): string {
    const { random } = this;
    const family = random.weighted([
      [8, 'inet'],
      [1, 'ip'],
      [0.5, 'both'],
    ] as const);
    const tables = family === 'both' ? (['ip', 'ip6'] as const) : [family];
    const body = tables.flatMap((one) => [...this.table(one), '']);
    return [
      '#!/usr/sbin/nft -f',
      ...(random.chance(0.8) ? ['flush ruleset', ''] : ['']),
      ...this.defines,
      ...body,
      ...(random.chance(0.06) ? this.translating() : []),
    ].join('\n');
  }

  /** A port that leads to that of the node. */
  private translating(): string[] {
    const { random, draft } = this;
    const [node] = draft.ofNode;
    if (node === undefined || node.host.includes(':')) return [];
    const port = draft.port();
    draft.listens(port, false, [':']);
    const isBound = /^(?:10|203)\./.test(node.host);
    const to =
      isBound && random.chance(0.7) ? `dnat to ${node.host}:${node.port}` : `redirect to :${node.port}`;
    const rules = ['type nat hook prerouting priority dstnat; policy accept;', `tcp dport ${port} ${to}`];
    return ['table ip nat {', '\tchain prerouting {', ...indented(rules, '\t\t'), '\t}', '}', ''];
  }

  private table(family: 'inet' | 'ip' | 'ip6'): string[] {
    this.sets.length = 0;
    this.chains.length = 0;
    const chain = this.random.chance(0.65) ? this.dropping(family) : this.accepting(family);
    const name = this.random.pick(['filter', 'filter', 'node']);
    return [`table ${family} ${name} {`, ...indented([...this.sets, ...this.chains, ...chain], '\t'), '}'];
  }

  /** Everything is dropped but what is accepted. */
  private dropping(family: 'inet' | 'ip' | 'ip6'): string[] {
    const { random } = this;
    const rules = [
      random.pick(['iif lo accept', 'iifname "lo" accept', 'iif "lo" accept comment "this machine"']),
      'ct state established,related accept',
      ...(random.chance(0.5) ? ['ct state invalid drop'] : []),
      // Neighbours are found by ICMPv6.
      ...(family === 'ip' ? [] : ['meta l4proto ipv6-icmp accept']),
      ...(random.chance(0.3) ? ['tcp dport 22 accept'] : []),
      ...this.accepted(family),
    ];
    const [isLast, policy] = random.chance(0.15) ? [true, ''] : [false, ' policy drop;'];
    return [
      'chain input {',
      ...indented(
        [`type filter hook input priority ${random.pick(['0', 'filter'])};${policy}`, ...rules],
        '\t',
      ),
      ...(isLast ? ['\tdrop'] : []),
      '}',
    ];
  }

  private accepted(family: 'inet' | 'ip' | 'ip6'): string[] {
    const { random, draft } = this;
    const all = [...new Set([...draft.ports, ...draft.services].map(({ port }) => port))].filter(
      (one) => one !== 3000,
    );
    const left = all.filter(() => random.chance(0.65));
    const rules = left.map((port) => {
      const from = random.chance(0.55) ? this.from(family, false) : '';
      return `${from}tcp dport ${random.chance(0.3) ? `{ ${port}, 30303 }` : port} accept`;
    });
    if (rules.length > 0 && random.chance(0.12)) {
      this.chains.push('chain services {', ...indented(rules, '\t'), '}');
      return ['jump services'];
    }
    return rules;
  }

  /** Everything is accepted but what is dropped. */
  private accepting(family: 'inet' | 'ip' | 'ip6'): string[] {
    const { random, draft } = this;
    const all = [...new Set([...draft.ports, ...draft.services].map(({ port }) => port))];
    const ports = all.filter((port) => port !== 3000 && random.chance(0.6));
    const verdict = () => random.pick(['drop', 'drop', 'reject']);
    const isEarly = random.chance(0.15);
    const rules = ports.map((port) => {
      const kind = random.weighted([
        [3, 'all'],
        [4, 'others'],
        [1, 'interface'],
      ] as const);
      const end = `tcp dport ${port} ${isEarly ? 'drop' : verdict()}`;
      if (kind === 'interface') return `iifname != "lo" ${end}`;
      return kind === 'all' ? end : `${this.from(family, true)}${end}`;
    });
    const hook = isEarly ? 'prerouting priority mangle' : 'input priority 0';
    return [
      `chain ${isEarly ? 'ports' : 'input'} {`,
      ...indented([`type filter hook ${hook}; policy accept;`, 'iifname "lo" accept', ...rules], '\t'),
      '}',
    ];
  }

  /** A match of addresses to admit, or of all others. */
  private from(family: 'inet' | 'ip' | 'ip6', isNot: boolean): string {
    const { random } = this;
    const given = this.draft.admitted().filter((one) => one.includes(':') === (family === 'ip6'));
    const list = disjoint(given);
    if (list.length === 0) return family === 'ip6' ? `ip6 saddr ${isNot ? '!= ' : ''}fd77::/64 ` : '';
    const [only] = list;
    const elements = list.length === 1 && random.chance(0.7) ? (only as string) : `{ ${list.join(', ')} }`;
    const key = family === 'ip6' ? 'ip6 saddr' : 'ip saddr';
    const not = isNot ? '!= ' : '';
    if (random.chance(0.15)) {
      const name = `clients${this.sets.length}`;
      const type = family === 'ip6' ? 'ipv6_addr' : 'ipv4_addr';
      this.sets.push(
        ...[
          `set ${name} {`,
          `\ttype ${type}`,
          '\tflags interval',
          `\telements = { ${list.join(', ')} }`,
          '}',
        ],
      );
      return `${key} ${not}@${name} `;
    }
    if (random.chance(0.1)) {
      const name = `OFFICE${this.defines.length}`;
      this.defines.push(`define ${name} = ${elements}`);
      return `${key} ${not}$${name} `;
    }
    return `${key} ${not}${elements} `;
  }
}
