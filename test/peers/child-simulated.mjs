/** A child process that pretends to be a node: the project's own simulator of the conf that SIMULATED_CONF names. */
import { main, nodeHost } from '../../dist/main.cjs';

process.exitCode = await main({
  ...nodeHost(),
  argv: ['node', 'simulate', process.env.SIMULATED_CONF ?? ''],
  env: { XDG_CONFIG_HOME: '/nonexistent' },
});
