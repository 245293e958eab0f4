/** Generated files of nginx, HAProxy and Caddy that change what a node checks of pages, Host names and origins. */
import type { Random } from '../../node/sources/random.js';

/** The ports of the node, and those of the proxy before them. */
export interface Ports {
  readonly http: number;
  readonly ws: number;
  readonly before: { readonly http: number; readonly ws: number };
}

/** What a file does; absent or null: nothing. */
export interface Changes {
  /** The origins that answers allow. */
  readonly origin: string | null;
  /** The headers that answers to preflights allow. */
  readonly headers: string | null;
  /** True where the proxy answers preflights itself. */
  readonly answersPreflights: boolean;
  /** True where it sends a content type of its own to the node, so that a page needs no preflight. */
  readonly setsType: boolean;
  /** The Host that is sent; `client`: that of the client. null: as the program has it. */
  readonly host: string | null;
  /** The Origin of a handshake; empty: none. */
  readonly wsOrigin: string | null;
  /** How the address of the node is written. */
  readonly to: 'address' | 'name' | 'upstream';
}

export interface Front {
  readonly program: 'nginx' | 'haproxy' | 'caddy';
  readonly path: string;
  readonly text: string;
}

export function changesOf(random: Random): Changes {
  const origin = random.weighted([
    [4, null],
    [4, '*'],
    [2, 'echo'],
    [2, 'https://app.example.org'],
  ]);
  return {
    origin,
    headers: random.weighted([
      [4, null],
      [4, 'content-type'],
      [2, '*'],
      [2, 'Authorization, Content-Type'],
      [1, 'authorization'],
    ]),
    answersPreflights: origin !== null && random.chance(0.4),
    setsType: random.chance(0.2),
    host: random.weighted([
      [3, null],
      [3, 'client'],
      [2, 'rpc.example.org'],
      [2, 'localhost'],
      [1, '127.0.0.1'],
      [1, 'node.internal'],
    ]),
    wsOrigin: random.weighted([
      [4, null],
      [3, ''],
      [2, 'https://app.example.org'],
      [1, 'https://other.example.org'],
    ]),
    to: random.pick(['address', 'name', 'upstream']),
  };
}

export const fronts = { nginx, haproxy, caddy };

function nginx(changes: Changes, { http, ws, before }: Ports, folder: string, random: Random): Front {
  const { origin, headers, answersPreflights, setsType, host, wsOrigin, to } = changes;
  const allowed = origin === 'echo' ? '$http_origin' : origin;
  const byVariable = allowed !== null && random.chance(0.3);
  const always = random.chance(0.5) ? ' always' : '';
  const cors = [
    ...(allowed === null
      ? []
      : [`add_header Access-Control-Allow-Origin ${byVariable ? '$allowed' : allowed}${always};`]),
    ...(headers === null ? [] : [`add_header Access-Control-Allow-Headers "${headers}"${always};`]),
  ];
  const preflight = answersPreflights
    ? [`if ($request_method = OPTIONS) { ${cors.join(' ')} return 204; }`]
    : [];
  const sent = [
    ...(host === null ? [] : [`proxy_set_header Host ${host === 'client' ? '$http_host' : host};`]),
    ...(setsType ? ['proxy_set_header Content-Type application/json;'] : []),
  ];
  const target = { address: `127.0.0.1:${http}`, name: `localhost:${http}`, upstream: 'node' }[to];
  const text = [
    'user root;',
    'daemon off;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `  ${one}_temp_path ${folder}/${one};`,
    ),
    '  access_log off;',
    ...(to === 'upstream' ? [`  upstream node { server 127.0.0.1:${http}; }`] : []),
    `  server {\n    listen 127.0.0.1:${before.http};`,
    ...(byVariable ? [`    set $allowed ${allowed};`] : []),
    '    location / {',
    ...[...preflight, ...cors, ...sent].map((line) => `      ${line}`),
    `      proxy_pass http://${target};`,
    '    }\n  }',
    `  server {\n    listen 127.0.0.1:${before.ws};\n    location / {`,
    '      proxy_http_version 1.1;',
    '      proxy_set_header Upgrade $http_upgrade;',
    '      proxy_set_header Connection upgrade;',
    ...(wsOrigin === null ? [] : [`      proxy_set_header Origin "${wsOrigin}";`]),
    `      proxy_pass http://127.0.0.1:${ws};`,
    '    }\n  }\n}\n',
  ];
  return { program: 'nginx', path: 'nginx.conf', text: text.join('\n') };
}

function haproxy(changes: Changes, { http, ws, before }: Ports): Front {
  const { origin, headers, answersPreflights, setsType, host, wsOrigin, to } = changes;
  const quoted = (text: string) => `"${text}"`;
  const echo = '%[capture.req.hdr(0)]';
  const allowed = origin === 'echo' ? '%[req.hdr(Origin)]' : origin;
  const answered = [
    ...(allowed === null ? [] : [`hdr Access-Control-Allow-Origin ${quoted(allowed)}`]),
    ...(headers === null ? [] : [`hdr Access-Control-Allow-Headers ${quoted(headers)}`]),
  ];
  const all = [
    'mode http',
    ...(origin === 'echo' ? ['http-request capture req.hdr(Origin) len 128'] : []),
    ...(answersPreflights ? [`http-request return status 204 ${answered.join(' ')} if METH_OPTIONS`] : []),
    ...(host === null || host === 'client' ? [] : [`http-request set-header Host ${host}`]),
    ...(setsType ? ['http-request set-header Content-Type application/json'] : []),
    ...(allowed === null
      ? []
      : [
          `http-response set-header Access-Control-Allow-Origin ${quoted(origin === 'echo' ? echo : allowed)}`,
        ]),
    ...(headers === null ? [] : [`http-response set-header Access-Control-Allow-Headers ${quoted(headers)}`]),
  ];
  const forWs =
    wsOrigin === null
      ? []
      : [wsOrigin === '' ? 'http-request del-header Origin' : `http-request set-header Origin ${wsOrigin}`];
  const address = to === 'name' ? 'localhost' : '127.0.0.1';
  const lines = [
    'defaults',
    ...['connect', 'client', 'server'].map((one) => ` timeout ${one} 20s`),
    `frontend rpc\n bind 127.0.0.1:${before.http}`,
    ...all.map((line) => ` ${line}`),
    ` default_backend node\nbackend node\n mode http\n server n ${address}:${http}`,
    `listen ws\n bind 127.0.0.1:${before.ws}\n mode http`,
    ...forWs.map((line) => ` ${line}`),
    ` server n 127.0.0.1:${ws}\n`,
  ];
  return { program: 'haproxy', path: 'haproxy.cfg', text: lines.join('\n') };
}

function caddy(changes: Changes, { http, ws, before }: Ports): Front {
  const { origin, headers, answersPreflights, setsType, host, wsOrigin, to } = changes;
  const allowed = origin === 'echo' ? '{http.request.header.Origin}' : origin;
  const cors = [
    ...(allowed === null ? [] : [`header Access-Control-Allow-Origin ${allowed}`]),
    ...(headers === null ? [] : [`header Access-Control-Allow-Headers "${headers}"`]),
  ];
  const sent = [
    ...(host === null || host === 'client' ? [] : [`header_up Host ${host}`]),
    ...(setsType ? ['header_up Content-Type application/json'] : []),
  ];
  const forWs =
    wsOrigin === null ? [] : [wsOrigin === '' ? 'header_up -Origin' : `header_up Origin ${wsOrigin}`];
  const proxy = (address: string, lines: readonly string[]) =>
    lines.length === 0
      ? [`reverse_proxy ${address}`]
      : [`reverse_proxy ${address} {`, ...lines.map((one) => `\t${one}`), '}'];
  const lines = [
    '{\n\tadmin off\n\tauto_https off\n}',
    `http://:${before.http} {\n\tbind 127.0.0.1`,
    ...[
      ...(answersPreflights ? ['@preflight method OPTIONS', 'respond @preflight 204'] : []),
      ...cors,
      ...proxy(`${to === 'name' ? 'localhost' : '127.0.0.1'}:${http}`, sent),
    ].map((line) => `\t${line}`),
    `}\nhttp://:${before.ws} {\n\tbind 127.0.0.1`,
    ...proxy(`127.0.0.1:${ws}`, forWs).map((line) => `\t${line}`),
    '}\n',
  ];
  return { program: 'caddy', path: 'Caddyfile', text: lines.join('\n') };
}
