/** A compose file of many services: the time of a lint that proves every edit, and the findings that keep theirs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import { compared, nodes } from './processes.js';

const sizes = [20, 40, 80] as const;

/** Services of one node each, with findings that have edits. */
export function composeOf(services: number): string {
  const service = (at: number) =>
    `  en-${at}:\n    image: kaiachain/kaia:v1.0.3\n` +
    `    command: [ken, --datadir, /d, --rpc, --rpcaddr, 0.0.0.0, --rpcapi, "eth,personal,admin", --rpcvhosts, "*", --rpccorsdomain, "*", --ws, --wsaddr, 0.0.0.0, --wsapi, debug, --wsorigins, "*", --wsport, "${9000 + at}"]\n` +
    `    ports: ["${20000 + at}:8551", "${30000 + at}:${9000 + at}"]\n`;
  return `services:\n${Array.from({ length: services }, (_, at) => service(at)).join('')}`;
}

export const compose: Bench = {
  name: 'compose',
  async run(tell) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
    const lintOf = (size: number) => {
      const file = join(folder, String(size), 'compose.yml');
      return ['bin/kaiactl.js', 'node', 'lint', file, '--format', 'json', '--exit-zero'];
    };
    try {
      for (const size of sizes) {
        execFileSync('mkdir', [join(folder, String(size))]);
        writeFileSync(join(folder, String(size), 'compose.yml'), composeOf(size));
      }
      const [{ name, program }] = nodes as readonly [(typeof nodes)[number]];
      const commands = sizes.map((size) => [size, [program, ...lintOf(size)]]);
      const took: Record<string, number> = await compared(2, folder, Object.fromEntries(commands));
      for (const [at, size] of sizes.entries()) {
        const ms = took[size] ?? Number.NaN;
        const half = sizes[at - 1];
        const growth = half === undefined ? null : Math.log2(ms / (took[half] ?? Number.NaN));
        tell({
          what: `\`kaiactl node lint\` of a compose file of ${size} services as JSON, ${name}`,
          value: `${(ms / 1000).toFixed(2)} s of processor; ${keptEdits(program, lintOf(size))}`,
          ...(growth === null ? {} : { instead: `${half} services`, ratio: `exponent ${growth.toFixed(2)}` }),
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function keptEdits(program: string, lint: readonly string[]): string {
  const { targets } = JSON.parse(
    execFileSync(program, lint, {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { targets: readonly { readonly findings: readonly { readonly edits?: readonly unknown[] }[] }[] };
  const findings = targets.flatMap((one) => one.findings);
  return `${findings.filter(({ edits = [] }) => edits.length > 0).length} of ${findings.length} findings keep their edits`;
}
