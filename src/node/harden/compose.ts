/** An override for Docker Compose: published on this machine alone, but for what other nodes dial. */
import { comment, file } from './comment.js';
import type { Plan } from './plan.js';
import type { Port } from './ports.js';
import { assumptions } from './preamble.js';

export function compose(plan: Plan): string {
  if (plan.kind === 'compose' && !plan.contained) return file(comment(onHost(plan)));
  const { kind, local, metrics, peers } = plan;
  const name = serviceOf(plan);
  const inside = [...local, ...(metrics === null ? [] : [metrics])].filter(({ kind }) => kind !== 'pprof');
  return file(
    comment([
      `Publishes the node of ${plan.source} on this machine alone: put a proxy in front (--for nginx, --for caddy).`,
      'Save it as compose.override.yaml beside the compose file. It needs Docker Compose 2.24.4 or newer, for !override; check it:',
      '$ docker compose config',
      ...(name === null || kind !== 'compose'
        ? ['“services” has to name the service of your compose file that runs the node.']
        : []),
      ...assumptions(plan),
    ]),
    [
      'services:',
      `  ${name ?? plan.program}:`,
      ...comment(
        [
          'Takes the place of the whole list: add what else the service publishes. In a container the node itself binds 0.0.0.0.',
        ],
        { indent: '    ' },
      ),
      '    ports: !override',
      ...inside.map((port) => entry(port, '127.0.0.1:')),
      ...peers.map((port) => entry(port, '')),
      ...comment(
        metrics === null
          ? []
          : ['The monitoring reads metrics through the proxy, which leaves the profiler out.'],
        { indent: '    ' },
      ),
      '    security_opt: ["no-new-privileges:true"]',
    ],
  );
}

function onHost(plan: Plan): string[] {
  return [
    `The node of ${plan.source} is on the host’s own network (network_mode: host), where nothing is published: its own addresses say who reaches it, and --for nftables closes its ports.`,
    ...assumptions(plan),
  ];
}

/** null: it has no name, or one that no compose file can hold. */
function serviceOf({ service }: Plan): string | null {
  return service !== null && /^[a-zA-Z0-9._-]+$/.test(service) ? service : null;
}

function entry({ kind, protocol, port, own }: Port, host: string): string {
  return `      - "${host}${port}:${own}${protocol === 'udp' ? '/udp' : ''}" # ${kind}`;
}
