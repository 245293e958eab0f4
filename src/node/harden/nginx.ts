/** An nginx proxy for http and ws. nginx itself cannot parse JSON, so a script for its njs module does. */

import type { Endpoint } from './endpoint.js';
import { scriptPath } from './njs.js';
import type { Plan } from './plan.js';
import {
  comment,
  describeFilter,
  file,
  metricsBlock,
  needsProxy,
  noProxy,
  proofOf,
  socketBlock,
  warnings,
} from './text.js';

const script = [
  `It needs the njs module and the script that --for njs prints instead of --for nginx, as ${scriptPath}:`,
  '$ apt install nginx libnginx-mod-http-js',
];

const others = [
  'It is the default server of port 80. Remove the default site of the package first, which is that too, or give --server-name NAME:',
  '$ rm -f /etc/nginx/sites-enabled/default /etc/nginx/conf.d/default.conf',
];

export function nginx(plan: Plan): string {
  if (!needsProxy(plan)) return file(comment(noProxy(plan)));
  const { http, ws, serverName } = plan;
  return file(
    comment([
      `nginx proxy for the node of ${plan.source}.`,
      `Save it as /etc/nginx/conf.d/${plan.nodeKind.id}.conf.`,
      ...(http === null ? [] : script),
      ...(serverName === null ? others : []),
      'Then check and load it:',
      '$ nginx -t && systemctl reload nginx',
      ...(http === null ? [] : proofOf(http, serverName ?? '127.0.0.1')),
      ...warnings(plan),
    ]),
    http === null ? [] : [`js_import kaia_rpc from ${scriptPath};`, 'js_var $rpc_checked;'],
    [
      'server {',
      ...(serverName === null
        ? [
            ...note('It answers every host name: give --server-name NAME.'),
            '    listen 80 default_server;',
            '    listen [::]:80 default_server;',
          ]
        : [
            ...note('Not encrypted before you install a certificate:', `$ certbot --nginx -d ${serverName}`),
            '    listen 80;',
            '    listen [::]:80;',
            `    server_name ${serverName};`,
          ]),
      ...(http === null ? ['', '    location / {', '        return 404;', '    }'] : rpc(plan, http)),
      ...(ws === null ? [] : socket(ws)),
      ...metrics(plan),
      '}',
    ],
  );
}

function note(...sentences: readonly string[]): string[] {
  return comment(sentences, { indent: '    ' });
}

function rpc({ maxBodyBytes }: Plan, http: Endpoint): string[] {
  return [
    '',
    ...note('The script can only read bodies that are in memory; it rejects larger ones.'),
    `    client_max_body_size ${maxBodyBytes};`,
    `    client_body_buffer_size ${maxBodyBytes};`,
    '',
    ...note(describeFilter(http)),
    '    location / {',
    '        js_content kaia_rpc.check;',
    '    }',
    '',
    '    location @kaia_node {',
    `        proxy_pass http://${http.authority};`,
    '        proxy_set_body $rpc_checked;',
    '        # The node accepts any IP address as Host.',
    `        proxy_set_header Host ${http.authority};`,
    '        proxy_set_header Content-Encoding "";',
    '    }',
  ];
}

function socket(ws: Endpoint): string[] {
  const lines = [
    '    location = /ws {',
    `        proxy_pass http://${ws.authority}/;`,
    `        proxy_set_header Host ${ws.authority};`,
    '        proxy_http_version 1.1;',
    '        proxy_set_header Upgrade $http_upgrade;',
    '        proxy_set_header Connection "upgrade";',
    '        proxy_read_timeout 1h;',
    '    }',
  ];
  return ['', ...socketBlock(ws, note, lines)];
}

function metrics(plan: Plan): string[] {
  const block = metricsBlock(plan, note, [
    '    location = /metrics {',
    ...plan.monitoring.map(({ cidr }) => `        allow ${cidr};`),
    '        deny all;',
    `        proxy_pass http://127.0.0.1:${plan.metrics?.port}/metrics;`,
    '    }',
  ]);
  return block.length === 0 ? [] : ['', ...block];
}
