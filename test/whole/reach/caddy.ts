/** Generated Caddyfiles in front of a node. */
import { type Draft, denied, indented, passwordHash, user } from './draft.js';

export function addCaddy(draft: Draft): void {
  const { random } = draft;
  draft.proxies.push('caddy');
  const writer = new Writer(draft);
  const sites = Array.from(
    {
      length: random.weighted([
        [7, 1],
        [3, 2],
      ]),
    },
    () => writer.site(),
  );
  const options = writer.options();
  const lines = [...options, ...writer.snippets, ...sites.flat()];
  const read = random.pick(['Caddyfile', 'caddy/Caddyfile', 'etc/caddy/Caddyfile']);
  draft.write('/etc/caddy/Caddyfile', read, `${lines.join('\n')}\n`);
}

class Writer {
  readonly snippets: string[] = [];
  /** The listeners made before the site at hand. */
  private before = 0;
  private count = 0;

  private readonly draft: Draft;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  private get random() {
    return this.draft.random;
  }

  options(): string[] {
    const { random } = this;
    const chosen = [
      ...(random.chance(0.2) ? ['admin off'] : []),
      ...(random.chance(0.05) ? ['default_bind 127.0.0.1'] : []),
      // Else it binds port 80 for sites with TLS.
      ...(random.chance(0.1) || this.draft.hasSeveral ? ['auto_https disable_redirects'] : []),
    ];
    return chosen.length === 0 ? [] : ['{', ...indented(chosen, '\t'), '}', ''];
  }

  site(): string[] {
    const { random, draft } = this;
    this.before = draft.ports.length;
    const { address, isTls, port } = this.address();
    const verified = [
      'client_auth {',
      '\tmode require_and_verify',
      '\ttrusted_ca_cert_file /etc/caddy/tls.crt',
      '}',
    ];
    const certificate = 'tls /etc/caddy/tls.crt /etc/caddy/tls.key';
    const tls = random.chance(0.2) ? [`${certificate} {`, ...indented(verified, '\t'), '}'] : [certificate];
    const bind = random.weighted([
      [8, []],
      [2, ['bind 127.0.0.1']],
      [1, ['bind 127.0.0.1 ::1']],
      [1, ['bind 10.77.0.1']],
      [0.5, ['bind 203.0.113.1']],
      [0.5, ['bind 0.0.0.0']],
    ]);
    draft.listens(port, isTls, bind.length === 0 ? [':'] : bind, !/^(?:http:\/\/)?:/.test(address));
    const log = random.chance(0.2) ? ['encode gzip'] : [];
    return [`${address} {`, ...indented([...(isTls ? tls : []), ...bind, ...log, ...this.body()], '\t'), '}'];
  }

  private address(): { address: string; isTls: boolean; port: number } {
    const { random, draft } = this;
    const isTls = random.chance(0.25);
    const port = draft.port(isTls);
    const name = random.weighted([
      [5, null],
      [4, draft.name()],
      [1, 'localhost'],
      [isTls ? 0 : 0.5, '127.0.0.1'],
    ]);
    if (name !== null || isTls) draft.names.add(name ?? 'rpc.example.com');
    if (isTls)
      return {
        address: `${port === 443 ? '' : 'https://'}${name ?? 'rpc.example.com'}:${port}`,
        isTls,
        port,
      };
    const bare = name === null && random.chance(0.6);
    return { address: `${bare ? '' : 'http://'}${name ?? ''}:${port}`, isTls, port };
  }

  private to(): string {
    const { random, draft } = this;
    const authority = draft.authority(draft.service(this.before));
    return random.chance(0.15) ? `http://${authority}` : authority;
  }

  /** A matcher of addresses by name, defined by its line. */
  private matcher(isNot: boolean): { name: string; line: string } {
    const { random } = this;
    this.count += 1;
    const name = `@${random.pick(['office', 'inside', 'clients'])}${this.count}`;
    const list = random.chance(0.15) ? ['private_ranges'] : this.draft.admitted();
    return { name, line: `${name} ${isNot ? 'not ' : ''}remote_ip ${list.join(' ')}` };
  }

  private proxy(matcher = ''): string[] {
    const words = ['reverse_proxy', matcher, this.to()].filter((one) => one !== '').join(' ');
    const block = ['header_up Host {upstream_hostport}'];
    return this.random.chance(0.15) ? [`${words} {`, ...indented(block, '\t'), '}'] : [words];
  }

  private login(matcher = ''): string[] {
    const head = ['basicauth', matcher].filter((one) => one !== '').join(' ');
    return [`${head} {`, `\t${user} ${passwordHash}`, '}'];
  }

  private body(): string[] {
    const { random } = this;
    const kinds: readonly (readonly [number, () => string[]])[] = [
      [4, () => this.proxy()],
      [2, () => this.proxy(this.path('/rpc*', '/rpc'))],
      [3, () => this.admitting()],
      [3, () => this.refusing()],
      [3, () => this.handling()],
      [3, () => [...this.login(random.chance(0.3) ? this.path('/rpc*', '/rpc') : ''), ...this.proxy()]],
      [1, () => ['route {', ...indented([...this.refusing()], '\t'), '}']],
      [1, () => ['@calls method POST', ...this.proxy('@calls')]],
      [1, () => this.both()],
      [1, () => this.imported()],
      [0.7, () => this.importedProxy()],
      [0.7, () => [`reverse_proxy {`, `\tto ${this.to()}`, '}']],
      [0.5, () => ['@bot header User-Agent *curl*', 'respond @bot 403', ...this.proxy()]],
      [0.5, () => [...this.proxy(this.path('/rpc*', '/rpc')), 'redir /old /rpc']],
      [0.5, () => ['@known header X-Key abc', ...this.proxy('@known')]],
      [0.5, () => ['rewrite * /node', ...this.proxy(this.path('/node', '/node'))]],
      [0.5, () => ['@post expression `method("POST")`', ...this.proxy('@post')]],
      [0.5, () => [...this.login(), ...this.refusing()]],
      [0.5, () => ['respond "ok"']],
      [0.5, () => ['root * /usr/share/nginx/html', 'file_server']],
    ];
    return random.weighted(kinds)();
  }

  private path(matcher: string, sample: string): string {
    this.draft.paths.add(sample);
    return matcher;
  }

  private admitting(): string[] {
    const { name, line } = this.matcher(false);
    const rest = this.random.pick([['respond 403'], [], ['handle {', '\trespond "no" 403', '}']]);
    return [line, `handle ${name} {`, ...indented(this.proxy(), '\t'), '}', ...rest];
  }

  private refusing(): string[] {
    const { random } = this;
    const isSome = random.chance(0.2);
    const { name, line } = isSome
      ? { name: '@bad', line: `@bad remote_ip ${denied(random).join(' ')}` }
      : this.matcher(true);
    return [
      line,
      random.pick([`respond ${name} 403`, `abort ${name}`, `respond ${name} "no" 403`]),
      ...this.proxy(),
    ];
  }

  private handling(): string[] {
    const { random } = this;
    const first = random.weighted([
      [3, `handle ${this.path('/rpc*', '/rpc')}`],
      [1, `handle_path ${this.path('/node/*', '/node/')}`],
      [1, `handle ${this.path('/rpc', '/rpc')}`],
    ]);
    const rest = random.pick([['respond 404'], this.proxy(), ['file_server']]);
    const inside = random.chance(0.2) ? this.login() : [];
    return [
      `${first} {`,
      ...indented([...inside, ...this.proxy()], '\t'),
      '}',
      'handle {',
      ...indented(rest, '\t'),
      '}',
    ];
  }

  /** A path and addresses in one matcher. */
  private both(): string[] {
    const { random } = this;
    const lines = [`path ${this.path('/rpc*', '/rpc')}`, `remote_ip ${this.draft.admitted().join(' ')}`];
    const rest = random.chance(0.5) ? ['respond 404'] : [];
    return ['@allowed {', ...indented(lines, '\t'), '}', ...this.proxy('@allowed'), ...rest];
  }

  private importedProxy(): string[] {
    if (!this.snippets.includes('(proxied) {'))
      this.snippets.push('(proxied) {', '\treverse_proxy {args.0}', '}', '');
    return [`import proxied ${this.to()}`];
  }

  private imported(): string[] {
    const { name, line } = this.matcher(true);
    const snippet = `limits${this.count}`;
    this.snippets.push(`(${snippet}) {`, ...indented([line, `abort ${name}`], '\t'), '}', '');
    return [`import ${snippet}`, ...this.proxy()];
  }
}
