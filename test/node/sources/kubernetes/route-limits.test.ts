/**
 * What annotations and middlewares of a route do to the node's own checks of pages and Host names. Their defaults:
 * https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#enable-cors (origin `*`, headers with
 * Content-Type), https://haproxy-ingress.github.io/docs/configuration/keys/#cors (the same), and
 * https://doc.traefik.io/traefik/middlewares/http/headers/#cors-headers (no header without a list).
 */
import { expect, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { lintFiles } from '../../deployment/ledger/lint-files.js';

const pod = (args: string) => `kind: Service
metadata: { name: n, namespace: d }
spec: { selector: { app: n }, ports: [{ port: 8545 }] }
---
kind: Pod
metadata: { name: n, namespace: d, labels: { app: n } }
spec: { containers: [{ name: n, image: "ethereum/client-go:v1.13.14", command: [geth, --http, --http.addr=0.0.0.0, "--http.api=eth,admin", --http.vhosts=rpc.example.org${args}] }] }
`;
const lan = 'nginx.ingress.kubernetes.io/whitelist-source-range: 10.0.0.0/8';
const ingress = (annotations: readonly string[]) => `---
kind: Ingress
metadata: { name: i, namespace: d, annotations: { ${[lan, ...annotations].join(', ')} } }
spec: { defaultBackend: { service: { name: n, port: { number: 8545 } } } }
`;
const nginx = (name: string, value: string) => `nginx.ingress.kubernetes.io/${name}: "${value}"`;

async function told(text: string): Promise<string[]> {
  const { findings, interfaces } = (await lintFiles({ 'k.yaml': text })) as Report['targets'][number];
  const http = interfaces.find(({ transport }) => transport === 'http');
  const rules = findings.filter(({ rule }) => rule.startsWith('wildcard-'));
  return [
    `${http?.reach}, ${http?.browsers}`,
    ...rules.map(({ rule, severity, message }) => `${severity} ${rule}: ${message.split(', whatever')[0]}`),
  ];
}

const anyPage =
  'critical wildcard-cors: Ingress i (k.yaml:11) answers every web page with its own CORS headers';

test.each<[string, readonly string[], readonly string[]]>([
  ['no annotation', [], ['private, none']],
  ['CORS of ingress-nginx, by its defaults', [nginx('enable-cors', 'true')], ['private, any page', anyPage]],
  ['CORS that is off', [nginx('enable-cors', 'false'), nginx('cors-allow-origin', '*')], ['private, none']],
  [
    'an origin',
    [nginx('enable-cors', 'true'), nginx('cors-allow-origin', 'https://app.example.org')],
    ['private, none'],
  ],
  [
    'an origin beside every other one',
    [nginx('enable-cors', 'true'), nginx('cors-allow-origin', 'https://app.example.org, *')],
    ['private, any page', anyPage],
  ],
  [
    'headers without the content type',
    [nginx('enable-cors', 'true'), nginx('cors-allow-headers', 'X-Forwarded-For')],
    ['private, none'],
  ],
  [
    'no credentials, which a call needs none of',
    [nginx('enable-cors', 'true'), nginx('cors-allow-credentials', 'false')],
    ['private, any page', anyPage],
  ],
  [
    'CORS of haproxy-ingress',
    ['haproxy-ingress.github.io/cors-enable: "true"'],
    ['private, any page', anyPage],
  ],
  [
    'a Host that the node accepts',
    [nginx('upstream-vhost', 'rpc.example.org')],
    [
      'private, none',
      'medium wildcard-vhosts: Ingress i (k.yaml:11) sends Host rpc.example.org in place of the client’s, which the node accepts: --http.vhosts protects nothing behind it, and a web page can reach the node under its own name (DNS rebinding); Ingress i publishes it to 10.0.0.0/8.',
    ],
  ],
])('%s', async (_, annotations, expected) => {
  expect(await told(pod('') + ingress(annotations))).toEqual(expected);
});

const middleware = (spec: string) => `---
kind: Middleware
metadata: { name: m, namespace: d }
spec: ${spec}
---
kind: Middleware
metadata: { name: lan, namespace: d }
spec: { ipAllowList: { sourceRange: [10.0.0.0/8] } }
---
kind: IngressRoute
metadata: { name: r, namespace: d }
spec: { routes: [{ kind: Rule, match: "Host(\`rpc.example.org\`)", middlewares: [{ name: lan }, { name: m }], services: [{ name: n, port: 8545 }] }] }
`;

test.each<[string, string, readonly string[]]>([
  [
    'every origin and the content type',
    '{ headers: { accessControlAllowOriginList: ["*"], accessControlAllowHeaders: [Content-Type] } }',
    ['private, any page', anyPage.replace('Ingress i', 'IngressRoute r').replace('11', '19')],
  ],
  ['every origin alone', '{ headers: { accessControlAllowOriginList: ["*"] } }', ['private, none']],
  [
    'a pattern of every origin',
    '{ headers: { accessControlAllowOriginListRegex: ["^https?://.*$"], accessControlAllowHeaders: ["*"] } }',
    ['private, any page', anyPage.replace('Ingress i', 'IngressRoute r').replace('11', '19')],
  ],
])('a middleware of Traefik with %s', async (_, spec, expected) => {
  expect(await told(pod('') + middleware(spec))).toEqual(expected);
});

test('a page has no login: CORS * adds nothing behind an Ingress that asks for one', async () => {
  const text = pod(', "--http.corsdomain=*"') + ingress([nginx('auth-type', 'basic')]);
  const { findings, interfaces } = await lintFiles({ 'k.yaml': text });
  const http = interfaces.find(({ transport }) => transport === 'http');
  expect([http?.reach, http?.browsers, http?.reachVia]).toEqual([
    'private',
    'none',
    ['k.yaml:11: private, with a login'],
  ]);
  const severities = new Map(findings.map(({ rule, severity }) => [rule, severity]));
  expect(severities.get('privileged-module')).toBe('high');
  expect(severities.get('wildcard-cors')).toBe('low');
});
