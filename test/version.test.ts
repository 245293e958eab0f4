import { expect, test } from 'vitest';
import { addressOf, manifest } from '../src/version.js';

test.each([
  [{}, null],
  [{ homepage: 'docs/rules.md' }, null],
  [{ repository: 'OWNER/kaiactl' }, null],
  [
    { repository: 'git@example.org:o/r.git', homepage: 'https://example.org/o/r#readme' },
    'https://example.org/o/r#readme',
  ],
  [{ repository: 'https://example.org/o/r', homepage: 'https://kaiactl.example' }, 'https://example.org/o/r'],
  [{ repository: { url: 'git+https://example.org/o/r.git' } }, 'https://example.org/o/r'],
])('the address of a project with %j is %s', (fields, address) => {
  expect(addressOf(fields)).toBe(address);
});

test('the manifest has an absolute address or none', () => {
  expect(manifest().homepage ?? 'https:').toMatch(/^https?:/);
});
