/** The tables of Kaia agree with each other: launchers, variables, flags, modules. */
import { expect, test } from 'vitest';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { rows } from '../../../../src/node/kinds/kaia/interfaces.js';
import { services } from '../../../../src/node/kinds/kaia/methods.js';
import { modules } from '../../../../src/node/kinds/kaia/modules.js';

test('the launchers use the variables of the interfaces as the table says', () => {
  const names = [...(kaia.launchers?.variablesByFlag('kend', 'tar') ?? [])].map(([flag, { name }]) => [
    flag,
    name,
  ]);
  expect(Object.fromEntries(names)).toMatchObject({
    rpc: 'RPC_ENABLE',
    rpcaddr: 'RPC_ADDR',
    rpcapi: 'RPC_API',
    rpccorsdomain: 'RPC_CORSDOMAIN',
    rpcvhosts: 'RPC_VHOSTS',
    ws: 'WS_ENABLE',
    wsapi: 'WS_API',
    wsorigins: 'WS_ORIGINS',
    prometheus: 'PROMETHEUS',
    mainbridge: 'SC_MAIN_BRIDGE',
    datadir: 'DATA_DIR',
    kairos: 'NETWORK',
    networkid: 'NETWORK_ID',
  });
  expect(kaia.launchers?.variablesByFlag('kscnd', 'tar').get('scsigner')).toEqual({
    name: 'SCSIGNER',
    isSwitch: false,
  });
});

test('every flag of an interface is a flag of the node', () => {
  const { byName } = kaia.flags.of('ken');
  const flags = Object.values(rows).flatMap((one): string[] => Object.values(one));
  expect(flags.filter((flag) => !byName.has(flag))).toEqual([]);
});

test('every interface has the default port of the node', () => {
  expect((['http', 'ws', 'grpc', 'metrics', 'pprof'] as const).map(kaia.interfaces.defaultPort)).toEqual([
    8551, 8552, 8553, 61_001, 6060,
  ]);
});

test('the modules are the namespaces that have a service', () => {
  expect([...new Set(services.map(({ namespace }) => namespace))].sort()).toEqual(
    Object.keys(modules).sort(),
  );
});
