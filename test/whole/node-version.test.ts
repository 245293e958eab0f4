/** --node-version and the other places that state a release, over the command line. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { kaiactl } from '../peers/run.js';
import { isLong } from '../seed.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const conf = 'NETWORK=cypress\nDATA_DIR=/srv/kend\nRPC_ENABLE=1\nRPC_API=klay,debug\nRPC_ADDR=0.0.0.0\n';

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function targets(argv: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const given = { cwd, env: { XDG_CONFIG_HOME: '/nonexistent', HOME: '/nonexistent', ...env } };
  const { stdout, stderr } = await kaiactl(['node', ...argv, '--format', 'json'], given);
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as Pick<Report, 'targets'>).targets;
}

describe('a stated release', () => {
  const repository = join(folder, 'repository');
  beforeAll(() => {
    write('repository/kaiactl.ini', '[node]\nnode-version = v1.9.1\n');
    write('repository/kend-v1.7.3-linux-amd64/conf/kend.conf', conf);
    write('plain/kend-v1.7.3-linux-amd64/conf/kend.conf', conf);
    write('image/compose.yml', 'services:\n  en:\n    image: klaytn/klaytn:v1.8.1\n    command: ken --rpc\n');
  });
  const option = ['--node-version', 'v1.12.0'];
  const variable = { KAIACTL_NODE_VERSION: 'v1.11.1' };
  test.each<[string, string[], Record<string, string>, string, string, string]>([
    ['the command line', option, variable, 'repository', 'klaytn/v1.12.0', 'option'],
    ['the environment', [], variable, 'repository', 'klaytn/v1.11.1', 'option'],
    ['kaiactl.ini', [], {}, 'repository', 'klaytn/v1.9.1', 'option'],
    ['the name of the package', [], {}, 'plain', 'klaytn/v1.7.3', 'package'],
    ['the image, below the option', option, {}, 'image', 'klaytn/v1.12.0', 'option'],
    ['the image', [], {}, 'image', 'klaytn/v1.8.1', 'image'],
  ])('%s', async (_what, words, env, root, value, by) => {
    const [target] = await targets(['lint', '.', ...words], join(folder, root), env);
    expect(target?.release).toMatchObject({ value, by });
  });

  test('an inventory states it for each node', async () => {
    const file = write('repository/kend.conf', conf);
    const inventory = write('nodes.ini', `[defaults]\nconf = ${file}\n[one]\nnode-version = v1.8.1\n[two]\n`);
    const argv = ['audit', '--inventory', inventory, '--simulate', '--node-version', 'v1.12.1'];
    const found = await targets(argv, repository);
    expect(found.map(({ name, release }) => [name, release?.value])).toEqual([
      ['one', 'klaytn/v1.8.1'],
      ['two', 'klaytn/v1.12.1'],
    ]);
  });
});

test.each([
  ['v1.8.1', 'klay', 'v1.8.1', 'the release has no unsafe-debug switch'],
  ['v1.12.1', 'klay', 'v1.12.1', 'with the unsafe-debug switch off'],
  ['v2.2.1', 'kaia', 'v2.2.1', 'with the unsafe-debug switch off'],
])('audit --simulate of %s: its modules, its client and its findings', async (version, module, tag, says) => {
  const file = write('simulated/kend.conf', conf.replace('klay,debug', 'klay,debug,web3'));
  const [target] = await targets(['audit', file, '--simulate', '--node-version', version], folder);
  const http = target?.interfaces.find(({ transport }) => transport === 'http');
  expect(http?.client).toMatch(new RegExp(`^Klaytn/${tag.replaceAll('.', '\\.')}[+/]`));
  expect(Object.keys(http?.modules ?? {})).toContain(module);
  expect(target?.findings.find(({ rule }) => rule === 'unsafe-debug')?.message).toContain(says);
});

test('a finding under a condition in some releases names both', async () => {
  const script = [
    '#!/bin/bash',
    'CONF=/klaytn-docker-pkg/conf/kend.conf',
    'cat > "$CONF" <<END',
    conf.trim(),
    'RPC_ADDR=127.0.0.1',
    'export KLAYTN_RPC_UNSAFE_DEBUG_DISABLE=1',
    'END',
    'if [ "$PUBLIC" = yes ]; then',
    '  echo RPC_ADDR=0.0.0.0 >> "$CONF"',
    'fi',
    'exec /klaytn-docker-pkg/bin/kend start',
    '',
  ];
  const [target] = await targets(['lint', write('entrypoint.sh', script.join('\n'))], folder);
  expect(target?.findings.find(({ rule }) => rule === 'unsafe-debug')?.message).toMatch(
    /^In releases up to klaytn v1\.9\.1, when \[ "\$PUBLIC" = yes \]: http: debug is offered/,
  );
});

test('saved facts of an unknown release are rejected with the next step', async () => {
  const file = write('saved/kend.conf', conf);
  const facts = join(folder, 'saved/facts.json');
  await kaiactl(['node', 'audit', file, '--simulate', '--save-facts', facts]);
  const text = readFileSync(facts, 'utf8').replaceAll('"until": "kaia/v2.2.1"', '"until": "kaia/v9.0.0"');
  expect(text).toContain('kaia/v9.0.0');
  writeFileSync(facts, text);
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', '--facts', facts]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/holds facts of kaia\/v9\.0\.0, a release that is not known here\n.*as new as/s);
});

const hasGo = isLong && process.platform === 'linux' && spawnSync('go', ['version']).status === 0;

test.skipIf(!hasGo)(
  'the build information of a running program tells its release (skipped without Go and in short runs)',
  async () => {
    const source = join(folder, 'program');
    write('program/go.mod', 'module github.com/kaiachain/kaia\n\ngo 1.20\n');
    write(
      'program/cmd/ken/main.go',
      'package main\n\nimport "os"\n\nfunc main() { os.Stdin.Read(make([]byte, 1)) }\n',
    );
    const flags = ['-ldflags=-X github.com/kaiachain/kaia/cmd/utils/nodecmd.gitTag=v1.0.3'];
    const program = join(source, 'ken');
    execFileSync('go', ['build', ...flags, '-o', program, './cmd/ken'], { cwd: source });
    const child = spawn(program, ['--rpc', '--rpcapi', 'kaia,auction', '--auction.disable']);
    try {
      await once(child, 'spawn');
      const [target] = await targets(['audit', `pid:${child.pid}`], folder);
      expect(target?.release).toMatchObject({ value: 'kaia/v1.0.3', by: 'build' });
      const messages = target?.findings.map(({ message }) => message).join('\n');
      expect(messages).toContain('--auction.disable came with kaia v2.1.0');
      expect(messages).toContain('auction, which came with kaia v2.1.0: kaia v1.0.3 ignores it');
    } finally {
      child.stdin.end();
      await once(child, 'close');
    }
  },
);

test('tools/releases.js prints what changed between two tags', () => {
  const checkout = join(folder, 'checkout');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...words], { cwd: checkout });
  const flag = (name: string, value: string) =>
    `\tA${name}Flag = &cli.IntFlag{\n\t\tName:    "${name}",\n\t\tValue:   ${value},\n\t\tAliases: []string{"p2p.${name}"},\n\t\tEnvVars: []string{"KLAYTN_PORT"},\n\t}\n`;
  const commit = (tag: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) write(`checkout/${path}`, text);
    git('add', '.');
    git('commit', '-qm', tag);
    git('tag', tag);
  };
  mkdirSync(checkout, { recursive: true });
  git('init', '-q');
  const common = {
    'go.mod': 'module github.com/kaiachain/kaia\n\trequire github.com/urfave/cli/v2 v2.25.7\n',
    'api/backend.go': 'x := rpc.API{ Namespace: "debug" }\n',
    'build/packaging/linux/bin/kend': 'echo $RPC_API\n',
  };
  commit('v1', { ...common, 'cmd/utils/flags.go': `var (\n${flag('port', '32323')})\n` });
  commit('v2', {
    ...common,
    'api/backend.go': 'x := rpc.API{ Namespace: "debug" }\ny := rpc.API{ Namespace: "brandnew" }\n',
    'build/packaging/linux/bin/kend': 'echo $RPC_API ${RPC_NEW}\n',
    'cmd/utils/flags.go': `var (\n${flag('port', '32324')}${flag('brand-new', '1')})\n`,
  });
  const tool = new URL('../../tools/releases.js', import.meta.url).pathname;
  expect(execFileSync('node', [tool, checkout, 'v1', 'v2'], { encoding: 'utf8' })).toMatchInlineSnapshot(`
    "flags (cmd/utils, api/debug, kaiax)
      - port Int p2p.port KLAYTN_PORT 32323
      + port Int p2p.port KLAYTN_PORT 32324
      + brand-new Int p2p.brand-new KLAYTN_PORT 1   (not in flag-table.ts)
    modules (rpc.API namespaces)
      + brandnew
    launchers’ variables (build/packaging, build/rpm)
      + kend/tar RPC_NEW
    command-line library, module path (go.mod)
        the same
    "
  `);
});
