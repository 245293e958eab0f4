/** Checks of a launcher before it builds the command line. */
import type { StartProblem } from '../../facts/settings.js';
import type { Launchers } from '../../kinds/kind.js';
import type { Reading } from '../shell/shell.js';
import type { Shell } from '../shell/state.js';
import { testStatus } from '../shell/test.js';
import { isUnknown } from '../shell/value.js';
import type { LineIndex } from '../text/line-index.js';
import { split } from './launcher-test.js';
import type { Places } from './replay.js';

/** Why the launcher ends, or may end, before it builds a command line. */
export function beforeAnything(
  { shell, ends }: Reading,
  lineIndex: LineIndex,
  places: Places,
  neededFolder: ReturnType<Launchers['neededFolder']>,
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
  if (neededFolder === null) return maybe;
  const { variable, flag } = neededFolder;
  const folder = shell.look(variable) ?? '';
  if (isUnknown(folder)) return maybe;
  const at = places.valueAt(variable);
  const missing = { kind: 'data-dir-missing', fatal: true, at, variable, flags: [flag] } as const;
  if (testStatus(['-z', ...split(folder)], () => null) === 0) {
    const message =
      split(folder).length === 0
        ? `${variable} is empty: the launcher prints an error and exits`
        : `the launcher reads the words of ${variable} as a test that holds, and exits`;
    return [...maybe, { ...missing, message }];
  }
  if (!/[\0-\x1f\x7f]/.test(split(folder)[0] ?? '')) return maybe;
  const message = `${variable} ends in a control character, so no such folder exists and the launcher exits`;
  return [...maybe, { ...missing, message }];
}

/** A network's name beside its id is ignored: with a warning, or unread. */
export function ignoredNetwork(
  shell: Shell,
  variables: ReturnType<Launchers['networkVariables']>,
  places: Places,
): StartProblem[] {
  if (variables === null) return [];
  const [id, network] = [shell.look(variables.id) ?? '', shell.look(variables.name) ?? ''];
  if (isUnknown(id) || isUnknown(network) || id === '' || network === '') return [];
  const { name: variable, flag } = variables;
  const message = `${variables.id} is set, so the launcher ignores ${variable}=${network} and starts a private network ${id}`;
  const at = places.valueAt(variable) ?? places.valueAt(variables.id);
  return [{ kind: 'network-ignored', fatal: false, message, at, variable, flags: [flag] }];
}
