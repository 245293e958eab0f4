/** An nftables table that limits who reaches the node's ports. */

import { sayIf } from '../../util/words.js';
import type { Network } from './given.js';
import type { Plan } from './plan.js';
import type { Port } from './ports.js';
import { assumptions, comment, file } from './text.js';

export function nftables(plan: Plan): string {
  const { id } = plan.nodeKind;
  const table = `table inet ${id}_${plan.program}`;
  const closed = [...plan.local, ...(plan.metrics === null ? [] : [plan.metrics])];
  return file(
    comment([
      `Limits who reaches the ports of the node of ${plan.source}. Other ports are not affected.`,
      'Check it, load it (again after each change: it replaces its own table), and enable it at boot:',
      `$ nft -c -f ${id}.nft && nft -f ${id}.nft`,
      `$ cat ${id}.nft >> /etc/nftables.conf && systemctl enable nftables`,
      ...sayIf(
        plan.kind === 'kubernetes',
        'It protects one machine. In a cluster, Services open ports on every machine, and a NetworkPolicy closes them.',
      ),
      ...assumptions(plan),
    ]),
    [`add ${table}`, `delete ${table}`],
    [
      `${table} {`,
      ...set(plan, 4),
      ...set(plan, 6),
      ...note('Before address translation, so that published container ports are covered too.', '\t'),
      '\tchain ports {',
      '\t\ttype filter hook prerouting priority mangle; policy accept;',
      '\t\tfib daddr type != local accept',
      '\t\tiifname "lo" accept',
      ...note('Other nodes.'),
      ...plan.peers.map(({ protocol, port }) => `\t\t${protocol} dport ${port} accept`),
      ...metrics(plan),
      ...(closed.length === 0
        ? note('The node opens no other port.')
        : [
            ...note(`Only this machine and its proxy: ${closed.map(named).join(', ')}.`),
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
      `No monitoring subnet is given, so port ${metrics.port} is closed to other machines. To open it, for example: --monitoring 10.20.0.0/16.`,
    );
  }
  const families = [...new Set(monitoring.map(({ family }) => family))].sort();
  return [
    ...note('The monitoring subnet reads metrics. The port also serves the profiler.'),
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
