/** Programs that forward and whose files are not read: their names, and the addresses that stand beside them. */
import { destinationOf } from '../../reach/address.js';
import type { WrittenHop } from '../../reach/hop.js';
import { blockAt } from '../ledger/blocks.js';
import type { ForwarderRow } from './row.js';

/**
 * Proxies, gateways, tunnels and port forwarders, as Debian names their programs and compose files their images. Those of
 * other tables of forwarders are not here.
 */
const programs = `
  3proxy angie apisix authelia authentik-proxy balance blutgang bore boringproxy bunkerweb caddy-l4 chainproxy contour
  cors-anywhere cosmos-server dante-server dumbproxy easegress eth-proxy express-gateway fabio ferron ghostunnel gloo
  glider gobetween goproxy gost gravitee h2o hitch inlets istio-proxy janusd kgateway kong krakend lighttpd linkerd-proxy
  local-cors-proxy localtunnel localxpose loclx lt mitmproxy mitmdump nebula nginx-proxy-manager oauth2-proxy openresty pagekite pen
  pingora playit pomerium portfwd pound privoxy proxychains pwnat rathole redir redsocks rinetd rpc-proxy rpcproxy sish simpleproxy
  skipper sniproxy sozu spiped squid sshuttle sslh stunnel stunnel4 stunnel5 sws tcpproxy tcptunnel tengine tinyproxy trafficserver
  traffic_server tyk tyk-gateway udp2raw varnish varnishd vouch-proxy vulcand web3-proxy websocat websocketd websockify wstunnel
  xinetd yarp zoraxy zrok zuul`
  .trim()
  .split(/\s+/);

/** A word of a command, a unit or an image: `/usr/sbin/varnishd`, `kong:3`, `docker.io/library/varnish`. */
const named = new RegExp(
  `(?<![\\w.@$-])(?:${programs.join('|').replaceAll('-', '[-_]')})(?=(?::[\\w.-]+)?(?:@sha256:\\w+)?["',\\]]?(?:\\s|$))`,
  'g',
);

/** What tells the format of a file that names no program. */
const formats: readonly (readonly [program: string, sign: RegExp])[] = [
  ['envoy', /\bsocket_address\b/],
  [
    'apache',
    /^[ \t]*(?:ProxyPass|ProxyPassMatch|BalancerMember)[ \t]|^[ \t]*RewriteRule[ \t][^\n]*\[[^\]\n]*\bP\b/m,
  ],
  ['varnish', /^[ \t]*backend[ \t]+\w+[ \t]*\{[^}]{0,400}\.host\b/m],
  ['lighttpd', /\bproxy\.server\b/],
  ['kong', /^_format_version:/m],
  [
    'stunnel',
    /^[ \t]*accept[ \t]*=[^\n]*\n(?:[^\n]*\n){0,20}?[ \t]*connect[ \t]*=|^[ \t]*connect[ \t]*=[^\n]*\n(?:[^\n]*\n){0,20}?[ \t]*accept[ \t]*=/m,
  ],
  ['xinetd', /^[ \t]*redirect[ \t]*=/m],
  ['erpc', /^[ \t-]*upstreams:(?:[^\n]*\n){0,40}?[^\n]*\bendpoint:|^[ \t-]*upstreams:[^\n]*\bendpoint:/m],
  ['proxyd', /^\[backends?\b|^[ \t]*rpc_url[ \t]*=/m],
  ['apisix', /^[ \t-]*upstream:(?:[^\n]*\n){0,10}?[^\n]*\bnodes\b/m],
  ['krakend', /"url_pattern"/],
  ['tyk', /"target_url"/],
  ['dshackle', /^[ \t]*cluster:(?:[^\n]*\n){0,3}?[^\n]*\bupstreams:/m],
  ['hitch', /^[ \t]*backend[ \t]*=[ \t]*"\[/m],
  ['pingap', /^\[upstreams?\.[\w-]+\]/m],
  ['h2o', /\bproxy\.reverse\.url\b/],
  ['squid', /^[ \t]*cache_peer[ \t]/m],
  ['pound', /^[ \t]*BackEnd[ \t]*$/im],
  ['trafficserver', /^[ \t]*(?:reverse_)?map[ \t]+\w+:\/\/\S+[ \t]+\w+:\/\//m],
  ['rathole', /^[ \t]*local_addr\b/m],
  ['sniproxy', /^[ \t]*listen(?:er)?[ \t]+[^\n{]+\{[^}]*\btable\b/m],
  ['podman', /^\[Kube\]/m],
  ['inetd', /^[\w.:*-]+[ \t]+stream[ \t]+tcp[46]?[ \t]+nowait/m],
  ['sozu', /^[ \t]*backends[ \t]*=[ \t]*\[[^\]]{0,400}\baddress\b/m],
];

/**
 * `host:port` with or without a scheme, or behind a port of its own; `"host" => "a", "port" => 1`, `HOST: a` before `PORT: 1`,
 * `redirect = a 1`, `nc a 1`, and the files of sockets.
 */
const address =
  /(?<![\w.:-])(?:\w+:\/\/)?(?:\d{2,5}:(?=[a-z[]|\d+\.))?(?:[^\s"'@/]{1,100}@)?(?<host>\[[\da-f:.]+\](?=:)|\d+\.\d+\.\d+\.\d+|[a-z][\w.-]*)?:(?<port>\d{2,5})(?![\d.:\w])|(?:host|address)\b["']?[ \t]*(?:=>|[:= \t])[ \t]*["']?(?<named>[\w.-]+)["']?[\s,;)}]{1,40}[^\n]{0,40}?port(?:_value)?["']?[ \t]*(?:=>|[:= \t])[ \t]*["']?(?<number>\d{2,5})|(?<![\w-])(?:redirect[ \t]*=|connect[ \t]*=|cache_peer|bore[ \t]+local|(?:-p|--port)[ =]|n(?:et)?c(?:at)?[ \t]|PublishPort=(?:[\d.]*:)*)[ \t]*(?<to>(?:[\w.-]+[ \t]+(?:parent[ \t]+)?)?\d{2,5}(?![\w.:]))|(?:\bunix(?:-connect|-client)?:|(?<![\w-])-U[ \t]+)(?<socket>\/[^\s"',;|]+)/gi;

/** Addresses of one program at most: more say nothing more. */
const maxAddresses = 500;

/** The addresses in a part of a text by the groups of an expression. Which of them the program leads to is not known. */
export function addressesIn(
  text: string,
  program: string,
  pattern = address,
  [from, end] = [0, text.length],
): WrittenHop[] {
  const found: WrittenHop[] = [];
  for (const { 0: words, index, groups = {} } of text.slice(from, end).matchAll(pattern)) {
    const { host, port, named: name, number, to = '', socket } = groups;
    const written =
      socket ??
      (port !== undefined
        ? `${host ?? ''}:${port}`
        : number !== undefined
          ? `${name}:${number}`
          : to.replace(/[ \t]+(?:parent[ \t]+)?/, ':'));
    const isListening = host === undefined && port !== undefined;
    if (isListening || /^(?:0\.0\.0\.0|image):/.test(written)) continue;
    const at = { start: from + index, end: from + index + words.length };
    found.push({ at, program, listens: null, to: destinationOf(written) });
    if (found.length === maxAddresses) break;
  }
  return found;
}

/** A service, a container, a unit or a statement that names a program; or a whole file in the format of one. */
function find(text: string): readonly WrittenHop[] {
  const [format] = formats.find(([, sign]) => sign.test(text)) ?? [];
  if (format !== undefined) return addressesIn(text, format);
  let end = 0;
  return [...text.matchAll(named)].flatMap(({ 0: word, index }) => {
    const block = blockAt(text, index);
    const start = Math.max(block.start, end);
    end = Math.max(end, block.end);
    return addressesIn(text, word, address, [start, block.end]);
  });
}

const applies = new RegExp([named.source, ...formats.map(([, { source }]) => source)].join('|'), 'im');

export const namedForwarders: ForwarderRow = { applies, find };
