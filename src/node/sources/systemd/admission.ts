/** Who reaches the ports of a unit: IPAddressAllow and IPAddressDeny, SocketBindAllow and SocketBindDeny, PrivateNetwork. */
import { pairs } from '../../../util/pairs.js';
import { familiesOf } from '../../facts/firewall.js';
import { type OwnHop, openTo } from '../../facts/hops.js';
import { reachOfClients } from '../../facts/reach.js';
import type { Reach } from '../../facts/severity.js';
import type { Directive } from './directives.js';

/** What stands before a TCP port that is bound to a host; null if there is nothing. */
export type Admits = (port: number | null, host: string | null) => OwnHop | null;

function before(open: Reach, because: string): OwnHop {
  return { of: 'address', access: openTo(open), because, via: [] };
}

/** Null if the unit limits nothing. systemd.resource-control(5) */
export function admissionOf(lines: readonly Directive[]): Admits | null {
  const values = (name: string) => {
    const all = lines.filter((line) => line.name === name).map(({ value }) => value.text.trim());
    return all.slice(all.lastIndexOf('') + 1).flatMap((text) => text.split(/\s+/));
  };
  const isAlone = /^(?:1|yes|true|on)$/i.test(values('PrivateNetwork').at(-1) ?? '');
  if (isAlone) return () => before('loopback', 'PrivateNetwork gives it a network of its own');
  const addresses = addressLimit(values('IPAddressDeny'), values('IPAddressAllow'));
  const [denied, allowed] = [values('SocketBindDeny'), values('SocketBindAllow')];
  if (addresses === null && denied.length === 0) return null;
  return (port, host) => {
    const families = familiesOf(host);
    const isBound =
      port === null ||
      families.some((one) => !covers(denied, port, one)) ||
      families.some((one) => covers(allowed, port, one));
    return isBound ? addresses : before('loopback', `SocketBindDeny denies it port ${port}`);
  };
}

/** An address that is allowed is allowed although it is denied too. */
function addressLimit(denied: readonly string[], allowed: readonly string[]): OwnHop | null {
  const all = denied.includes('any') || (denied.includes('0.0.0.0/0') && denied.includes('::/0'));
  if (!all) return null;
  const reach =
    allowed.length === 0 ? 'loopback' : reachOfClients(allowed.map((range) => subnets.get(range) ?? range));
  return reach === 'any' ? null : before(reach, 'IPAddressDeny denies other addresses');
}

/** The names of systemd for subnets. */
const subnets = new Map(
  pairs('any=0.0.0.0/0 localhost=127.0.0.0/8 link-local=169.254.0.0/16 multicast=224.0.0.0/4'),
);

/** A rule is [family:][protocol:]ports, where ports is `any`, a port or a range. */
function covers(rules: readonly string[], port: number, family: string): boolean {
  return rules.some((rule) => {
    const parts = rule.split(':');
    if (parts.includes('udp') || (/^ipv\d$/.test(parts[0] ?? '') && parts[0] !== family)) return false;
    const ports = parts.at(-1) ?? '';
    const [low, high = low] = ports.split('-').map(Number);
    return (
      !/^\d+(?:-\d+)?$/.test(ports) ||
      (low !== undefined && high !== undefined && port >= low && port <= high)
    );
  });
}
