/** Nodes that are down in a watch, and those that have just started. */
import { expect, test } from 'vitest';
import { unseenProcesses } from '../../../src/node/commands/processes.js';
import { withDown } from '../../../src/node/commands/watch-sources.js';
import type { InterfaceReport, TargetReport } from '../../../src/node/facts/report.js';
import { reportOf, targetOf } from '../report/reports.js';

const startedAt = '2026-02-11T00:00:00.000Z';
const now = Date.parse(startedAt) + 60_000;
const states = (...all: readonly InterfaceReport['state'][]) => {
  const { interfaces } = targetOf((what) => what);
  return all.map((state, at) => ({ ...interfaces[at], state }) as InterfaceReport);
};
const node = (name: string, over: Partial<TargetReport> = {}): TargetReport =>
  targetOf((what) => what, name, { findings: [], undetermined: [], verdict: 'pass', ...over });
const running = (pid: number, over: object = {}) =>
  ({ pid, program: 'ken', dataDir: '/srv/kend', startedAt, ...over }) as never;

/** Name and, behind it, the interfaces that the last report had open. */
function told(before: readonly TargetReport[], after: readonly TargetReport[], over: object = {}) {
  const round = { before: reportOf(before), isMachine: false, now, ...over };
  return withDown(after, round).map(({ name, last, undetermined }) =>
    [
      name,
      ...(last === undefined
        ? []
        : [`last ${last.interfaces.filter(({ state }) => state === 'open').length}`]),
      ...undetermined.map(({ reason }) => reason),
    ].join(': '),
  );
}

const up = node('a', { interfaces: states('open', 'refused') });

test.each<[string, InterfaceReport['state'][], string]>([
  ['that answers', ['refused', 'open'], 'a'],
  ['whose interfaces refuse', ['refused', 'refused'], 'a: last 1'],
  ['whose interfaces are unreachable', ['closed', 'unreachable'], 'a: last 1'],
  ['whose interfaces are off', ['closed', 'closed'], 'a'],
  ['without interfaces', [], 'a'],
])('a node %s has the last report: %s', (_, after, expected) => {
  expect(told([up], [node('a', { interfaces: states(...after) })])).toEqual([expected]);
});

test('a process that is gone is down, also where its target is named by its pid', () => {
  const [before, gone] = [{ ...up, process: running(1) }, node('a', { interfaces: [], process: null })];
  expect(told([before], [gone])).toEqual(['a: last 1']);
  expect(told([before], [{ ...gone, process: running(1) }])).toEqual(['a']);
});

test('a node that was never up, or is new, has no last report', () => {
  const down = node('a', { interfaces: states('refused') });
  expect(told([down], [down])).toEqual(['a']);
  expect(told([up], [{ ...down, name: 'b' }])).toEqual(['b']);
  expect(withDown([down], { before: null, isMachine: true, now })).toEqual([down]);
});

test('the report from before it went down is kept over rounds', () => {
  const down = node('a', { interfaces: states('refused') });
  expect(told([{ ...down, last: up }], [down])).toEqual(['a: last 1']);
});

test.each([
  ['young', { pid: 2 }, 0, 'a: last 2'],
  ['older than a minute', { pid: 2 }, 1, 'a'],
  ['the same', { pid: 1 }, 0, 'a'],
  ['of unknown age', { pid: 2, startedAt: null }, 0, 'a'],
])('a process that is %s and has fewer interfaces open than before', (_, process, later, expected) => {
  const before = node('a', { interfaces: states('open', 'open'), process: running(1) });
  const after = node('a', { interfaces: states('open', 'refused'), process: running(process.pid, process) });
  expect(told([before], [after], { now: now + later })).toEqual([expected]);
  const more = node('a', { interfaces: states('open', 'open', 'open'), process: running(2) });
  expect(told([{ ...before, interfaces: states('open', 'open') }], [more])).toEqual(['a']);
});

test('of the processes of a machine, those that are missing have ended', () => {
  const [one, other, file] = [
    node('ken /srv/kend', { process: running(1), interfaces: states('open') }),
    node('ken /srv/other', { process: running(2, { dataDir: '/srv/other' }), interfaces: states('open') }),
    node('kend.conf'),
  ];
  const isMachine = true;
  expect(told([one, other, file], [other], { isMachine })).toEqual([
    'ken /srv/other',
    'ken /srv/kend: last 1: its process has ended',
  ]);
  expect(told([one, other, file], [other])).toEqual(['ken /srv/other']);
  expect(told([one], [node(unseenProcesses)], { isMachine })).toEqual([
    unseenProcesses,
    'ken /srv/kend: last 1: its process has ended, or is hidden',
  ]);
  const gone = withDown([], { before: reportOf([one]), isMachine, now });
  expect(gone).toMatchObject([
    { verdict: 'undetermined', findings: [], interfaces: [], last: { name: one.name } },
  ]);
  expect(told(gone, [], { isMachine })).toEqual(['ken /srv/kend: last 1: its process has ended']);
});
