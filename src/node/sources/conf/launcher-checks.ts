/** What a launcher says before, or beside, building a command line. */
import type { StartProblem } from '../../facts/settings.js';
import { isBootNode, type Launcher, type Package } from '../../kinds/kaia/names.js';
import type { Reading } from '../shell/shell.js';
import type { Shell } from '../shell/state.js';
import { testStatus } from '../shell/test.js';
import { isUnknown } from '../shell/value.js';
import type { LineIndex } from '../text/line-index.js';
import { split } from './launcher-test.js';
import type { Locate } from './replay.js';

/** What ends the launcher before it builds a command line. */
export function beforeAnything(
  { shell, ends }: Reading,
  lineIndex: LineIndex,
  locate: Locate,
  launcher: Launcher,
  from: Package,
): StartProblem[] {
  const refusal = { kind: 'launcher-refuses', fatal: true, variable: null, flags: [] } as const;
  if (ends !== null) return [{ ...refusal, message: ends.reason, at: lineIndex.span(ends) }];
  const maybe = shell.journal.mayExit.map(({ reason, at }): StartProblem => {
    return {
      ...refusal,
      fatal: false,
      message: `the launcher may end here: ${reason}`,
      at: lineIndex.span(at),
    };
  });
  const folder = shell.look('DATA_DIR') ?? '';
  if (from === 'rpm' || isBootNode(launcher) || isUnknown(folder)) return maybe;
  const at = locate('DATA_DIR', '', null);
  const missing = {
    kind: 'data-dir-missing',
    fatal: true,
    at,
    variable: 'DATA_DIR',
    flags: ['datadir'],
  } as const;
  if (testStatus(['-z', ...split(folder)], () => null) === 0) {
    const message =
      split(folder).length === 0
        ? 'DATA_DIR is empty: the launcher says so and exits'
        : 'the launcher reads the words of DATA_DIR as a test that holds, and exits';
    return [...maybe, { ...missing, message }];
  }
  if (!/[\0-\x1f\x7f]/.test(split(folder)[0] ?? '')) return maybe;
  const message = 'DATA_DIR ends in a control character, so no such folder exists and the launcher exits';
  return [...maybe, { ...missing, message }];
}

/** NETWORK beside NETWORK_ID is ignored: with a warning, or unread. */
export function ignoredNetwork(shell: Shell, launcher: Launcher, locate: Locate): StartProblem[] {
  if (launcher === 'kbnd' || launcher === 'kscnd') return [];
  const [id, network] = [shell.look('NETWORK_ID') ?? '', shell.look('NETWORK') ?? ''];
  if (isUnknown(id) || isUnknown(network) || id === '' || network === '') return [];
  const message = `NETWORK_ID is set, so the launcher ignores NETWORK=${network} and starts a private network ${id}`;
  const at = locate('NETWORK', '', null) ?? locate('NETWORK_ID', '', null);
  return [{ kind: 'network-ignored', fatal: false, message, at, variable: 'NETWORK', flags: ['networkid'] }];
}
