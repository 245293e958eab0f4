/** Launchers beside their confs: an unchanged one is part of its conf, an edited one starts it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { selectScripted } from '../../../../src/node/kinds/find.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import type { Step } from '../../../../src/node/kinds/launchers.js';
import { releasesOfScript } from '../../../../src/node/sources/script/launcher-script.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { kaiactl } from '../../offline.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-launchers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A launcher as packages have it, from the steps that are known of it. */
function scriptOf(launcher: string, from: string, release = 'kaia/v2.2.1'): string {
  const [newest] = selectScripted(kinds);
  const kind = newest?.at(release);
  const lines = (steps: readonly Step[]): string[] =>
    steps.flatMap((step) => {
      if ('emit' in step) return [`  OPTIONS="$OPTIONS ${step.emit}"`];
      if ('strip' in step) return [`  ${step.strip}=\`echo $${step.strip} | tr -d "[:space:]"\``];
      if (!('yes' in step)) return [];
      const tests =
        step.test === 'is-one' ? step.variables.map((name) => `  [[ $${name} -eq 1 ]] && true`) : [];
      return [...tests, ...lines(step.yes), ...lines(step.no ?? [])];
    });
  const options = lines(kind?.launchers.steps(launcher, from) ?? []);
  return `#!/usr/bin/env bash
BIN=$(cd "$(dirname $0)"; pwd)
CONF=$(dirname $BIN)/conf
source $CONF/${launcher}.conf
start() {
  OPTIONS=""
${options.join('\n')}
  OPTIONS="$OPTIONS --log.file \${LOG_DIR}/${launcher}.out"
  TERM="dumb" $BIN/${launcher.slice(0, -1)} $OPTIONS >> \${LOG_DIR}/${launcher}.out 2>&1 &
}
case "$1" in
  start) start ;;
esac
`;
}

const conf = 'NETWORK=mainnet\nDATA_DIR=/d\nLOG_DIR=/l\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=personal\n';

async function report(files: Readonly<Record<string, string>>, path = '.') {
  const root = mkdtempSync(join(folder, 'tree-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { stdout, code } = await kaiactl(['node', 'lint', path, '--format', 'json'], { cwd: root });
  const { targets } = JSON.parse(stdout) as Pick<Report, 'targets'>;
  return { code, targets };
}

async function lint(files: Readonly<Record<string, string>>) {
  const { code, targets } = await report(files);
  return { code, targets: targets.map(({ name, verdict }) => `${name} ${verdict}`) };
}

describe('a launcher', () => {
  test.each(
    selectScripted(kinds).flatMap(({ launchers: { names, packages } }) =>
      names.flatMap((name) => packages.map((from) => [name, from] as const)),
    ),
  )('%s of the %s package is known by what it does', (name, from) => {
    const known = (text: string) => releasesOfScript(kinds, new LineIndex(`bin/${name}`, text)) !== null;
    const text = scriptOf(name, from);
    expect(known(text)).toBe(true);
    expect(known(text.replace('OPTIONS=""', 'OPTIONS="--rpcapi admin"'))).toBe(false);
    expect(known(text.replace('OPTIONS=""', 'OPTIONS="--metrics"'))).toBe(false);
    expect(known(text.replace(/\$\w+ -eq 1/, '1 -eq 1'))).toBe(false);
    expect(known(text.replace('$OPTIONS >>', '$OPTIONS --rpcaddr 0.0.0.0 >>'))).toBe(false);
    expect(known(text.replace('start() {', 'start() {\n  DATA_DIR=/elsewhere'))).toBe(false);
  });

  test('of the tar package is part of the conf beside it', async () => {
    const tree = { 'kend-linux/bin/kend': scriptOf('kend', 'tar'), 'kend-linux/conf/kend.conf': conf };
    expect(await lint(tree)).toEqual({ code: 1, targets: ['kend-linux/conf/kend.conf fail'] });
  });

  test('of the RPM is part of the conf in its tree', async () => {
    const tree = { 'etc/init.d/kend': scriptOf('kend', 'rpm'), 'etc/kend/conf/kend.conf': conf };
    expect(await lint(tree)).toEqual({ code: 1, targets: ['etc/kend/conf/kend.conf fail'] });
  });

  test.each([
    ['kend', 'tar', 'klaytn/v1.8.1', 'klaytn/v1.6.0', 'klaytn/v1.8.4'],
    ['kcnd', 'rpm', 'klaytn/v1.9.1', 'klaytn/v1.9.0', 'klaytn/v1.10.2'],
    ['kend', 'tar', 'kaia/v0.9.2', 'kaia/v0.9.0', 'kaia/v1.0.0'],
    ['kend', 'tar', 'kaia/v1.0.1', 'kaia/v1.0.1', 'kaia/v1.0.1'],
    ['kend', 'rpm', 'kaia/v2.0.0', 'kaia/v1.0.2', 'kaia/v2.2.1'],
  ])('%s (%s) of %s is that of %s to %s', (name, from, release, since, until) => {
    const text = scriptOf(name, from, release);
    expect(releasesOfScript(kinds, new LineIndex(`bin/${name}`, text))).toMatchObject({ since, until });
  });

  const unit = '[Service]\nExecStart=/opt/kend-linux/bin/kend start\n';
  const tar = {
    'kend-linux/bin/kend': scriptOf('kend', 'tar', 'klaytn/v1.9.1'),
    'kend-linux/conf/kend.conf': conf.replace('mainnet', 'cypress'),
  };
  const rpm = {
    'etc/init.d/kend': scriptOf('kend', 'rpm', 'klaytn/v1.9.1'),
    'etc/kend/conf/kend.conf': conf.replace('mainnet', 'cypress'),
  };
  test.each([
    ['a conf in a folder', tar, '.'],
    ['a conf', tar, 'kend-linux/conf/kend.conf'],
    ['the folder of a conf', tar, 'kend-linux/conf'],
    ['a conf of the RPM', rpm, 'etc/kend/conf/kend.conf'],
    ['a unit', { ...tar, 'kend.service': unit }, '.'],
    [
      'a unit, without its conf',
      { 'opt/kend-linux/bin/kend': tar['kend-linux/bin/kend'], 'kend.service': unit },
      'kend.service',
    ],
  ])('gives the release of %s', async (_, tree, path) => {
    expect((await report(tree, path)).targets.map(({ release }) => release)).toEqual([
      { value: null, by: 'script', since: 'klaytn/v1.9.0', until: 'klaytn/v1.10.2' },
    ]);
  });

  test('that was edited is the start, its conf is part of it, and findings stand in the conf', async () => {
    const edited = scriptOf('kend', 'tar').replace('OPTIONS=""', 'OPTIONS="--identity edited"');
    const { code, targets } = await report({ 'bin/kend': edited, 'conf/kend.conf': conf });
    expect(code).toBe(1);
    expect(targets.map(({ name }) => name)).toEqual(['bin/kend']);
    const critical = targets[0]?.findings.filter(({ severity }) => severity === 'critical');
    expect(critical).toMatchObject([{ rule: 'privileged-module', at: { file: 'conf/kend.conf', line: 6 } }]);
  });

  test('that was edited and a unit that starts its conf are two starts with one finding', async () => {
    const edited = scriptOf('kend', 'tar').replace('OPTIONS=""', 'OPTIONS="--identity edited"');
    const { targets } = await report({
      'kend-linux/bin/kend': edited,
      'kend-linux/conf/kend.conf': conf,
      'kend.service': unit,
    });
    const critical = targets.map(({ name, findings, shared = [] }) => [
      name,
      findings.filter(({ severity }) => severity === 'critical').length,
      shared.filter(({ severity }) => severity === 'critical').length,
    ]);
    expect(critical).toEqual([
      ['kend-linux/bin/kend', 1, 0],
      ['kend.service', 0, 1],
    ]);
  });
});
