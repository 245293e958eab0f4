/** The metrics port: Go's default mux, which also serves the profiler and the expvars. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const profiles = [
  ...['allocs', 'block', 'cmdline', 'goroutine', 'heap', 'mutex', 'profile', 'symbol'],
  ...['threadcreate', 'trace'],
];

/**
 * Answers /metrics, /debug/pprof/ and /debug/vars. Profiles are listed but not simulated (501), because a simulator has no
 * memory and no command line of a node.
 */
export function serveMetrics(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const profile = /^\/debug\/pprof\/(.+)$/.exec(path)?.[1];
  if (path === '/metrics') send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', metrics);
  else if (path === '/debug/vars') send(response, 200, 'application/json; charset=utf-8', '{}\n');
  else if (path === '/debug/pprof/') send(response, 200, 'text/html; charset=utf-8', index);
  else if (path === '/debug/pprof') {
    response.setHeader('Location', '/debug/pprof/');
    send(response, 301, 'text/html; charset=utf-8', '<a href="/debug/pprof/">Moved Permanently</a>.\n\n');
  } else if (profile !== undefined && profiles.includes(profile)) {
    send(response, 501, 'text/plain; charset=utf-8', `not simulated: /debug/pprof/${profile}\n`);
  } else if (profile !== undefined) send(response, 404, 'text/plain; charset=utf-8', 'Unknown profile\n');
  else send(response, 404, 'text/plain; charset=utf-8', '404 page not found\n');
}

const metrics = `# HELP klaytn_blockchain_head_blocknumber klaytn/blockchain/head/blocknumber
# TYPE klaytn_blockchain_head_blocknumber gauge
klaytn_blockchain_head_blocknumber 2e+08
`;

const index = `<html>
<head><title>/debug/pprof/</title></head>
<body>/debug/pprof/<br>
<p>Types of profiles available:</p>
${profiles.map((name) => `<a href='${name}?debug=1'>${name}</a><br>`).join('\n')}
</body>
</html>
`;

function send(response: ServerResponse, status: number, type: string, body: string): void {
  if (status >= 400) response.setHeader('X-Content-Type-Options', 'nosniff');
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
