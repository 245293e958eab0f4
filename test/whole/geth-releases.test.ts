/** Starts of geth at twelve releases and more, pinned, floating and without a sign of the release, in five formats. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { compareSeverity } from '../../src/node/facts/severity.js';
import { gethFlavour, type Tag } from '../../src/node/kinds/geth/flavours.js';
import { compare } from '../../src/node/kinds/versions.js';
import { run } from '../cli/run.js';
import { shareOf } from '../seed.js';
import { formats, idOf, type Start, startNames, starts } from './geth-releases.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-geth-releases-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The releases of the facts at which something changes, and those that people pin. */
const releases =
  'v1.5.9 v1.6.7 v1.7.3 v1.8.0 v1.8.12 v1.8.24 v1.8.27 v1.9.10 v1.9.14 v1.9.16 v1.9.25 v1.10.8 v1.10.13 v1.10.19 v1.10.26 v1.11.6 v1.13.4 v1.13.15 v1.14.11 v1.14.12 v1.16.9 v1.17.8'.split(
    ' ',
  );

/** What is medium or worse of each start: `severity rule subject`, with the releases of what is high or worse. */
async function judged(format: keyof typeof formats, tag: string | null) {
  const own = join(folder, `${format}-${tag}`);
  mkdirSync(own);
  for (const [path, text] of Object.entries(formats[format](tag))) writeFileSync(join(own, path), text);
  const { out, code } = await run(['node', 'lint', own, '--format', 'json']);
  const { targets } = JSON.parse(out) as Report;
  const found = startNames.map((start) => {
    const named = targets.filter(({ name }) =>
      new RegExp(`\\b${idOf(start)}\\b`).test(name.slice(own.length)),
    );
    expect(named.map(({ undetermined }) => undetermined)).toEqual([[]]);
    const findings = named
      .flatMap((one) => one.findings)
      .filter(({ severity }) => compareSeverity(severity, 'medium') <= 0)
      .map(({ severity, rule, subject, message }) => {
        const clause =
          compareSeverity(severity, 'high') <= 0 ? /^In releases .*?: /.exec(message)?.[0] : undefined;
        return `${severity} ${rule} ${subject}${clause === undefined ? '' : `: ${clause}`}`;
      });
    return [start, findings.sort()] as const;
  });
  return { code, found: Object.fromEntries(found) };
}

function expectedOf(by: (start: Start) => readonly string[]) {
  return Object.fromEntries(startNames.map((start) => [start, by(start).toSorted()]));
}

/** What the release does with the start. */
function doneBy(tag: string, start: Start): readonly string[] {
  const rows = Object.entries(starts[start].releases).filter(([text]) => {
    const [since = '', until = ''] = text.split('..');
    const period = { ...(since && { since: since as Tag }), ...(until && { until: until as Tag }) };
    return gethFlavour.releases.holds(`geth/${tag}`, period);
  });
  expect(rows.length).toBe(1);
  return rows[0]?.[1] ?? [];
}

test('the rows of each start follow each other', () => {
  for (const { releases: rows } of Object.values(starts)) {
    const periods = Object.keys(rows).map((period) => period.split('..'));
    for (const [at, [since = '']] of periods.entries()) {
      const before = periods[at - 1]?.[1];
      if (before !== undefined) expect(compare(before, since)).toBeLessThan(0);
    }
  }
});

const names = Object.keys(formats) as (keyof typeof formats)[];
const pinned = releases.flatMap((tag) => names.map((format) => [format, tag] as const));

test.each(shareOf(88, pinned))('%s at %s is judged as that release', async (format, tag) => {
  const { found, code } = await judged(format, tag);
  expect(found).toEqual(expectedOf((start) => doneBy(tag, start)));
  expect(code).toBe(1);
});

test.each(shareOf(names.length, names))(
  '%s without a sign of the release is judged as the worst that starts',
  async (format) => {
    expect((await judged(format, null)).found).toEqual(expectedOf((start) => starts[start].any));
  },
);

/** What images of these tags are judged as: the worst that starts, several releases, or one. */
const tags: readonly (readonly [string, string])[] = [
  ...['latest', 'stable', 'alltools-latest', 'alltools-stable'].map((tag) => [tag, 'any'] as const),
  ...['release-1.9', 'alltools-release-1.9'].map((tag) => [tag, 'release-1.9'] as const),
  ['alltools-v1.9.10', 'v1.9.10'],
  ['1.10.8', 'v1.10.8'],
];
const images = (['compose', 'kubernetes', 'docker run'] as const).flatMap((format) =>
  tags.map(([tag, as]) => [format, tag, as] as const),
);

test.each(shareOf(10, images))('%s of the image %s is judged as %s', async (format, tag, as) => {
  const isRange = as === 'any' || as === 'release-1.9';
  const by = (start: Start) => (isRange ? starts[start][as] : doneBy(as, start));
  expect((await judged(format, tag)).found).toEqual(expectedOf(by));
});

describe('the file of --config', () => {
  const open = 'HTTPHost = "0.0.0.0"\nHTTPModules = ["eth"]';
  const ws = 'WSHost = "0.0.0.0"\nWSModules = ["eth"]\nWSExposeAll = true';
  test.each([
    ['v1.7.0', ws, '', ['no setting Node.WSExposeAll']],
    ['v1.7.1', ws, '', ['critical everything-offered', 'critical privileged-module ws admin']],
    ['v1.9.18', ws, '', ['critical everything-offered', 'critical privileged-module ws personal']],
    ['v1.9.19', ws, '', []],
    ['v1.17.8', ws, '', []],
    // The flag’s default counts over the file, which the next release reads.
    ['v1.8.1', `${open}\nHTTPVirtualHosts = ["*"]`, '', []],
    ['v1.8.2', `${open}\nHTTPVirtualHosts = ["*"]`, '', ['wildcard-vhosts']],
    [
      'v1.9.18',
      'GraphQLHost = "0.0.0.0"\nGraphQLPort = 9000',
      '--graphql',
      ['graphql listens on 0.0.0.0:8547'],
    ],
    ['v1.9.18', 'GraphQLHost = "0.0.0.0"', '', []],
    ['v1.9.19', 'GraphQLHost = "0.0.0.0"', '--graphql', ['the node has no setting Node.GraphQLHost']],
  ])('at %s with %j %s: %j', async (tag, text, more, expected) => {
    const own = mkdtempSync(join(folder, 'file-'));
    const command = `--config /etc/geth.toml ${more}`;
    const service = `image: ethereum/client-go:${tag}\n    network_mode: host\n    command: ${command}`;
    const volumes = '\n    volumes: ["./geth.toml:/etc/geth.toml"]\n';
    writeFileSync(join(own, 'compose.yaml'), `services:\n  geth:\n    ${service}${volumes}`);
    writeFileSync(join(own, 'geth.toml'), `[Node]\n${text}\n`);
    const { targets } = JSON.parse((await run(['node', 'lint', own, '--format', 'json'])).out) as Report;
    const found = targets.flatMap(({ findings }) =>
      findings.map(({ severity, rule, subject, message }) => `${severity} ${rule} ${subject}: ${message}`),
    );
    expect(targets.length).toBe(1);
    const all = [
      'everything-offered',
      'privileged-module',
      'wildcard-vhosts',
      'graphql listens',
      'no setting',
    ];
    for (const one of expected) expect(found.join('\n')).toContain(one);
    for (const one of all)
      if (!expected.some((text) => text.includes(one))) expect(found.join('\n')).not.toContain(one);
  });
});

test('findings about a file, such as a secret in it, name no release', async () => {
  const own = mkdtempSync(join(folder, 'secret-'));
  const words = `--rpc --rpcaddr 0.0.0.0 --rpcapi eth,personal --nodekeyhex ${'0123456789abcdef'.repeat(4)}`;
  writeFileSync(join(own, 'run.sh'), `#!/bin/sh\ngeth ${words}\n`, { mode: 0o755 });
  const { targets } = JSON.parse((await run(['node', 'lint', own, '--format', 'json'])).out) as Report;
  const clauses = targets[0]?.findings.map(({ rule, message }) => `${rule} ${/^In releases/.test(message)}`);
  expect(clauses).toEqual(expect.arrayContaining(['privileged-module true', 'secret-in-conf false']));
  expect(clauses).toContain('loose-permissions false');
});
