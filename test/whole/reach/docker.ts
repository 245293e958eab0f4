/** The rules that Docker adds to those of its machine for a network and its published ports. */

/** A port of the machine, and that of a container. */
export interface Translated {
  readonly host: string;
  readonly port: number;
  readonly to: { readonly host: string; readonly port: number };
}

/** For `iptables-restore --noflush`. */
export function dockerRules(network: string, published: readonly Translated[]): string {
  const each = (rule: (one: Translated, to: string) => string) =>
    published.map((one) => rule(one, `-p tcp -m tcp --dport ${one.to.port}`));
  const nat = [
    ':DOCKER - [0:0]',
    '-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER',
    '-A OUTPUT ! -d 127.0.0.0/8 -m addrtype --dst-type LOCAL -j DOCKER',
    `-A POSTROUTING -s ${network} ! -o br0 -j MASQUERADE`,
    ...each(({ to: { host } }, port) => `-A POSTROUTING -s ${host}/32 -d ${host}/32 ${port} -j MASQUERADE`),
    '-A DOCKER -i br0 -j RETURN',
    // Docker leaves the other addresses of IPv6 to its forwarders.
    ...published
      .filter(({ host }) => host === '::' || !host.includes(':'))
      .map(({ host, port, to }) => {
        const own = host === '::' || host === '0.0.0.0' ? '' : `-d ${host}/32 `;
        return `-A DOCKER ${own}! -i br0 -p tcp -m tcp --dport ${port} -j DNAT --to-destination ${to.host}:${to.port}`;
      }),
  ];
  const filter = [
    ':FORWARD DROP [0:0]',
    ':DOCKER - [0:0]',
    ':DOCKER-USER - [0:0]',
    // Inserted before the rules that are there.
    '-I FORWARD -i br0 -o br0 -j ACCEPT',
    '-I FORWARD -i br0 ! -o br0 -j ACCEPT',
    '-I FORWARD -o br0 -j DOCKER',
    '-I FORWARD -o br0 -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    '-I FORWARD -j DOCKER-USER',
    ...each(({ to: { host } }, port) => `-A DOCKER -d ${host}/32 ! -i br0 -o br0 ${port} -j ACCEPT`),
    '-A DOCKER-USER -j RETURN',
  ];
  return ['*nat', ...nat, 'COMMIT', '*filter', ...filter, 'COMMIT', ''].join('\n');
}
