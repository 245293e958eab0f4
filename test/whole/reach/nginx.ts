/** Generated configurations of nginx in front of a node. */
import { type Draft, denied, indented, type Service } from './draft.js';

/** Adds nginx to a deployment, as one file, with files that it includes, or as a file for the packaged configuration. */
export function addNginx(draft: Draft): void {
  const { random } = draft;
  draft.proxies.push('nginx');
  const writer = new Writer(draft);
  const servers = Array.from(
    {
      length: random.weighted([
        [6, 1],
        [3, 2],
        [1, 3],
      ]),
    },
    () => writer.server(),
  );
  const stream = random.chance(0.06) ? writer.stream() : [];
  const isSplit = writer.upstreams.length > 0 && random.chance(0.15);
  const site = [...writer.above, ...(isSplit ? [] : writer.upstreams), ...servers.flat()];
  const around = random.chance(0.05) ? writer.access(true) : [];
  const isWhole = stream.length > 0 || around.length > 0 || random.chance(0.4);
  if (isSplit) include(draft, 'conf.d/upstreams.conf', writer.upstreams);
  if (isWhole && !isSplit && random.chance(0.5)) {
    draft.write('/etc/nginx/nginx.conf', place(draft, 'nginx.conf'), whole([...around, ...site], stream));
    return;
  }
  const name = random.pick([
    'conf.d/rpc.conf',
    'conf.d/node.conf',
    'sites-enabled/rpc',
    'sites-enabled/rpc.conf',
  ]);
  const includes = ['include /etc/nginx/conf.d/*.conf;', 'include /etc/nginx/sites-enabled/*;'];
  const main = whole([...around, ...includes], stream);
  // A name from which the included file can be found.
  draft.write('/etc/nginx/nginx.conf', isWhole ? 'etc/nginx/nginx.conf' : null, main);
  const read = isWhole
    ? `etc/nginx/${name}`
    : random.pick([`etc/nginx/${name}`, `nginx/${name}`, 'nginx/rpc.conf']);
  draft.write(`/etc/nginx/${name}`, read, text(site));
}

/** Writes a file that another one includes. */
function include(draft: Draft, name: string, lines: readonly string[]): void {
  draft.write(`/etc/nginx/${name}`, `etc/nginx/${name}`, text(lines));
}

const place = ({ random }: Draft, name: string) => random.pick([name, `nginx/${name}`, `etc/nginx/${name}`]);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

function whole(http: readonly string[], stream: readonly string[]): string {
  const load = stream.length === 0 ? [] : ['load_module /usr/lib/nginx/modules/ngx_stream_module.so;'];
  return text([
    ...load,
    'user www-data;',
    'worker_processes 1;',
    'pid /run/nginx.pid;',
    '',
    'events {',
    '    worker_connections 8192;',
    '}',
    '',
    'http {',
    ...indented(['include /etc/nginx/mime.types;', 'access_log off;', ...http]),
    '}',
    ...stream,
  ]);
}

class Writer {
  readonly above: string[] = [];
  readonly upstreams: string[] = [];
  private readonly draft: Draft;
  /** The listeners made before the server at hand. */
  private before = 0;
  /** Of the last server; null: it cannot be shared. */
  private shared: { readonly isTls: boolean; readonly lines: readonly string[] } | null = null;
  private included = 0;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  private get random() {
    return this.draft.random;
  }

  /** Lists, logins, both, or nothing; `isOpen`: it may be nothing. */
  access(isNeeded = false): string[] {
    const { random } = this;
    const kind = random.weighted([
      [isNeeded ? 0 : 9, 'none'],
      [6, 'admit'],
      [2, 'deny'],
      [3, 'login'],
      [1, 'both'],
      [1, 'either'],
      [0.5, 'nobody'],
      [0.5, 'everyone'],
    ] as const);
    const login = ['auth_basic "node";', 'auth_basic_user_file /etc/nginx/htpasswd;'];
    const rest = random.weighted([
      [12, 'deny all;'],
      [1, 'deny 0.0.0.0/0;'],
    ]);
    const admit = this.part('office', [...this.draft.admitted().map((one) => `allow ${one};`), rest], 0.05);
    const kinds = {
      none: [],
      admit,
      deny: [...denied(random).map((one) => `deny ${one};`), ...(random.chance(0.5) ? ['allow all;'] : [])],
      login,
      both: [...admit, ...login, ...(random.chance(0.5) ? ['satisfy all;'] : [])],
      either: ['satisfy any;', ...admit, ...login],
      nobody: ['deny all;'],
      everyone: ['allow all;'],
    };
    return kinds[kind];
  }

  /** Lines in place, or in a file of their own. */
  private part(named: string, lines: string[], share: number): string[] {
    if (!this.random.chance(share)) return lines;
    this.included += 1;
    const name = `snippets/${named}${this.included}.conf`;
    include(this.draft, name, lines);
    return [`include /etc/nginx/${name};`];
  }

  server(): string[] {
    const { random, draft } = this;
    this.before = draft.ports.length;
    const again = this.shared !== null && random.chance(0.2) ? this.shared : null;
    const isTls = again?.isTls ?? random.chance(0.12);
    const listens = again?.lines ?? this.listens(isTls);
    this.shared =
      again === null
        ? { isTls, lines: listens.map((one) => one.replace(/ default_server| ipv6only=off/g, '')) }
        : null;
    const name =
      again === null
        ? random.weighted([
            [4, null],
            [4, draft.name()],
            [1, '_'],
          ])
        : draft.name('second.example.com');
    const certificate = isTls
      ? [
          'ssl_certificate /etc/nginx/tls.crt;',
          'ssl_certificate_key /etc/nginx/tls.key;',
          ...this.clientCertificate(),
        ]
      : [];
    const head = [...listens, ...(name === null ? [] : [`server_name ${name};`]), ...certificate];
    const locations = () => this.part('locations', this.locations(), 0.05);
    const body = random.chance(0.04)
      ? ['return 301 https://$host$request_uri;']
      : [...this.access(), ...this.odd(), ...locations()];
    return ['server {', ...indented([...head, '', ...body]), '}'];
  }

  private listens(isTls: boolean): string[] {
    const { random, draft } = this;
    const own = isTls || !random.chance(0.05) ? null : draft.portOfNode();
    if (own !== null) {
      const address = `${random.pick(['10.77.0.1', '203.0.113.1'])}:${own}`;
      draft.listens(own, false, [address]);
      return [`listen ${address};`];
    }
    const port = draft.port(isTls);
    const rest = `${isTls ? ' ssl' : ''}${random.chance(0.15) ? ' default_server' : ''};`;
    const kind = random.weighted([
      [5, [`${port}`]],
      [3, [`${port}`, `[::]:${port}`]],
      [1, [`0.0.0.0:${port}`]],
      [1, [`*:${port}`]],
      [0.5, [`[::]:${port} ipv6only=off`]],
      [3, [`127.0.0.1:${port}`]],
      [1, [`127.0.0.1:${port}`, `[::1]:${port}`]],
      [2, [`10.77.0.1:${port}`]],
      [1, [`203.0.113.1:${port}`]],
      [0.5, [`localhost:${port}`]],
    ] as const);
    draft.listens(port, isTls, kind);
    return kind.map((one) => `listen ${one}${rest}`);
  }

  private clientCertificate(): string[] {
    return this.random.chance(0.25)
      ? ['ssl_client_certificate /etc/nginx/tls.crt;', 'ssl_verify_client on;']
      : [];
  }

  /** Conditions of the server, which few files have. */
  private odd(): string[] {
    const { random } = this;
    if (!random.chance(0.1)) return [];
    const kinds = [
      () => ['if ($request_method != POST) {', '    return 405;', '}'],
      () => ['if ($remote_addr = 203.0.113.2) {', '    return 403;', '}'],
      () => {
        if (this.above.length === 0)
          this.above.push(
            'geo $office {',
            '    default 0;',
            '    10.0.0.0/8 1;',
            '    192.168.0.0/16 1;',
            '}',
          );
        return ['if ($office = 0) {', '    return 403;', '}'];
      },
      () => ['client_max_body_size 1m;', 'keepalive_timeout 5;'],
    ];
    return random.pick(kinds)();
  }

  private locations(): string[] {
    const { random, draft } = this;
    if (random.chance(0.1)) return this.indirect();
    const paths = random.pick([
      ['/'],
      ['/'],
      ['/'],
      ['/rpc'],
      ['/rpc', '/'],
      ['= /rpc', '/'],
      ['/rpc/', '/'],
      ['^~ /rpc/', '/health'],
      ['~ ^/v[0-9]+/rpc$', '/'],
      ['~* \\.json$', '/rpc'],
    ]);
    return paths.flatMap((path) => {
      draft.paths.add(sampleOf(path));
      return [`location ${path} {`, ...indented(this.inLocation(path)), '}'];
    });
  }

  /** Locations that other ones lead to. */
  private indirect(): string[] {
    const { random, draft } = this;
    const at = (path: string, lines: readonly string[]) => [`location ${path} {`, ...indented(lines), '}'];
    const node = (path: string, ...more: readonly string[]) => at(path, [...more, ...this.pass('~')]);
    const kinds = [
      () => [...at('/', ['try_files /none @node;']), ...node('@node')],
      () => [...at('/', ['error_page 418 = @node;', 'return 418;']), ...node('@node', ...this.access())],
      () => [...at('/', ['deny all;', 'error_page 403 = @node;']), ...node('@node')],
      () => [...at('/rpc', ['rewrite ^/rpc(.*)$ /inner$1 last;']), ...node('/inner', 'internal;')],
      () => [...at('/rpc', ['error_page 404 = /inner;', 'return 404;']), ...node('/inner', 'internal;')],
      () => at('/', [...this.access(), ...node('/rpc', ...this.access()), ...at('/node', ['return 403;'])]),
      () => at('/', ['return 404;', ...node('/rpc')]),
      () => node('/inner', 'internal;'),
    ];
    for (const path of ['/rpc', '/inner', '/node']) draft.paths.add(path);
    return random.pick(kinds)();
  }

  private inLocation(path: string): string[] {
    const { random } = this;
    const end = random.weighted([
      [8, 'proxy'],
      [1, 'return'],
      [1, 'files'],
    ] as const);
    if (end === 'return') return [random.pick(['return 403;', 'return 404;', 'return 200 "ok";'])];
    if (end === 'files') return ['root /usr/share/nginx/html;'];
    const access = random.chance(0.35) ? this.access() : [];
    const off = random.chance(0.05) ? ['auth_basic off;'] : [];
    const limit = random.chance(0.07) ? [...this.limit()] : [];
    const headers = random.chance(0.4) ? ['proxy_set_header Host $host;'] : [];
    const isLogin = access.some((one) => one.startsWith('auth_basic'));
    return [...access, ...(isLogin ? [] : off), ...limit, ...headers, ...this.pass(path)];
  }

  private limit(): string[] {
    const inside = this.random.pick([['deny all;'], [`allow ${this.draft.office[1]};`, 'deny all;']]);
    return [`limit_except ${this.random.pick(['POST', 'GET', 'GET POST'])} {`, ...indented(inside), '}'];
  }

  private pass(path: string): string[] {
    const { random, draft } = this;
    const service = draft.service(this.before);
    const suffix = path.startsWith('~')
      ? ''
      : random.weighted([
          [8, ''],
          [3, '/'],
          [0.5, '$request_uri'],
        ]);
    if (random.chance(0.25))
      return [`proxy_pass http://${this.upstream(service)}${suffix.replace('$request_uri', '')};`];
    const to = `http://${draft.authority(service)}`;
    // nginx looks names up when it starts, where no variable is in them.
    const literal = draft.literal(to);
    if (random.chance(0.03)) return [`set $node ${literal};`, 'proxy_pass $node;'];
    return [`proxy_pass ${suffix.startsWith('$') ? literal : to}${suffix};`];
  }

  private upstream(service: Service): string {
    const { random, draft, upstreams } = this;
    const name = `${random.pick(['node', 'kaia', 'rpc'])}_${upstreams.length}`;
    const more = random.chance(0.2) ? ['server 127.0.0.1:3000 backup;'] : [];
    const servers = [
      `server ${draft.authority(service)};`,
      ...more,
      ...(random.chance(0.3) ? ['keepalive 8;'] : []),
    ];
    upstreams.push(`upstream ${name} {`, ...indented(servers), '}');
    return name;
  }

  stream(): string[] {
    const { random, draft } = this;
    const before = draft.ports.length;
    const port = draft.port();
    const listen = random.pick([`${port}`, `${port}`, `10.77.0.1:${port}`, `127.0.0.1:${port}`]);
    draft.listens(port, false, [listen]);
    const lists = random.chance(0.5) ? [...draft.admitted().map((one) => `allow ${one};`), 'deny all;'] : [];
    const server = [`listen ${listen};`, ...lists, `proxy_pass ${draft.authority(draft.service(before))};`];
    return ['stream {', ...indented(['server {', ...indented(server), '}']), '}'];
  }
}

/** A path that a location is for. */
function sampleOf(location: string): string {
  if (location.startsWith('~*')) return '/a.json';
  if (location.startsWith('~')) return '/v1/rpc';
  return location.replace(/^[=^~]+ /, '');
}
