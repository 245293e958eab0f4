/** A node behind TLS that verifies: everything is asked as over plain http. Runs the built program, whose trust is set at its start. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { loopbackCertificate } from '../peers/certificate.js';
import { closePeers, tcpPeer } from '../peers/scripted.js';

afterEach(closePeers);

/** What the program prints when it trusts the authority. */
function audit(authority: string, ...words: string[]): Promise<Report> {
  const argv = ['bin/kaiactl.js', 'node', 'audit', '--format', 'json', '-q', ...words];
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authority };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, argv, { env }, (_error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr));
      else resolve(JSON.parse(stdout));
    });
  });
}

test.for([true, false])('the Host check of an https node is seen, open: %s', async (open, context) => {
  const certificate = loopbackCertificate();
  if (certificate === null) return context.skip('openssl is not installed: certificates are not tested');
  try {
    const server = createServer(certificate, (request, response) => {
      if (!open && !/^(?:localhost|127\.0\.0\.1)(?::|$)/.test(request.headers.host ?? '')) {
        response.writeHead(403).end('invalid host specified');
        return;
      }
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        if (request.method !== 'POST') return response.end();
        const { id, params } = JSON.parse(body);
        const refused = { error: { code: -32602, message: 'non-array args' } };
        const answer = Array.isArray(params) ? { result: { net: '1.0', rpc: '1.0' } } : refused;
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    const { port } = new URL((await tcpPeer(server, 'https')).address);
    const report = await audit(
      certificate.authority,
      `https://127.0.0.1:${port}`,
      `https://localhost:${port}`,
    );
    expect(report.targets.map(({ interfaces }) => interfaces[0]?.access?.foreignHost)).toEqual([open, open]);
  } finally {
    certificate.remove();
  }
  return undefined;
});
