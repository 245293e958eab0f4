/** Commands and files that forward ports: relays of one port, tunnels and rules of a firewall. */

import type { Destination } from '../../facts/hops.js';
import { destinationOf, isLoopbackAddress, local } from '../../reach/address.js';
import type { WrittenHop } from '../../reach/hop.js';
import { type ForwarderRow, lineBefore, pattern } from './row.js';

/** The parts of `[bind:]port:host:port`; an address in brackets is one part. */
function splitForward(text: string): string[] {
  return text.match(/\[[^\]]*\]|[^:]+|(?<=^|:)(?=:)/g) ?? [];
}

/** The destination of an ssh forward: its last two parts, or a socket. */
function sshDestination(text: string): readonly Destination[] {
  const parts = splitForward(text);
  const last = parts.at(-1) ?? '';
  if (last.startsWith('/')) return [destinationOf(last)];
  return parts.length < 3 ? [] : [destinationOf(`${parts.at(-2)}:${last}`)];
}

/** The address in front of the destination; ssh -L binds loopback without one, unless -g opens it. */
function sshListening(spec: string, isRemote: boolean, opens: boolean): string | null {
  const parts = splitForward(spec);
  const own = parts.slice(0, parts.at(-1)?.startsWith('/') ? -1 : -2);
  if (isRemote) return null;
  return own.length > 1 || own[0]?.startsWith('/') ? own.join(':') : `${opens ? '*' : 'localhost'}:${own[0]}`;
}

/** The local part of `kubectl port-forward`, and the ports behind it. */
function kubectlPorts(rest: string): { readonly object: string | null; readonly ports: readonly string[] } {
  const words = rest
    .replace(/["'[\]]|,(?=[\s"'])/g, ' ')
    .trim()
    .split(/\s+/);
  const values = words.filter((word, index) => !/^-/.test(word) && !/^-[^=]*$/.test(words[index - 1] ?? ''));
  const object = values.find((word) => !/^\d*:?\d+$/.test(word)) ?? null;
  return {
    object: object?.replace(/^.*\//, '') ?? null,
    ports: words.filter((word) => /^\d*:?\d+$/.test(word)),
  };
}

const listen = /\b(?:TCP[46]?|OPENSSL|SSL|UNIX|UDP[46]?|VSOCK|ABSTRACT)-L(?:ISTEN)?:[^\s"']+/i;
const socatAddress =
  /\b(?<address>(?:(?:TCP[46]?|OPENSSL|SSL|UNIX|UDP[46]?|VSOCK|ABSTRACT)(?:-(?:CONNECT|CLIENT|LISTEN|L))?|GOPEN):(?!\/\/)[^\s"']+)/gi;

/** Finds pairs of a listening and a connecting address, in either order. A single address counts only beside the word socat. */
function socatForwards(text: string): readonly WrittenHop[] {
  const all = [...text.matchAll(socatAddress)];
  const found: WrittenHop[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const [one, next] = [all[at] as RegExpExecArray, all[at + 1]];
    const isListening = listen.test(one[0]);
    const isPair =
      next !== undefined &&
      listen.test(next[0]) !== isListening &&
      next.index - one.index - one[0].length < 200;
    if (isPair) found.push(isListening ? socat(next, one) : socat(one, next));
    else if (!isListening && isRelay(text, one.index)) found.push(socat(one, null));
    if (isPair) at += 1;
  }
  return found;
}

/** A service that systemd starts for each connection to its socket unit. */
export const isOfSocket = /^[ \t]*StandardInput[ \t]*=[ \t]*socket\b/m;

/** Whether socat forwards to an address from another address, not from its standard input. */
function isRelay(text: string, index: number): boolean {
  const line = text.slice(Math.max(0, index - 200), index + 200);
  const own = line.split('\n').find((one) => /\bsocat\b/.test(one)) ?? '';
  return own !== '' && (isOfSocket.test(text) || !/(?:^|\s)(?:-|stdio|stdin|stdout)(?:[\s"']|$)/i.test(own));
}

function socat(to: RegExpExecArray, from: RegExpExecArray | null): WrittenHop {
  const [type = '', ...rest] = to[0].split(':');
  const address = rest.join(':').replace(/,.*$/s, '');
  const [port = '', ...options] = (from?.[0] ?? '').replace(/^[^:]*:/, '').split(',');
  const bind = options.find((option) => option.startsWith('bind='))?.slice(5);
  const host = /^unix/i.test(from?.[0] ?? '') ? 'unix' : bind;
  const listens = from === null ? null : host === undefined ? port : `${host}:${port}`;
  return {
    at: { start: to.index, end: to.index + to[0].length },
    program: 'socat',
    listens,
    to: destinationOf(/^(?:unix|gopen)/i.test(type) ? `unix:${address}` : address),
    // With TLS it may ask for certificates.
    ...(/^(?:openssl|ssl)/i.test(from?.[0] ?? '') ? {} : { from: 'bind' as const }),
  };
}

const isLocalBind = (bind: string) => /^(?:127(?:\.\d+){3}|\[?::1\]?|localhost)$/.test(bind);

const around = '(?=(?<rest>[^\\n]{0,200}))';

/** A netcat that listens and passes its input to another netcat or to socat, by a pipe or as its command. */
const netcats =
  /\b(?:nc|ncat|netcat)(?=[ \t])(?<own>[^\n|'"]{0,200}[ \t](?:-\w*l\w*|--listen)\b[^\n|'"]{0,200})[|'"][^\n]{0,200}?\b(?:(?:nc|ncat|netcat)[ \t]+(?:-[\w-]*[A-TV-Za-z][ \t]+)*(?=-U|[\w.:]+[ \t]+\d)|socat\b[^\n]{0,200}?\b(?=UNIX|TCP))(?:(?:-U[ \t]+|UNIX(?:-CONNECT|-CLIENT)?:)(?<socket>\/[^\s'"|,]+)|(?:TCP[46]?(?:-CONNECT|-CLIENT)?:)?(?<host>[\w.]+)(?::|[ \t]+)(?<port>\d{2,5}))/gi;

/** The address that a netcat listens on: `-p 9000`, `9000` or `127.0.0.1 9000`. */
function netcatListening({ own = '' }: Readonly<Record<string, string | undefined>>): string {
  const port = /-\w*p[ \t]*(\d+)/.exec(own)?.[1] ?? /[ \t](\d{2,5})(?=[ \t]|$)/.exec(own)?.[1] ?? '';
  const host =
    /(?<![\w-])-s[ \t]*(\S+)/.exec(own)?.[1] ?? /[ \t]((?:\d+\.){3}\d+|localhost)[ \t]/.exec(own)?.[1];
  return host === undefined ? port : `${host}:${port}`;
}

function netcatDestination({ socket, host, port }: Readonly<Record<string, string | undefined>>) {
  return [destinationOf(socket === undefined ? `${host}:${port}` : `unix:${socket}`)];
}

/** The beginnings of rules that hold for every client of one port. */
const plainIptables =
  /^[ \t]*(?:(?:sudo[ \t]+)?(?:\/\S+\/)?iptables[ \t]+)?(?:-t[ \t]+nat[ \t]+)?-[AI][ \t]+PREROUTING[ \t]+(?:-p[ \t]+tcp[ \t]+|-m[ \t]+tcp[ \t]+|--dport[ \t]+\d+[ \t]+)*-j[ \t]+(?<how>DNAT|REDIRECT)[ \t]+$/;
const plainNft =
  /^[ \t]*(?:(?:meta[ \t]+l4proto|ip[ \t]+protocol)[ \t]+tcp[ \t]+)?(?:tcp|th)[ \t]+dport[ \t]+\d+[ \t]+(?:counter[ \t]+(?:packets \d+ bytes \d+[ \t]+)?)?(?<how>dnat|redirect)\b/;

/**
 * A rule that changes the destination of packets. Without a port in the rule, packets keep theirs.
 * @param how - the target of a rule that holds for every client
 */
function translation(
  program: string,
  { index, 0: words, groups }: RegExpExecArray,
  listens: string | null,
  how: string | undefined,
): WrittenHop {
  const given = destinationOf(groups?.to ?? groups?.port ?? '');
  const port = Number(/^\d+$/.exec(listens ?? '') ?? Number.NaN);
  const keepsPort = given !== null && 'host' in given && given.port === null && !Number.isNaN(port);
  const to = keepsPort ? { ...given, port } : given;
  // By default, the kernel drops packets that are translated to loopback.
  const isInside = to !== null && 'host' in to && isLoopbackAddress(to.host ?? '');
  const type = /redirect/i.test(how ?? '') ? 'port' : isInside ? 'loopback' : 'address';
  return {
    at: { start: index, end: index + words.length },
    program,
    listens,
    to,
    ...(how === undefined || to === null ? {} : { translates: type }),
  };
}

export const tunnels: readonly ForwarderRow[] = [
  pattern('nc', /\b(?:nc|ncat|netcat)[ \t]/, netcats, {
    listening: netcatListening,
    destinations: netcatDestination,
    from: 'bind',
  }),
  pattern(
    'nc',
    isOfSocket,
    /^[ \t]*ExecStart[ \t]*=[^\n]{0,200}?\b(?:nc|ncat|netcat)[ \t]+(?:-[\w-]*[A-TV-Za-z][ \t]+)*(?:-U[ \t]+(?<socket>\/\S+)|(?<host>[\w.:]+)[ \t]+(?<port>\d{2,5}))/gm,
    { destinations: netcatDestination },
  ),
  { applies: /\bsocat\b|-LISTEN:/i, find: socatForwards },
  // A link to a socket leads to it.
  pattern('ln', /\bln[ \t]+-/, /\bln[ \t]+(?:-\w+[ \t]+)+(?<to>\/\S+)[ \t]+(?<listens>\/[^\s;&|]+)/g, {
    from: 'bind',
  }),
  pattern(
    'ssh',
    /\b(?:auto)?ssh\b/,
    /(?<![\w-])-(?<flags>[A-Za-z]{0,6})(?<way>[RL])[ \t"',]{0,8}(?:\n[ \t]*-[ \t]*["']?)?(?<spec>[^\s"',=][^\s"',]*:[^\s"',]+)(?=(?<after>[^\n]{0,200}))/g,
    {
      listening: ({ flags = '', way, spec = '', after = '' }) =>
        sshListening(spec, way === 'R', flags.includes('g') || /\s-[A-Za-z]*g/.test(after)),
      destinations: ({ spec = '' }) => sshDestination(spec),
      from: 'bind',
    },
  ),
  pattern(
    'ssh',
    /^[ \t]*(?:RemoteForward|LocalForward)\b/m,
    /^[ \t]*(?<way>Remote|Local)Forward[ \t]+(?<from>\S+)[ \t]+(?<to>\S+)/gm,
    {
      listening: ({ way, from = '' }) =>
        way === 'Remote' ? null : /^\d+$/.test(from) ? `localhost:${from}` : from,
      from: 'bind',
    },
  ),
  {
    applies: /\b(?:DNAT|REDIRECT)\b/,
    find: (text) =>
      [...text.matchAll(/--to-(?:destination[ =]+(?<to>[\w.:[\]${}-]+)|ports?[ =]+(?<port>\d+))/g)].map(
        (match) => {
          const before = lineBefore(text, match.index);
          const ports = /--dports?[ =]+([\d:,]+)/.exec(before)?.[1] ?? null;
          return translation('iptables', match, ports, plainIptables.exec(before)?.groups?.how);
        },
      ),
  },
  {
    applies: /\b(?:dnat|redirect)\b/,
    find: (text) =>
      [
        ...text.matchAll(
          /(?:\bdport[ \t]+\{?[ \t]*(?<listens>\d+)[^\n]{0,200}?)?\b(?:dnat(?:[ \t]+ip6?)?|redirect)[ \t]+to[ \t]+(?<to>(?=\$|[\w.:[\]-]*\d)[\w.:[\]$-]+)/g,
        ),
      ].map((match) => {
        const rule = lineBefore(text, match.index).replace(/^.*[;{]/s, '') + match[0];
        const isHooked = /\bhook prerouting\b[^}]*$/.test(text.slice(0, match.index));
        const how = isHooked ? plainNft.exec(rule)?.groups?.how : undefined;
        return translation('nftables', match, match.groups?.listens ?? null, how);
      }),
  },
  pattern(
    'firewalld',
    /\btoport=/,
    /\bport=(?<listens>\d+):proto=\w+:toport=(?<port>\d+)(?::toaddr=(?<host>[\w.:]+))?/g,
  ),
  pattern('systemd-socket-proxyd', /\bsystemd-socket-proxyd\b/, /\bsystemd-socket-proxyd\b(?<rest>[^\n]*)/g, {
    destinations: ({ rest = '' }) =>
      rest
        .split(/\s+/)
        .filter((word) => /^[^-].*[:/]|^\d+$|^\$/.test(word))
        .map(destinationOf),
  }),
  pattern(
    'cloudflared',
    /\bcloudflared\b|^[ \t]*tunnel:|^[ \t-]*hostname:/m,
    /(?:^[ \t-]*service:[ \t]*|--url[ =]|["']--url["'],[ \t]*)["']?(?<to>(?:https?|wss?|tcp|unix):[^\s"']+)/gm,
    // A tunnel may check the logins of Cloudflare Access.
    { from: (text) => (/\brequired:[ \t]*true\b/.test(text) ? undefined : 'any') },
  ),
  pattern(
    'cloudflared',
    /\bcloudflared\b/,
    // With a token, the settings are those of Cloudflare's dashboard.
    /\bTUNNEL_TOKEN\b|\btunnel\b(?:[^\n]|\n[ \t]*-){0,200}?--token\b|\bcloudflared[ \t]+service[ \t]+install[ \t]+\S+/g,
    { destinations: () => [{ unknown: true }] },
  ),
  pattern('ngrok', /\bngrok\b/, new RegExp(`\\bngrok[ \\t]+(?:http|tcp|tls|start)\\b${around}`, 'g'), {
    destinations: ({ rest = '' }) => lastAddress(rest),
    from: ngrokClients,
  }),
  pattern(
    'ngrok',
    // The command of a container of its image.
    /\bngrok\/ngrok\b/,
    /^[ \t]*(?:command|args):(?=[ \t]*[[>|]?\s*[-"' \t]*(?:http|tcp|tls)\b)(?=(?<rest>[^\n]{0,200}(?:\n[ \t]*-[^\n]{0,200}){0,8}))/gm,
    { destinations: ({ rest = '' }) => lastAddress(rest.replace(/["',[\]\s]+/g, ' ')), from: ngrokClients },
  ),
  pattern(
    'ngrok',
    /^[ \t]*(?:authtoken|tunnels|endpoints|agent):/m,
    /^[ \t-]*(?:addr|url):[ \t]*["']?(?<to>(?:[\w.]+:)?\d{2,5}|https?:\/\/(?:localhost|127\.)[^\s"']*)["']?[ \t]*$/gm,
    {
      destinations: ({ to = '' }) => [ownOrOther(to)],
      from: ngrokClients,
    },
  ),
  pattern(
    'frp',
    /\blocal_?port\b/i,
    /(?:\blocal_?ip["']?[ \t]*[=:][ \t]*["']?(?<host>[\w.:-]+)["']?,?\s{1,20})?\blocal_?port["']?[ \t]*[=:][ \t]*["']?(?<port>\d+)/gi,
    // These ask for a key or a password, or listen on the machine of a visitor.
    {
      from: (text) => (/\b(?:stcp|xtcp|sudp|http_?(?:user|password|pwd))\b/i.test(text) ? undefined : 'any'),
    },
  ),
  pattern(
    'tailscale',
    /\btailscale\b/,
    new RegExp(`\\btailscale[ \\t"',]+(?:serve|funnel)\\b${around}`, 'g'),
    {
      destinations: ({ rest = '' }) => lastAddress(rest),
      from: tailscaleClients,
    },
  ),
  pattern('tailscale', /"(?:Proxy|TCPForward)"/, /"(?:Proxy|TCPForward)"\s*:\s*"(?<to>[^"\n]+)"/g, {
    from: tailscaleClients,
  }),
  pattern(
    'kubectl',
    /\bport-forward\b/,
    new RegExp(`\\bkubectl\\b(?:[^\\n;|&]{0,100}?)\\bport-forward\\b${around}`, 'g'),
    {
      listening: ({ rest = '' }) => {
        const address = /--address[ =]+["']?([^\s"']+)/.exec(rest.replace(/["'],[ \t]*["']/g, ' '))?.[1];
        const addresses = (address ?? 'localhost').split(',');
        return addresses.find((one) => !isLocalBind(one)) ?? addresses[0] ?? null;
      },
      destinations: ({ rest = '' }) => {
        const { object, ports } = kubectlPorts(rest.replace(/[;|&].*$/s, ''));
        return ports.map((one) => ({ host: object, port: Number(one.replace(/^.*:/, '')) }));
      },
      from: 'bind',
    },
  ),
  pattern(
    'rinetd',
    /^(?:\d+\.){3}\d+[ \t]+\d+(?:\/tcp)?[ \t]+\S+[ \t]+\d+/m,
    /^(?:\d+\.){3}\d+[ \t]+\d+(?:\/tcp)?[ \t]+(?<host>[\w.-]+)[ \t]+(?<port>\d+)/gm,
  ),
  pattern(
    'chisel',
    /\bchisel\b/,
    /\bR:(?:[\w.:]*?:)??(?:(?<host>[a-z][\w.-]*|(?:\d+\.){3}\d+):)?(?<port>\d+)(?![\w.:])/g,
  ),
  pattern('netsh', /\bportproxy\b/, /\bconnectport=(?<port>\d+)/g),
];

/** Options of ngrok that ask for a login or limit the addresses of clients. */
function ngrokClients(text: string): 'any' | undefined {
  const limits =
    /basic[-_]?auth|oauth|oidc|saml|cidr|ip[-_](?:restriction|polic)|mutual[-_]tls|verify[-_]webhook|traffic[-_]policy/i;
  return limits.test(text) ? undefined : 'any';
}

/** `serve` admits the tailnet, `funnel` admits every client. */
function tailscaleClients(text: string): 'any' | 'private' {
  return /funnel/i.test(text) ? 'any' : 'private';
}

/** The last address among the words of a command. */
function lastAddress(rest: string): readonly Destination[] {
  const words = rest
    .replace(/["'[\],]/g, ' ')
    .replace(/[;|&].*$/s, '')
    .trim()
    .split(/\s+/);
  const address = words.filter((word) => /^(?:\d{2,5}|[\w+-]+:\/\/\S+|[\w.-]+:\d+|\$\S+)$/.test(word)).at(-1);
  if (address === undefined) return [];
  return [ownOrOther(address)];
}

/** A port without a host is a port of this machine. */
function ownOrOther(address: string): Destination {
  return /^\d+$/.test(address) ? local(address) : destinationOf(address);
}
