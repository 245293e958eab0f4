/** A certificate authority made on the spot and a certificate of it for loopback. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** Path of the authority's certificate. */
  readonly authority: string;
  readonly key: Buffer;
  readonly cert: Buffer;
  remove(): void;
}

/** For localhost, 127.0.0.1 and ::1; null when openssl is not installed. */
export function loopbackCertificate(): Certificate | null {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-tls-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl('version');
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\n');
  const authority = at('ca.pem');
  openssl(
    'req',
    '-x509',
    ...fresh,
    '-keyout',
    at('ca.key'),
    '-out',
    authority,
    '-subj',
    '/CN=own',
    '-days',
    '2',
  );
  openssl('req', ...fresh, '-keyout', at('key'), '-out', at('csr'), '-subj', '/CN=localhost');
  const signed = [
    '-CA',
    authority,
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    at('names'),
  ];
  openssl('x509', '-req', '-in', at('csr'), '-out', at('cert'), ...signed);
  return {
    authority,
    key: readFileSync(at('key')),
    cert: readFileSync(at('cert')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
