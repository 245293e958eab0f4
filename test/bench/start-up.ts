/** What starting kaiactl costs over a bare node. KAIACTL_TEST_CONFS: a folder with a kend.conf, such as a package's. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Bench, interleave } from './bench.js';

const conf = join(process.env.KAIACTL_TEST_CONFS ?? 'fixtures/demo', 'kend.conf');
const lint = ['bin/kaiactl.js', 'node', 'lint', conf];

export const startUp: Bench = {
  name: 'start-up',
  async run(tell) {
    // Where it is set it costs every node as much as all of ours.
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    // No compiled code can be kept there.
    const node = (words: readonly string[]) =>
      spawnSync(process.execPath, words, { stdio: 'ignore', env: { ...env, XDG_CACHE_HOME: '/dev/null' } });
    const took = await interleave(31, {
      bare: () => node(['-e', '0']),
      version: () => node(['bin/kaiactl.js', '--version']),
      lint: () => node(lint),
    });
    for (const [what, ms] of [
      ['`kaiactl --version`', took.version],
      ['`kaiactl node lint` of one conf', took.lint],
    ] as const) {
      const instead = `a bare node, which does nothing: ${took.bare.toFixed(1)} ms`;
      tell({
        what,
        value: `${ms.toFixed(1)} ms`,
        instead,
        ratio: `${(ms / took.bare).toFixed(2)} × the time`,
      });
    }
  },
};
