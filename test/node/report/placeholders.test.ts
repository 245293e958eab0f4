/** The characters that stand for unknown parts of a text while it is read: no report shows them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formats } from '../../../src/node/report/index.js';
import { kaiactl } from '../offline.js';

const root = new URL('../../../fixtures', import.meta.url).pathname;

// The JSON of all deployments is checked where they are compared (deployment/folders.test.ts).
test.each(['template', 'deployments/ansible', 'deployments/entrypoint-script'])(
  'reports of fixtures/%s hold no placeholder',
  async (name) => {
    const out = mkdtempSync(join(tmpdir(), 'kaiactl-reports-'));
    try {
      const reports = Object.keys(formats).flatMap((format) => [
        '--report',
        `${format}=${join(out, format)}`,
      ]);
      const { stdout, stderr } = await kaiactl(['node', 'lint', '-v', name, ...reports], { cwd: root });
      const texts = readdirSync(out).map((format) => readFileSync(join(out, format), 'utf8'));
      for (const text of [stdout, stderr, ...texts]) expect(text).not.toMatch(/[\uFDD0-\uFDEF]/);
    } finally {
      rmSync(out, { recursive: true });
    }
  },
);
