/** The conf that a script writes to. */
import { type Launcher, launchers } from '../../kinds/kaia/names.js';

const confName = new RegExp(`(?:^|/)(${launchers.join('|')})(?:_kairos)?\\.conf$`);

/** The launcher that reads a file of this path; null: none does. */
export function launcherOf(path: string): Launcher | null {
  return (confName.exec(path)?.[1] as Launcher | undefined) ?? null;
}
