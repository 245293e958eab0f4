/** Generated configurations of Apache in front of a node. */
import { createHash } from 'node:crypto';
import { type Draft, denied, indented, password, user } from './draft.js';

const modules = [
  ...['alias', 'auth_basic', 'authn_core', 'authn_file', 'authz_core', 'authz_host', 'authz_user', 'env'],
  ...[
    'lbmethod_byrequests',
    'mpm_event',
    'proxy',
    'proxy_balancer',
    'proxy_http',
    'rewrite',
    'slotmem_shm',
    'ssl',
  ],
];

export function addApache(draft: Draft): void {
  const { random } = draft;
  draft.proxies.push('apache');
  const writer = new Writer(draft);
  const count = random.weighted([
    [7, 1],
    [3, 2],
  ]);
  const site = Array.from({ length: count }, () => writer.server()).flat();
  const main = [
    ...['DefaultRuntimeDir /run', 'PidFile /run/apache2.pid', 'ServerName localhost'],
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    ...['User www-data', 'Group www-data', 'ErrorLog /var/log/apache2.log'],
  ];
  const read = random.pick(['etc/apache2/', 'apache2/', '']);
  const write = (name: string, place: string | null, lines: readonly string[]) =>
    draft.write(`/etc/apache2/${name}`, place, `${lines.join('\n')}\n`);
  const login = `${user}:{SHA}${createHash('sha1').update(password).digest('base64')}`;
  write('htpasswd', null, [login]);
  if (random.chance(0.3)) write('apache2.conf', `${read}apache2.conf`, [...main, ...site]);
  else {
    write('apache2.conf', null, [...main, 'IncludeOptional sites-enabled/*.conf']);
    write('sites-enabled/rpc.conf', `${read}sites-enabled/rpc.conf`, site);
  }
}

class Writer {
  private readonly draft: Draft;
  /** The listeners made before the server at hand. */
  private before = 0;
  private balancers = 0;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  private get random() {
    return this.draft.random;
  }

  server(): string[] {
    const { random, draft } = this;
    this.before = draft.ports.length;
    const isTls = random.chance(0.12);
    const port = draft.port(isTls);
    const listens = random.weighted([
      [6, [`${port}`]],
      [1, [`0.0.0.0:${port}`]],
      [3, [`127.0.0.1:${port}`]],
      [1, [`127.0.0.1:${port}`, `[::1]:${port}`]],
      [2, [`10.77.0.1:${port}`]],
      [1, [`203.0.113.1:${port}`]],
    ]);
    draft.listens(port, isTls, listens);
    const [only = ''] = listens;
    const address = only.includes(':') && listens.length === 1 && random.chance(0.4) ? only : `*:${port}`;
    const name = random.chance(0.4) ? [`ServerName ${draft.name()}`] : [];
    const body = random.chance(0.04) ? ['Redirect permanent / https://rpc.example.com/'] : this.body();
    return [
      ...listens.map((one) => `Listen ${one}`),
      `<VirtualHost ${address}>`,
      ...indented([...name, ...(isTls ? this.certificate() : []), ...body]),
      '</VirtualHost>',
    ];
  }

  private certificate(): string[] {
    const own = ['SSLEngine on', ...['', 'Key'].map((one) => `SSLCertificate${one}File tls.pem`)];
    return this.random.chance(0.25)
      ? [...own, 'SSLVerifyClient require', 'SSLCACertificateFile tls.crt']
      : own;
  }

  private body(): string[] {
    const { random, draft } = this;
    const path = random.weighted([
      [6, '/'],
      [3, '/rpc'],
    ]);
    draft.paths.add(path);
    const preserve = random.chance(0.5) ? ['ProxyPreserveHost On'] : [];
    const section = (name: string, lines: readonly string[]) =>
      lines.length === 0 ? [] : [`<${name}>`, ...indented(lines), `</${name.split(' ')[0]}>`];
    const access = this.access();
    const to = this.to();
    const slash = path === '/' ? '/' : random.pick(['', '/']);
    const kinds: readonly (readonly [number, () => string[]])[] = [
      [6, () => [`ProxyPass ${path} ${to}${slash}`, `ProxyPassReverse ${path} ${to}${slash}`]],
      [3, () => section(`Location ${path}`, [`ProxyPass ${to}${slash}`])],
      [1, () => ['RewriteEngine On', `RewriteRule ^/(.*)$ ${to}/$1 [P,L]`]],
      [1, () => ['ProxyPass /static !', `ProxyPass ${path} ${to}${slash}`]],
      [1, () => [`ProxyPassMatch ^${path} ${to}`]],
      [1, () => this.balanced(path, to)],
    ];
    const place = random.weighted([
      [5, `Location ${path}`],
      [3, 'Location /'],
      [2, 'Proxy *'],
      [0.5, 'Location /other'],
      [0.2, `LocationMatch ^${path}`],
    ]);
    return [...preserve, ...random.weighted(kinds)(), ...section(place, access)];
  }

  private balanced(path: string, to: string): string[] {
    this.balancers += 1;
    const name = `balancer://node${this.balancers}`;
    return [`<Proxy ${name}>`, `    BalancerMember ${to}`, '</Proxy>', `ProxyPass ${path} ${name}/`];
  }

  private to(): string {
    return `http://${this.draft.authority(this.draft.service(this.before))}`;
  }

  /** Lists, logins, both, or nothing. */
  private access(): string[] {
    const { random, draft } = this;
    // It takes no network without a prefix.
    const list = draft.admitted().filter((one) => !one.endsWith('/0'));
    const admit = [`Require ip ${list.join(' ')}`];
    const login = ['AuthType Basic', 'AuthName node', 'AuthUserFile htpasswd'];
    const block = (name: string, ...lines: readonly string[]) => [
      `<${name}>`,
      ...indented(lines),
      `</${name.split(' ')[0]}>`,
    ];
    return random.weighted<() => string[]>([
      [6, () => []],
      [6, () => admit],
      [1, () => ['Require local']],
      [1, () => ['Require local', ...admit]],
      [3, () => [...login, 'Require valid-user']],
      [1, () => [...login, ...block('RequireAll', 'Require valid-user', ...admit)]],
      [1, () => [...login, ...block('RequireAny', 'Require valid-user', ...admit)]],
      [1, () => [...login, 'Require valid-user', ...admit]],
      [1, () => block('RequireAll', 'Require all granted', `Require not ip ${denied(random).join(' ')}`)],
      [1, () => block('LimitExcept POST', 'Require all denied')],
      [1, () => block('Limit GET', ...admit)],
      [0.5, () => ['Require all denied']],
      [0.5, () => ['Require all granted']],
    ])();
  }
}
