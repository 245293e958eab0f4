/** Programs that forward by their own code, and are not read: their libraries, and the addresses in their texts. */
import type { WrittenHop } from '../../reach/hop.js';
import { addressesIn } from './named.js';
import type { ForwarderRow } from './row.js';

/** Libraries of JavaScript that forward requests or connections. */
const libraries =
  /(?:\brequire\(|\bfrom\b|\bimport\b)[ \t]*\(?["'](?:http-proxy(?:-middleware|-3)?|httpxy|express-http-proxy|fast-(?:proxy|gateway)|@fastify\/(?:http-proxy|reply-from)|fastify-(?:http-proxy|reply-from)|koa-(?:better-http-|simple-)?prox(?:y|ies)|proxy-middleware|redbird|bouncy|(?:node-)?tcp-proxy|@hapi\/h2o2|h2o2|hono\/proxy)["']/;

/** Programs that listen and forward by their own code; each sign is in the file. */
const programs: readonly (readonly [program: string, sign: RegExp, other?: RegExp, third?: RegExp])[] = [
  ['http-proxy', libraries],
  ['httputil.ReverseProxy', /\bhttputil\.(?:NewSingleHost)?ReverseProxy\b/],
  ['http.createServer', /\breq(?:uest)?\.pipe\(|\.pipe\([ \t]*res\b/, /\b(?:createServer|express|listen)\(/],
  ['net.createServer', /\bcreateServer\(/, /\b(?:net|tls)\.(?:connect|createConnection)\(/],
  ['net.Listen', /\bnet\.Listen\w*\(/, /\b(?:net\.Dial|[dD]ialer\.Dial)\w*\(/],
  ['asyncio', /\bstart_(?:unix_)?server\(/, /\bopen_(?:unix_)?connection\(/],
  [
    'socket',
    /\b(?:create_server\(|\.listen\()/,
    /\bimport socket\b/,
    /\b(?:create_connection|connect)\([ \t]*[("']/,
  ],
  ['tokio', /\bTcpListener::bind\b/, /\b(?:Tcp|Unix)Stream::connect\b/],
];

/** Addresses in code: in quotes, as a host and a port, as a port alone, and the files of IPC sockets. */
const address =
  /["'`](?:\w+:\/\/)?(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::|["'`],[ \t]*)(?<port>\d{2,5})(?!\d)|\b(?:port["']?[ \t]*:|(?:connect|createConnection)\()[ \t]*(?<to>\d{2,5})(?!\d)|["'`](?:\w+:\/\/)?(?<socket>\/[^\s"'`]*\.ipc)["'`]/g;

function find(text: string): readonly WrittenHop[] {
  const [program] = programs.find(([, ...signs]) => signs.every((sign) => sign?.test(text) !== false)) ?? [];
  return program === undefined ? [] : addressesIn(text, program, address);
}

const applies = new RegExp(programs.map(([, { source }]) => source).join('|'));

export const codeForwarders: ForwarderRow = { applies, find };
