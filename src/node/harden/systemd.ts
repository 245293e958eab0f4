/** A drop-in for the node's unit: what it may open, and what it may not touch. */
import { basename } from 'node:path/posix';
import { comment, file } from './comment.js';
import type { Plan } from './plan.js';
import { assumptions } from './preamble.js';

export function systemd(plan: Plan): string {
  const unit = unitOf(plan);
  return file(
    comment([
      `What the node of ${plan.source} may do.`,
      `Save it as /etc/systemd/system/${unit}.d/harden.conf, then check and load it:`,
      `$ systemd-analyze verify ${unit}`,
      `$ systemctl daemon-reload && systemctl restart ${unit}`,
      ...(plan.contained
        ? [
            'It is for a unit that runs the node itself: a container of its own is restricted by what runs it.',
          ]
        : []),
      ...assumptions(plan),
    ]),
    ['[Service]', ...binding(plan)],
    [
      ...comment([
        'Who reaches these ports is not said here: IPAddressAllow counts for every port alike, and other nodes dial from any address. Use --for nftables.',
      ]),
    ],
    [
      ...comment([
        'A packaged node runs as root, so that whoever gets debug over http or ws writes any file. Give it a user of its own once its folders are that user’s: User=kaia',
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

/** The unit that was read, or the one the package installs. */
function unitOf({ kind, source, launcher }: Plan): string {
  const name = basename(source);
  return kind === 'systemd' && /^[\w.@-]+\.service$/.test(name) ? name : `${launcher}.service`;
}

/** Port 0, any free one, stays allowed: Go's runtime and UPnP ask for it. */
function binding({ local, metrics, peers, portsKnown }: Plan): string[] {
  const ports = [...local, ...(metrics === null ? [] : [metrics]), ...peers];
  const allowed = [...new Set(ports.map(({ protocol, own }) => `${protocol}:${own}`))];
  const why = comment([
    'The ports its settings open, and no other: admin_startHTTP opens none beside them.',
    ...(portsKnown ? [] : ['Left out, since not every port is known: complete the list first.']),
  ]);
  const mark = portsKnown ? '' : '# ';
  return [...why, `${mark}SocketBindDeny=1-65535`, ...allowed.map((one) => `${mark}SocketBindAllow=${one}`)];
}

function home({ dataDir }: Plan): string[] {
  if (dataDir?.startsWith('/') === true && !/^\/+(?:home|root|run\/user)(?:\/|$)/.test(dataDir))
    return ['ProtectHome=yes'];
  return comment(['ProtectHome=yes is left out: the node’s data is, or may be, in a home folder.']);
}
