/** What starting kaiactl costs over a bare node. */
import { spawnSync } from 'node:child_process';
import { type Bench, interleave } from './bench.js';

const conf = 'fixtures/demo/kend.conf';

export const startUp: Bench = {
  name: 'start-up',
  async run(say) {
    // Where it is set it costs every node as much as all of ours.
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    const node = (...words: string[]) => spawnSync(process.execPath, words, { stdio: 'ignore', env });
    const took = await interleave(31, {
      bare: () => node('-e', '0'),
      version: () => node('bin/kaiactl.js', '--version'),
      lint: () => node('bin/kaiactl.js', 'node', 'lint', conf),
    });
    say(`node -e 0            ${took.bare.toFixed(1)} ms`);
    say(
      `kaiactl --version    ${took.version.toFixed(1)} ms   ${(took.version / took.bare).toFixed(2)} ×   (aim ≤ 1.15)`,
    );
    say(
      `kaiactl node lint    ${took.lint.toFixed(1)} ms   ${(took.lint / took.bare).toFixed(2)} ×   (aim ≤ 2.6)`,
    );
  },
};
