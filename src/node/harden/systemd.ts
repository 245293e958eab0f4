/** A systemd drop-in that limits the ports and files of the node. */

import { basename } from 'node:path/posix';
import { sayIf } from '../../util/words.js';
import type { Plan } from './plan.js';
import { assumptions, comment, file } from './text.js';

export function systemd(plan: Plan): string {
  const unit = unitOf(plan);
  return file(
    comment([
      `Restricts the node of ${plan.source}.`,
      `Save it as /etc/systemd/system/${unit}.d/harden.conf, then check and load it:`,
      `$ systemd-analyze verify ${unit}`,
      `$ systemctl daemon-reload && systemctl restart ${unit}`,
      ...sayIf(
        plan.contained,
        'It is for a unit that runs the node itself. The container runtime restricts a node in a container.',
      ),
      ...assumptions(plan),
    ]),
    ['[Service]', ...binding(plan)],
    comment([
      'This does not limit who reaches these ports: IPAddressAllow applies to every port, and peers connect from any address. Use --for nftables.',
    ]),
    [
      ...comment([
        `${runsAs(plan)} Create a user that owns the node’s folders, then add: User=${plan.nodeKind.id}`,
      ]),
      'NoNewPrivileges=yes',
      'ProtectSystem=full',
      ...home(plan),
      'PrivateTmp=yes',
      'PrivateDevices=yes',
      'ProtectKernelTunables=yes',
      'ProtectKernelModules=yes',
      'ProtectControlGroups=yes',
      'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
      'RestrictNamespaces=yes',
      'RestrictSUIDSGID=yes',
      'LockPersonality=yes',
    ],
  );
}

/** The packages of a kind with launchers start the node as root. */
function runsAs({ nodeKind: { launchers } }: Plan): string {
  return launchers === null
    ? 'Without User= the unit runs the node as root.'
    : 'A packaged node runs as root, so a client with debug over http or ws can write any file.';
}

/** The unit that was read, or the one that the package installs. */
function unitOf({ kind, source, launcher }: Plan): string {
  const name = basename(source);
  return kind === 'systemd' && /^[\w.@-]+\.service$/.test(name) ? name : `${launcher}.service`;
}

/**
 * The ports of the settings. Port 0, a free one of the kernel's choice, stays allowed: no rule names it
 * (systemd.resource-control(5): 1 to 65535, `any` a positive port), and Go's runtime and UPnP bind it.
 */
function binding({ local, metrics, peers, portsKnown }: Plan): string[] {
  const ports = [...local, ...(metrics === null ? [] : [metrics]), ...peers];
  const allowed = [...new Set(ports.map(({ protocol, own }) => `${protocol}:${own}`))];
  const why = comment([
    'The ports its settings open, and no other port by its number.',
    'Port 0 stays, as systemd has no rule for it: a program can still open a port of the kernel’s choice. Keep admin and debug off http and ws, and let a firewall drop all that comes to any other port (sysctl net.ipv4.ip_local_port_range).',
    ...(portsKnown ? [] : ['Left out, since not every port is known: complete the list first.']),
  ]);
  const mark = portsKnown ? '' : '# ';
  return [...why, `${mark}SocketBindDeny=1-65535`, ...allowed.map((one) => `${mark}SocketBindAllow=${one}`)];
}

function home({ dataDir }: Plan): string[] {
  if (dataDir?.startsWith('/') === true && !/^\/+(?:home|root|run\/user)(?:\/|$)/.test(dataDir))
    return ['ProtectHome=yes'];
  return comment(['ProtectHome=yes is left out: the node’s data may be in a home folder.']);
}
