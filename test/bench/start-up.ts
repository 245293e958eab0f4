/** What starting kaiactl costs over a bare node. KAIACTL_TEST_CONFS: a folder with a kend.conf, such as a package's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import { compared, nodes } from './processes.js';

const conf = join(process.env.KAIACTL_TEST_CONFS ?? 'fixtures/demo', 'kend.conf');
const lint = ['bin/kaiactl.js', 'node', 'lint', conf];

export const startUp: Bench = {
  name: 'start-up',
  async run(tell) {
    for (const { name, program } of nodes) {
      // Node 22 and later keep compiled code there.
      const cache = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
      const took = await compared(15, cache, {
        bare: [program, '-e', '0'],
        version: [program, 'bin/kaiactl.js', '--version'],
        help: [program, 'bin/kaiactl.js', '--help'],
        lint: [program, ...lint],
      });
      rmSync(cache, { recursive: true });
      for (const [what, ms] of [
        ['`kaiactl --version`', took.version],
        ['`kaiactl --help`', took.help],
        ['`kaiactl node lint` of one conf', took.lint],
      ] as const)
        tell({
          what: `${what}, ${name}`,
          value: `${ms.toFixed(1)} ms of processor`,
          instead: `a bare node, which does nothing: ${took.bare.toFixed(1)} ms`,
          ratio: `${(ms / took.bare).toFixed(2)} × the time`,
        });
    }
  },
};
