/** The tests by which a launcher decides, as bash would answer them. */
import type { LauncherTest } from '../../kinds/kind.js';
import { ArithmeticFault, evaluateArithmetic, UnknownOperand } from '../shell/arithmetic.js';
import type { Shell } from '../shell/state.js';
import { testStatus } from '../shell/test.js';
import { isUnknown, type Unknown, type Value } from '../shell/value.js';
import { Lost } from '../text/steps.js';

/** Whether a test of a variable's value holds. */
export function testHolds(shell: Scratch, test: LauncherTest, value: string, values: readonly string[]) {
  switch (test) {
    case 'is-text':
      return value !== '';
    case 'is-empty':
      return value === '';
    case 'is-any':
      return values.includes(value);
    case 'is-one':
      return value !== '' && isOne(shell, value);
    case 'is-word': {
      const status = testStatus(['!', '-z', ...split(value)], () => null);
      return status === null ? { unknown: 'it asks about files of the machine' } : status === 0;
    }
  }
}

/** A failing expression counts as false; an assignment in it takes effect, as in the script. */
export function isOne(shell: Scratch, value: string): boolean | Unknown {
  try {
    const result = evaluateArithmetic(value, {
      steps: shell.steps,
      read: (name) => {
        const content = shell.look(name);
        if (isUnknown(content)) throw new UnknownOperand(content.unknown);
        return content;
      },
      write: (name, content) => shell.set(name, content),
    });
    return result === 1n;
  } catch (error) {
    if (error instanceof ArithmeticFault) return false;
    if (error instanceof UnknownOperand || error instanceof Lost) return { unknown: error.message };
    throw error;
  }
}

/** The words of an unquoted expansion: split at blanks, tabs and newlines. */
export function split(value: string): string[] {
  return value.split(/[ \t\n]+/).filter((word) => word !== '');
}

export type Scratch = Pick<Shell, 'steps' | 'look' | 'set'>;

export function scratchOf(shell: Shell): Scratch {
  const written = new Map<string, Value>();
  return {
    steps: shell.steps,
    look: (name) => written.get(name) ?? shell.look(name),
    set(name, value) {
      written.set(name, value);
      return value;
    },
  };
}
