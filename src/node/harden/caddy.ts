/** A Caddy proxy for http and ws. Caddy matches bodies against regular expressions (RE2), which is sufficient. */
import { sayIf } from '../../util/words.js';
import type { Endpoint } from './endpoint.js';
import { caddyFilter, emptyBody } from './filter.js';
import type { Plan } from './plan.js';
import {
  comment,
  describeFilter,
  file,
  metricsBlock,
  needsProxy,
  noProxy,
  socketBlock,
  warnings,
} from './text.js';

export function caddy(plan: Plan): string {
  if (!needsProxy(plan)) return file(comment(noProxy(plan)));
  const { http, ws, serverName } = plan;
  return file(
    comment([
      `Caddy (2.6 or newer) proxy for the node of ${plan.source}.`,
      'Save it as /etc/caddy/Caddyfile, then check and load it:',
      '$ caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy',
      ...sayIf(
        serverName === null,
        'The host name is unknown, so connections are not encrypted: give --server-name NAME.',
      ),
      ...warnings(plan),
    ]),
    [
      `${serverName ?? ':80'} {`,
      ...(ws === null ? [] : socket(ws)),
      ...metrics(plan),
      ...(http === null ? ['\trespond 404'] : rpc(plan, http)),
      '}',
    ],
  );
}

function note(...sentences: readonly string[]): string[] {
  return comment(sentences, { indent: '\t' });
}

function rpc({ maxBodyBytes, nodeKind }: Plan, http: Endpoint): string[] {
  return [
    ...note(
      describeFilter(http),
      'The first expression accepts bodies without backslashes in which every “method”, in upper or lower case, is followed by a method of these modules. The second rejects methods that sign with an account of the node.',
    ),
    '\trequest_body {',
    `\t\tmax_size ${maxBodyBytes}`,
    '\t}',
    '\t@calls {',
    '\t\tmethod POST',
    '\t\tnot header Content-Encoding *',
    '\t\tnot header Upgrade *',
    `\t\texpression \`${caddyFilter(http.allowed, nodeKind.modules)}\``,
    '\t}',
    ...handle('@calls', http.authority),
    ...note('Preflight requests of browsers have no body.'),
    '\t@preflight {',
    '\t\tmethod OPTIONS',
    '\t\tnot header Upgrade *',
    `\t\texpression \`${emptyBody}\``,
    '\t}',
    ...handle('@preflight', http.authority),
    '\thandle {',
    '\t\theader Content-Type application/json',
    `\t\trespond \`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"refused by the proxy"}}\` 403`,
    '\t}',
  ];
}

/** The node accepts an IP address as Host, whatever its list of Host names. */
function handle(matcher: string, authority: string): string[] {
  return [
    `\thandle ${matcher} {`,
    `\t\treverse_proxy ${authority} {`,
    '\t\t\theader_up Host {upstream_hostport}',
    '\t\t}',
    '\t}',
  ];
}

function socket(ws: Endpoint): string[] {
  return socketBlock(ws, note, ['\t@ws path /ws', ...handle('@ws', ws.authority)]);
}

function metrics(plan: Plan): string[] {
  return metricsBlock(plan, note, [
    '\t@metrics {',
    '\t\tmethod GET',
    '\t\tpath /metrics',
    `\t\tremote_ip ${plan.monitoring.map(({ cidr }) => cidr).join(' ')}`,
    '\t}',
    '\thandle @metrics {',
    '\t\trewrite * /metrics',
    `\t\treverse_proxy 127.0.0.1:${plan.metrics?.port}`,
    '\t}',
  ]);
}
