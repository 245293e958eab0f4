/**
 * Fixes of generated starts of geth, with the release known and without: a start that geth takes, which `dumpconfig` shows
 * without starting it, is taken after each fix and after all of them. GETH names the program:
 * `GETH=geth npm run test:geth -- 5000` applies the fixes of one start for 5 of the count.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';
import type { Edit } from '../../../src/node/facts/report.js';
import { seen } from '../../../src/node/facts/seen.js';
import { fixFile } from '../../../src/node/fix/fix-file.js';
import { geth } from '../../../src/node/kinds/geth/index.js';
import { seed } from '../../seed.js';
import { editableOf, editables } from '../editables.js';
import { loadNodes } from '../load.js';
import { judgeTarget, propose } from '../pipeline.js';
import { gethOf } from '../sources/geth.js';
import { Random } from '../sources/random.js';

const program = process.env.GETH ?? '';
const count = Math.ceil(Number(process.env.KAIACTL_TEST_GETH ?? 0) / 5);
const kind = program === '' ? geth : gethOf(program);
const flags = kind.flags.of('geth');
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-geth-fixes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const addresses = ['0.0.0.0', '10.0.0.4', '127.0.0.1'];
const lists = ['eth', 'eth,admin', 'eth,personal,debug', 'nosuch', ''];
const open = ['*', 'app.example'];

/** Groups of words, of which a start has some; a flag that the release lacks is left out. */
const groups: readonly ((random: Random) => readonly string[])[] = [
  (random) => ['--http', `--http.addr=${random.pick(addresses)}`],
  (random) => ['--rpc', `--rpcaddr=${random.pick(addresses)}`],
  (random) => [`--http.api=${random.pick(lists)}`],
  (random) => [`--rpcapi=${random.pick(lists)}`],
  (random) => ['--ws', `--ws.addr=${random.pick(addresses)}`, `--ws.api=${random.pick(lists)}`],
  (random) => ['--ws', `--wsaddr=${random.pick(addresses)}`, `--wsapi=${random.pick(lists)}`],
  () => ['--rpc'],
  () => ['--http'],
  () => ['--ws'],
  (random) => [`--http.vhosts=${random.pick(open)}`, `--http.corsdomain=${random.pick(open)}`],
  (random) => [`--ws.origins=${random.pick(open)}`],
  (random) => ['--graphql', `--graphql.vhosts=${random.pick(open)}`],
  (random) => ['--pprof', `--pprof.addr=${random.pick(addresses)}`],
  (random) => ['--metrics', `--metrics.addr=${random.pick(addresses)}`],
  (random) => ['--unlock=0', ...random.pick([[], ['--allow-insecure-unlock']]), '--password=/pw'],
  () => ['--mine', '--miner.etherbase=0x71562b71999873DB5b286dF957af199Ec94617F7'],
  () => ['--dev', '--dev.period=1'],
  () => ['--nousb', '--ipcdisable'],
  (random) => [`--authrpc.addr=${random.pick(addresses)}`, '--authrpc.vhosts=*'],
  () => ['--rpc.gascap=0', '--rpc.evmtimeout=0', '--rpc.batch-request-limit=0'],
];

function wordsOf(random: Random): string[] {
  const some = Array.from({ length: 1 + random.below(6) }, () => random.pick(groups)(random)).flat();
  const known = some.filter((word) => flags.byName.has(word.slice(2).replace(/=.*/s, '')));
  return random.chance(0.5) ? known : known.flatMap((word) => word.split(/=(?=.)/));
}

/** Why the program does not take the words of the script; null: it does. */
function refusal(script: string): string | null {
  const line = script.split('\n').find((one) => one.startsWith('exec geth')) ?? '';
  const words = line
    .split(' ')
    .slice(2)
    .filter(Boolean)
    .map((word) => word.replaceAll("'", ''));
  const options = { encoding: 'utf8', timeout: 60_000, env: {} } as const;
  const { status, stderr } = spawnSync(program, [...words, 'dumpconfig'], options);
  return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? '');
}

function edited(text: string, edits: readonly Edit[]): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return edits
    .toSorted((a, b) => b.line - a.line || b.column - a.column)
    .reduce(
      (all, one) =>
        all.slice(0, offset(one.line, one.column)) + one.text + all.slice(offset(one.endLine, one.endColumn)),
      text,
    );
}

if (program === '') process.stderr.write('SKIPPED: fixes of starts of geth: GETH names no program\n');

test.skipIf(program === '' || count === 0)(
  'geth takes every start after its fixes',
  { timeout: 0 },
  async () => {
    const random = new Random(seed);
    const wrong: unknown[] = [];
    let applied = 0;
    for (let at = 0; at < count; at += 1) {
      const words = wordsOf(random).map((word) => (/[*]/.test(word) ? `'${word}'` : word));
      const script = `#!/bin/sh\nexec geth --datadir ${join(folder, 'data')} ${words.join(' ')}\n`;
      const release = random.chance(0.5) ? kind.release.id : undefined;
      if (refusal(script) !== null) continue;
      writeFileSync(join(folder, 'run.sh'), script);
      const host = { cwd: folder, stdin: Readable.from([]), signal: new AbortController().signal };
      const { nodes } = await loadNodes(
        'run.sh',
        release === undefined ? {} : { nodeVersion: release },
        host,
      );
      const all = nodes.map(
        ({ conf }): Facts => ({
          name: 'x',
          role: null,
          conf: seen(conf),
          live: null,
          gatheredAt: '2026-01-01T00:00:00.000Z',
        }),
      );
      const findings = all.flatMap((facts) => judgeTarget(facts, { failOn: 'high' }).findings);
      for (const { rule, fix, edits = [], alternatives = [] } of findings)
        for (const one of [{ fix, edits }, ...alternatives]) {
          if (one.edits.length === 0) continue;
          applied += 1;
          const text = edited(script, one.edits);
          const why = refusal(text);
          if (why !== null) wrong.push({ script, release, rule, fix: one.fix, text, why });
        }
      if (all[0]?.conf?.state !== 'seen' || editableOf(all[0].conf.value) === undefined) continue;
      const fixed = await fixFile(all, editables, {
        unsafe: true,
        judge: (facts) => propose(facts, {}),
        findings: async (facts, files) => judgeTarget(facts, { failOn: 'high', editables: files }).findings,
      });
      const why = fixed === null ? null : refusal(fixed.after);
      if (why !== null) wrong.push({ script, release, text: fixed?.after, why });
    }
    process.stderr.write(
      `${kind.release.id}: ${count} starts, ${applied} fixes applied, ${wrong.length} wrong\n`,
    );
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(applied).toBeGreaterThan(count / 2);
  },
);
