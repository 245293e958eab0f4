/** Confs as Kaia packages them. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seen } from '../../src/node/facts/seen.js';
import { readConf } from '../node/editables.js';
import { judgeTarget } from '../node/pipeline.js';

/** Confs as packaged by the node's maintainers: read in place, never copied. */
const folder = new URL('../../../shared/real-confs', import.meta.url).pathname;
const there = existsSync(folder);
if (!there) process.stderr.write(`real-confs.test: SKIPPED, there is no ${folder}\n`);

function lint(launcher: 'kend' | 'kcnd' | 'kscnd') {
  const path = `${folder}/${launcher}.conf`;
  const conf = readConf(path, readFileSync(path), { launcher, package: 'tar' });
  return judgeTarget(
    { name: launcher, role: null, conf: seen(conf), live: null, gatheredAt: '2026-01-01T00:00:00.000Z' },
    { failOn: 'high' },
  );
}

function told(launcher: 'kend' | 'kcnd' | 'kscnd'): string[] {
  return lint(launcher)
    .findings.map(({ severity, rule, subject }) => `${severity} ${rule} ${subject}`)
    .sort();
}

const binds = ['medium public-bind http 0.0.0.0', 'medium public-bind ws 0.0.0.0'];
/** Any address gets in anyway: a relay is all they add. */
const access = [
  'low wildcard-cors RPC_CORSDOMAIN',
  'low wildcard-vhosts RPC_VHOSTS',
  'low wildcard-origins WS_ORIGINS',
];

test.skipIf(!there)(
  'the endpoint node binds everywhere, lets everyone in three times and opens the profiler',
  () => {
    expect(told('kend')).toEqual(
      [
        'high open-profiler metrics',
        ...access,
        ...binds,
        'low unread-setting TXPOOL_LIFE_TIME,LOG_MAXBACKUPS',
        'info missing-data-dir DATA_DIR',
      ].sort(),
    );
  },
);

test.skipIf(!there)(
  'the service-chain node also lists subbridge, which answers once its bridge is on',
  () => {
    expect(told('kscnd')).toEqual(
      [
        'high open-profiler metrics',
        'low latent-module http subbridge',
        ...access,
        ...binds,
        'low unread-setting TXPOOL_LIFE_TIME,NO_DISCOVER,LOG_MAXBACKUPS',
        'info missing-data-dir DATA_DIR',
      ].sort(),
    );
  },
);

test.skipIf(!there)('the consensus node opens the profiler and nothing else', () => {
  expect(told('kcnd')).toEqual(
    [
      'high open-profiler metrics',
      'medium malformed-flag REWARDBASE',
      'low unread-setting TXPOOL_LIFE_TIME,LOG_MAXBACKUPS',
      'info missing-data-dir DATA_DIR',
    ].sort(),
  );
});

test.skipIf(!there).each(['kend', 'kcnd', 'kscnd'] as const)(
  '%s offers neither admin nor debug nor personal, and hides nothing',
  (name) => {
    const target = lint(name);
    expect(target.undetermined).toEqual([]);
    expect(target.findings.map(({ subject }) => subject).join(' ')).not.toMatch(/admin|debug|personal/);
  },
);
