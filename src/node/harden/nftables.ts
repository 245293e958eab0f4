/** A table of its own for nft: who reaches which of the node's ports. */
import { comment, file } from './comment.js';
import type { Network } from './network.js';
import type { Plan } from './plan.js';
import type { Port } from './ports.js';
import { assumptions } from './preamble.js';

export function nftables(plan: Plan): string {
  const table = `table inet ${plan.nodeKind.id}_${plan.program}`;
  const closed = [...plan.local, ...(plan.metrics === null ? [] : [plan.metrics])];
  return file(
    comment([
      `Who reaches the ports of the node of ${plan.source}. Everything else is left as it is.`,
      'Check it, load it (after a change again: it replaces its own table), and keep it over a restart:',
      '$ nft -c -f kaia.nft && nft -f kaia.nft',
      '$ cat kaia.nft >> /etc/nftables.conf && systemctl enable nftables',
      ...(plan.kind === 'kubernetes'
        ? [
            'It is for one machine: in a cluster, Services open ports on every machine of it, and a NetworkPolicy closes them.',
          ]
        : []),
      ...assumptions(plan),
    ]),
    [`add ${table}`, `delete ${table}`],
    [
      `${table} {`,
      ...set(plan, 4),
      ...set(plan, 6),
      ...note('Ahead of address translation, so that ports a container publishes are met here too.', '\t'),
      '\tchain ports {',
      '\t\ttype filter hook prerouting priority mangle; policy accept;',
      '\t\tfib daddr type != local accept',
      '\t\tiifname "lo" accept',
      ...note('Other nodes.'),
      ...plan.peers.map(({ protocol, port }) => `\t\t${protocol} dport ${port} accept`),
      ...metrics(plan),
      ...(closed.length === 0
        ? note('The node opens nothing else.')
        : [
            ...note(`This machine alone, and the proxy on it: ${closed.map(named).join(', ')}.`),
            `\t\ttcp dport { ${[...new Set(closed.map(({ port }) => port))].join(', ')} } drop`,
          ]),
      '\t}',
      '}',
    ],
  );
}

function note(sentence: string, indent = '\t\t'): string[] {
  return comment([sentence], { indent });
}

function named({ kind, port }: Port): string {
  return `${kind === 'metrics' ? 'metrics and profiler' : kind} ${port}`;
}

function metrics({ metrics, monitoring }: Plan): string[] {
  if (metrics === null) return [];
  if (monitoring.length === 0) {
    return note(
      `Nobody said where the monitoring is, so nobody reaches ${metrics.port} from elsewhere: --monitoring 10.20.0.0/16, for example.`,
    );
  }
  const families = [...new Set(monitoring.map(({ family }) => family))].sort();
  return [
    ...note('The monitoring reads metrics; the port serves the profiler too.'),
    ...families.map(
      (family) => `\t\t${words[family].match} saddr @monitoring${family} tcp dport ${metrics.port} accept`,
    ),
  ];
}

const words = { 4: { type: 'ipv4_addr', match: 'ip' }, 6: { type: 'ipv6_addr', match: 'ip6' } } as const;

function set({ monitoring, metrics }: Plan, family: Network['family']): string[] {
  const elements = monitoring.filter((one) => one.family === family).map(({ cidr }) => cidr);
  if (elements.length === 0 || metrics === null) return [];
  return [
    `\tset monitoring${family} {`,
    `\t\ttype ${words[family].type}`,
    '\t\tflags interval',
    '\t\tauto-merge',
    `\t\telements = { ${elements.join(', ')} }`,
    '\t}',
  ];
}
