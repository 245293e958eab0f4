/** The variables of the packaged confs that decide what a node exposes (build/packaging and build/rpm). */
import type { Launcher, Package } from './names.js';
import { holdsAt } from './releases.js';

// biome-ignore format: a table, its lines filled by hand
const common = {
  RPC_ENABLE: '0', RPC_API: 'klay,eth,net,web3', RPC_PORT: '8551', RPC_ADDR: '0.0.0.0', RPC_CORSDOMAIN: '*',
  RPC_VHOSTS: '*', WS_ENABLE: '0', WS_API: 'klay,eth,net,web3', WS_ADDR: '0.0.0.0', WS_PORT: '8552',
  WS_ORIGINS: '*', SERVER_TYPE: 'http', PORT: '32323',
};
const open = { RPC_ENABLE: '1', WS_ENABLE: '1' };
const meters = { METRICS: '1', PROMETHEUS: '1' };
const mainnet = { NETWORK: 'mainnet', NETWORK_ID: '' };
// biome-ignore format: a table, its lines filled by hand
const limits = {
  RPC_CONCURRENCYLIMIT: '3000', RPC_READ_TIMEOUT: '30', RPC_WRITE_TIMEOUT: '30', RPC_IDLE_TIMEOUT: '120',
  RPC_EXECUTION_TIMEOUT: '30',
};
// biome-ignore format: a table, its lines filled by hand
const service = {
  NETWORK_ID: '3000', SC_MAIN_BRIDGE: '0', SC_SUB_BRIDGE: '0',
};

const confs: Readonly<Record<Launcher, Readonly<Record<string, string>>>> = {
  kcnd: { ...common, ...meters, ...mainnet },
  kpnd: { ...common, ...meters, ...mainnet, ADDITIONAL: '--txpool.nolocals' },
  kend: { ...common, ...open, ...meters, ...mainnet, ...limits, SC_MAIN_BRIDGE: '0' },
  kscnd: { ...common, ...open, ...meters, ...service, RPC_API: 'klay,eth,net,web3,subbridge', PORT: '22323' },
  kspnd: { ...common, ...meters, ...service, ADDITIONAL: '--txpool.nolocals' },
  ksend: { ...common, ...open, ...meters, ...service, ...limits },
  kbnd: { ...meters, NETWORK_ID: '' },
};

/** The variables of the conf that a package installs for a launcher. */
export function packagedConf(
  release: string,
  launcher: Launcher,
  from: Package,
): Readonly<Record<string, string>> {
  const folders = { DATA_DIR: `/var/${launcher}/data`, LOG_DIR: `/var/log/${launcher}` };
  const ports = launcher === 'kscnd' ? { RPC_PORT: '7551', WS_PORT: '7552' } : {};
  return {
    ...Object.fromEntries(
      Object.entries(confs[launcher]).flatMap(([name, value]) => {
        const then = valueAt(release, name, value);
        return then === null ? [] : [[name, then]];
      }),
    ),
    ...(from === 'rpm' ? { ...folders, ...ports } : {}),
  };
}

/** The value in the packaged conf of a release, from the value in the newest; null if it is not set. */
function valueAt(release: string, name: string, value: string): string | null {
  if (Object.hasOwn(limits, name)) return holdsAt(release, { since: 'klaytn/v1.9.0' }) ? value : null;
  if (name === 'NETWORK') return holdsAt(release, { since: 'kaia/v0.9.0' }) ? value : 'cypress';
  if (name === 'SERVER_TYPE') return holdsAt(release, { since: 'klaytn/v1.10.2' }) ? value : 'fasthttp';
  if (name === 'RPC_API' || name === 'WS_API')
    return holdsAt(release, { since: 'klaytn/v1.8.0' }) ? value : value.replace('klay,eth,net,web3', 'klay');
  return value;
}
