/** Generated files of iptables-persistent on the machine of a node. */
import type { Draft } from './draft.js';

/** Rules for IPv4, mostly with the same for IPv6. */
export function addIptables(draft: Draft): void {
  const { random } = draft;
  draft.firewall = 'iptables';
  const folder = random.pick(['', 'iptables/', 'etc/iptables/']);
  const all = [...new Set([...draft.ports, ...draft.services, ...draft.published].map(({ port }) => port))];
  const ports = all.filter((port) => port !== 3000 && random.chance(0.65));
  const kind = random.weighted([
    [6, 'dropping'],
    [2.5, 'accepting'],
    [draft.bridge === null ? 1 : 3, 'early'],
  ] as const);
  const write = { dropping, accepting, early }[kind];
  for (const family of random.chance(0.85) ? ([4, 6] as const) : ([4] as const)) {
    const name = `rules.v${family}`;
    draft.write(`/etc/iptables/${name}`, `${folder}${name}`, `${write(draft, ports, family).join('\n')}\n`);
  }
}

type Family = 4 | 6;

/** Everything is dropped but what is accepted. */
function dropping(draft: Draft, ports: readonly number[], family: Family): string[] {
  const { random } = draft;
  const isLast = random.chance(0.2);
  const state = random.pick(['conntrack --ctstate RELATED,ESTABLISHED', 'state --state RELATED,ESTABLISHED']);
  const inChain = random.chance(0.2);
  const to = inChain ? 'SERVICES' : 'INPUT';
  const rules = ports.flatMap((port) => accepted(draft, port, family).map((rule) => `-A ${to} ${rule}`));
  return [
    ...[
      '*filter',
      `:INPUT ${isLast ? 'ACCEPT' : 'DROP'} [0:0]`,
      ':FORWARD DROP [0:0]',
      ':OUTPUT ACCEPT [0:0]',
    ],
    ...(inChain ? [':SERVICES - [0:0]'] : []),
    ...['-A INPUT -i lo -j ACCEPT', `-A INPUT -m ${state} -j ACCEPT`],
    `-A INPUT -p ${family === 4 ? 'icmp' : 'ipv6-icmp'} -j ACCEPT`,
    ...(random.chance(0.3) ? ['-A INPUT -p tcp -m tcp --dport 22 -j ACCEPT'] : []),
    ...(inChain ? ['-A INPUT -j SERVICES'] : []),
    ...rules,
    ...(isLast ? [`-A INPUT ${random.pick(['-j DROP', '-p tcp -j REJECT --reject-with tcp-reset'])}`] : []),
    'COMMIT',
  ];
}

function accepted(draft: Draft, port: number, family: Family): string[] {
  const { random } = draft;
  const match = random.chance(0.2) ? `-m multiport --dports ${port},30303` : `-m tcp --dport ${port}`;
  const from = random.chance(0.55) ? listed(draft, family) : [''];
  return from.map((one) => `${one}-p tcp ${match} -j ACCEPT`);
}

/** Matches of addresses to admit, of which a family may have none. */
function listed(draft: Draft, family: Family): string[] {
  const list = draft.admitted().filter((one) => one.includes(':') === (family === 6));
  if (draft.random.chance(0.1) && family === 4) return ['-m iprange --src-range 10.77.0.1-10.77.0.9 '];
  return (list.length === 0 && family === 6 ? ['fd77::/64'] : list).map((one) => `-s ${one} `);
}

/** Everything is accepted but what is dropped. */
function accepting(draft: Draft, ports: readonly number[], family: Family): string[] {
  return closed(draft, ports, family, '*filter', 'INPUT');
}

/** As `accepting`, before Docker translates the ports that it publishes. */
function early(draft: Draft, ports: readonly number[], family: Family): string[] {
  return closed(draft, ports, family, draft.random.pick(['*mangle', '*raw']), 'PREROUTING');
}

function closed(
  draft: Draft,
  ports: readonly number[],
  family: Family,
  table: string,
  chain: string,
): string[] {
  const { random } = draft;
  const rules = ports.flatMap((port) => {
    const [only = '', ...others] = random.chance(0.6) ? listed(draft, family) : [];
    const end = `-p tcp -m tcp --dport ${port}`;
    if (only === '' || (others.length === 0 && random.chance(0.6)))
      return [`-A ${chain} ${only.replace(/(?=-s |--src-range)/, '! ')}${end} -j DROP`];
    return [
      ...[only, ...others].map((one) => `-A ${chain} ${one}${end} -j ACCEPT`),
      `-A ${chain} ${end} -j DROP`,
    ];
  });
  return [table, `:${chain} ACCEPT [0:0]`, `-A ${chain} -i lo -j ACCEPT`, ...rules, 'COMMIT'];
}

const mark = '0x77';

/** The same rules with refusals in place of drops; those of tables that cannot refuse are left to `refusingMarked`. */
export function refusingSaved(text: string): string {
  const refusal = '-j REJECT --reject-with tcp-reset';
  return text
    .replace(/^-A INPUT -j DROP$/m, `-A INPUT -p tcp ${refusal}`)
    .replaceAll(/^(-A INPUT .*)-j DROP$/gm, `$1${refusal}`)
    .replaceAll(
      /^(-A PREROUTING .*)-j DROP$/gm,
      `$1-j MARK --set-mark ${mark}\n-A PREROUTING -m mark --mark ${mark} -j ACCEPT`,
    );
}

/** Before ports are translated. */
export const refusingMarked = [
  'nft add table inet refusing',
  "nft add chain inet refusing marked '{ type filter hook prerouting priority -140; }'",
  `nft add rule inet refusing marked meta mark ${mark} meta l4proto tcp reject with tcp reset`,
];
