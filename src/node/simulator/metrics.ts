/** The ports for metrics and for Go's profiler. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { MetricsPaths } from '../kinds/answers.js';

const profiles = 'allocs block cmdline goroutine heap mutex profile symbol threadcreate trace'.split(' ');

/**
 * Serves the metrics and the profiler at their paths. Profiles are listed but not simulated (501), because a simulator has
 * no memory and no command line of a node.
 */
export function serveMetrics({ metrics, profiler }: MetricsPaths): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (path === metrics?.path) send(response, 200, metrics.type, exposition(metrics.gauge));
    else if (!profiler || !serveProfiler(path, response))
      send(response, 404, 'text/plain; charset=utf-8', '404 page not found\n');
  };
}

/** False: the path is not the profiler's. */
function serveProfiler(path: string, response: ServerResponse): boolean {
  const profile = /^\/debug\/pprof\/(.+)$/.exec(path)?.[1];
  if (path === '/debug/vars') send(response, 200, 'application/json; charset=utf-8', '{}\n');
  else if (path === '/debug/pprof/') send(response, 200, 'text/html; charset=utf-8', index);
  else if (path === '/debug/pprof') {
    response.setHeader('Location', '/debug/pprof/');
    send(response, 301, 'text/html; charset=utf-8', '<a href="/debug/pprof/">Moved Permanently</a>.\n\n');
  } else if (profile !== undefined && profiles.includes(profile)) {
    send(response, 501, 'text/plain; charset=utf-8', `not simulated: /debug/pprof/${profile}\n`);
  } else if (profile !== undefined) send(response, 404, 'text/plain; charset=utf-8', 'Unknown profile\n');
  else return false;
  return true;
}

/** One metric in Prometheus' format. */
function exposition(gauge: string): string {
  return `# HELP ${gauge} The height of the chain.\n# TYPE ${gauge} gauge\n${gauge} 2e+08\n`;
}

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
