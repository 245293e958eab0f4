import { expect, test } from 'vitest';
import { flagsOf } from '../../../src/node/kinds/kaia/flags.js';
import { defaultPort, settingsOf } from '../../../src/node/kinds/kaia/interfaces.js';
import { launcherSteps, type Step } from '../../../src/node/kinds/kaia/launchers.js';
import { services } from '../../../src/node/kinds/kaia/methods.js';
import { modules } from '../../../src/node/kinds/kaia/modules.js';
import { launchers, packages } from '../../../src/node/kinds/kaia/names.js';

/** Flag → variable, as the launchers make the one of the other. */
function carried(steps: readonly Step[]): [string, string][] {
  return steps.flatMap((step): [string, string][] => {
    if ('emit' in step) {
      return [...step.emit.matchAll(/--(\S+) \$(\w+)/g)].map(([, flag = '', name = '']) => [flag, name]);
    }
    if (!('test' in step)) return [];
    const [first] = step.yes;
    const switched = step.test === 'is-one' && first !== undefined && 'emit' in first ? first.emit : '';
    const flag = /^--(\S+)/.exec(switched)?.[1];
    const own = step.variables.flatMap((name): [string, string][] =>
      flag === undefined ? [] : [[flag, name]],
    );
    return [...own, ...carried(step.yes), ...carried(step.no ?? [])];
  });
}

test('each flag of an interface has the variable that the launchers turn into it', () => {
  const by = new Map(
    launchers.flatMap((launcher) => packages.flatMap((from) => carried(launcherSteps(launcher, from)))),
  );
  const pairs = Object.values(settingsOf).flatMap((flags) => Object.values(flags));
  expect(pairs.map(([flag]) => [flag, by.get(flag) ?? null])).toEqual(pairs);
});

test('every flag of an interface is one of the node', () => {
  const { byName } = flagsOf('kend');
  const flags = Object.values(settingsOf).flatMap((one) => Object.values(one).map(([flag]) => flag));
  expect(flags.filter((flag) => !byName.has(flag))).toEqual([]);
});

test('ports', () => {
  expect((['http', 'ws', 'grpc', 'metrics', 'pprof'] as const).map(defaultPort)).toEqual([
    8551, 8552, 8553, 61_001, 6060,
  ]);
});

test('the modules are the namespaces that have a service', () => {
  expect([...new Set(services.map(({ namespace }) => namespace))].sort()).toEqual(
    Object.keys(modules).sort(),
  );
});
