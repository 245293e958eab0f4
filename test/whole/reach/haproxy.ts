/** Generated configurations of HAProxy in front of a node. */
import { type Draft, denied, indented, password, type Service, user } from './draft.js';

export function addHaproxy(draft: Draft): void {
  const { random } = draft;
  draft.proxies.push('haproxy');
  const writer = new Writer(draft);
  const count = random.weighted([
    [7, 1],
    [3, 2],
  ]);
  const sections = Array.from({ length: count }, () =>
    random.chance(0.3) ? writer.listen() : writer.frontend(),
  );
  const mode = writer.isTcp ? 'tcp' : 'http';
  const head = [
    'global',
    '    maxconn 4096',
    '',
    'defaults',
    `    mode ${mode}`,
    ...['connect', 'client', 'server'].map((name) => `    timeout ${name} 30s`),
    '',
  ];
  const users = writer.hasUsers
    ? ['userlist operators', `    user ${user} insecure-password ${password}`, '']
    : [];
  const lines = [...head, ...users, ...sections.flat(), ...writer.backends];
  const read = random.pick(['haproxy.cfg', 'haproxy/haproxy.cfg', 'etc/haproxy/haproxy.cfg']);
  draft.write('/etc/haproxy/haproxy.cfg', read, `${lines.join('\n')}\n`);
}

class Writer {
  readonly backends: string[] = [];
  readonly isTcp: boolean;
  hasUsers = false;
  /** The listeners made before the section at hand. */
  private before = 0;
  private count = 0;

  private readonly draft: Draft;

  constructor(draft: Draft) {
    this.draft = draft;
    this.isTcp = draft.random.chance(0.15);
  }

  private get random() {
    return this.draft.random;
  }

  private binds(): string[] {
    const { random, draft } = this;
    const isTls = random.chance(0.1);
    const port = draft.port(isTls);
    const kinds = random.weighted([
      [4, [`*:${port}`]],
      [3, [`:${port}`]],
      [1, [`0.0.0.0:${port}`]],
      [1, [`:::${port} v4v6`]],
      [3, [`127.0.0.1:${port}`]],
      [2, [`10.77.0.1:${port}`]],
      [1, [`203.0.113.1:${port}`]],
      [0.5, [`127.0.0.1:${port}`, `10.77.0.1:${port}`]],
      [0.5, [`127.0.0.1:${port},10.77.0.1:${port}`]],
    ]);
    draft.listens(port, isTls, kinds);
    const certificate = random.chance(0.3) ? ' ca-file /etc/haproxy/tls.crt verify required' : '';
    return kinds.map((one) => `bind ${one}${isTls ? ` ssl crt /etc/haproxy/tls.pem${certificate}` : ''}`);
  }

  /** Rules that deny, and the condition under which a backend is used. */
  private rules(): string[] {
    const { random } = this;
    const all = [...this.draft.admitted()].join(' ');
    const some = [...denied(random)].join(' ');
    const tcp = [
      [`acl office src ${all}`, 'tcp-request connection reject if !office'],
      [`tcp-request connection reject if !{ src ${all} }`],
      [`tcp-request connection reject if { src ${some} }`],
      [`acl office src ${all}`, 'tcp-request connection accept if office', 'tcp-request connection reject'],
    ];
    if (random.chance(0.45)) return [];
    if (this.isTcp || random.chance(0.2)) return random.pick(tcp);
    const kinds: readonly (readonly [number, () => string[]])[] = [
      [3, () => [`acl office src ${all}`, 'http-request deny if !office']],
      [3, () => [`acl office src ${all}`, 'http-request deny unless office']],
      [1, () => [`http-request deny unless { src ${all} }`]],
      [1, () => [`http-request deny if { src ${some} }`]],
      [1, () => [`acl office src ${all}`, 'http-request allow if office', 'http-request deny']],
      [3, () => this.login()],
      [1, () => [`acl office src ${all}`, 'http-request deny if METH_POST !office']],
      [1, () => [`acl office src ${all}`, 'acl office src 127.0.0.1', 'http-request deny if !office']],
      [1, () => [`http-request deny if !{ src ${all} } !{ src 127.0.0.1 }`]],
      [1, () => [`http-request deny if { src ${some} } || { src 203.0.113.3 }`]],
      [0.5, () => [`acl office src ${all}`, 'http-request return status 403 if !office']],
      [0.5, () => ['http-request redirect scheme https unless { ssl_fc }']],
      [0.5, () => ['acl bad hdr(user-agent) -i -m sub curl', 'http-request deny if bad']],
      [0.5, () => [`acl office src ${all}`, 'tcp-request content reject if !office']],
      [0.5, () => [`acl office src ${all}`, 'http-request deny if !office { path_beg /rpc }']],
      [0.5, () => [...this.login(), 'http-request deny if { src 203.0.113.0/24 }']],
    ];
    return random.weighted(kinds)();
  }

  private login(): string[] {
    this.hasUsers = true;
    return this.random.pick([
      ['http-request auth unless { http_auth(operators) }'],
      ['acl known http_auth(operators)', 'http-request auth realm node if !known'],
      ['http-request deny if !{ http_auth(operators) }'],
    ]);
  }

  listen(): string[] {
    this.before = this.draft.ports.length;
    const { draft } = this;
    const server = `server node ${this.server(draft.service(this.before))}`;
    return [`listen ${this.label()}`, ...indented([...this.binds(), ...this.rules(), server]), ''];
  }

  frontend(): string[] {
    this.before = this.draft.ports.length;
    const { random, draft } = this;
    const uses = this.isTcp
      ? [`default_backend ${this.backend(draft.service(this.before))}`]
      : random.weighted([
          [4, () => [`default_backend ${this.backend(draft.service(this.before))}`]],
          [2, () => this.byPath()],
          [2, () => this.byAddress()],
          [1, () => this.byName()],
        ])();
    return [`frontend ${this.label()}`, ...indented([...this.binds(), ...this.rules(), ...uses]), ''];
  }

  private rest(): string[] {
    const { random, draft } = this;
    return random.chance(0.5) ? [`default_backend ${this.backend(draft.service(this.before))}`] : [];
  }

  private byPath(): string[] {
    const { random, draft } = this;
    draft.paths.add('/rpc');
    const backend = this.backend(draft.service(this.before));
    const use = random.pick([
      [`use_backend ${backend} if { path_beg /rpc }`],
      ['acl calls path_beg /rpc', `use_backend ${backend} if calls`],
      [`use_backend ${backend} if { path /rpc }`],
    ]);
    return [...use, ...this.rest()];
  }

  private byAddress(): string[] {
    const { random, draft } = this;
    const list = this.draft.admitted().join(' ');
    const backend = this.backend(draft.service(this.before));
    return random.pick([
      [`acl inside src ${list}`, `use_backend ${backend} if inside`],
      [`use_backend ${backend} if { src ${list} }`],
    ]);
  }

  private byName(): string[] {
    const { draft } = this;
    const name = draft.name();
    return [
      `use_backend ${this.backend(draft.service(this.before))} if { hdr(host) -i ${name} }`,
      ...this.rest(),
    ];
  }

  private backend(service: Service): string {
    const name = this.label();
    const rules =
      this.random.chance(0.1) && !this.isTcp
        ? [`http-request deny unless { src ${this.draft.office[1]} }`]
        : [];
    const options = this.random.pick(['', '', ' check', ' weight 10', ' check inter 2s']);
    const others = this.random.chance(0.1) ? ['server spare 127.0.0.1:3000 backup'] : [];
    this.backends.push(
      `backend ${name}`,
      ...indented([...rules, `server node ${this.server(service)}${options}`, ...others]),
      '',
    );
    return name;
  }

  private server(service: Service): string {
    // It asks for an address when it starts, and takes the first one.
    return this.draft
      .authority(service)
      .replace('localhost', '127.0.0.1')
      .replace(/^\[(.*)\]/, '$1');
  }

  private label(): string {
    this.count += 1;
    return `${this.random.pick(['rpc', 'node', 'calls'])}_${this.count}`;
  }
}
