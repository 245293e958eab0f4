/** A Docker Compose override that publishes ports on this machine only, except those for peers. */

import type { Plan } from './plan.js';
import type { Port } from './ports.js';
import { assumptions, comment, file } from './text.js';

export function compose(plan: Plan): string {
  if (plan.kind === 'compose' && !plan.contained) return file(comment(onHost(plan)));
  const { kind, local, metrics, peers } = plan;
  const name = serviceOf(plan);
  const inside = [...local, ...(metrics === null ? [] : [metrics])].filter(({ kind }) => kind !== 'pprof');
  return file(
    comment([
      `Publishes the node of ${plan.source} on this machine only. Add a proxy: --for nginx or --for caddy.`,
      'Save it as compose.override.yaml beside the compose file. It needs Docker Compose 2.24.4 or newer for !override. Check it:',
      '$ docker compose config',
      ...(name === null || kind !== 'compose'
        ? ['Replace the name under “services” by the service that runs the node in your compose file.']
        : []),
      ...assumptions(plan),
    ]),
    [
      'services:',
      `  ${name ?? plan.program}:`,
      ...comment(
        [
          'Replaces the whole list: add other ports that the service publishes. In a container the node itself binds 0.0.0.0.',
        ],
        { indent: '    ' },
      ),
      '    ports: !override',
      ...inside.map((port) => entry(port, '127.0.0.1:')),
      ...peers.map((port) => entry(port, '')),
      ...comment(
        metrics === null
          ? []
          : ['The monitoring reads metrics through the proxy, which does not forward the profiler.'],
        { indent: '    ' },
      ),
      '    security_opt: ["no-new-privileges:true"]',
    ],
  );
}

function onHost(plan: Plan): string[] {
  return [
    `The node of ${plan.source} is on the host network (network_mode: host), so it publishes no ports and its own addresses decide who reaches it. To close its ports: --for nftables.`,
    ...assumptions(plan),
  ];
}

/** Returns null without a name, or if the name is invalid in compose. */
function serviceOf({ service }: Plan): string | null {
  return service !== null && /^[a-zA-Z0-9._-]+$/.test(service) ? service : null;
}

function entry({ kind, protocol, port, own }: Port, host: string): string {
  return `      - "${host}${port}:${own}${protocol === 'udp' ? '/udp' : ''}" # ${kind}`;
}
