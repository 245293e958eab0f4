/** Loops: round by round where the rounds are known, else any number of times. */
import { expandValue } from './expand.js';
import type { Memory } from './memory.js';
import { alternatives, Discard, RoundEnd, Stop } from './outcomes.js';
import { Prefixes } from './prefixes.js';
import { type Rounds, roundsOf } from './rounds.js';
import type { Shell } from './state.js';
import type { Command } from './syntax/tree.js';

type Loop = Command & { type: 'loop' };
type Run = (shell: Shell, command: Command) => void;

/** A loop that may export variables is run round by round where its words or lines are known. */
export function runLoop(shell: Shell, command: Loop, run: Run): void {
  const { memory } = shell;
  const exports =
    memory.exportAll ||
    /\b(?:export|declare|typeset|eval)\b/.test(shell.text.slice(command.start, command.end));
  const rounds = shell.observer !== null && exports ? roundsOf(shell, command) : null;
  const known = rounds === null ? null : runRounds(shell, rounds, run);
  if (known === null) {
    runUncounted(shell, command, run);
    return;
  }
  // The observer sees each command once.
  shell.memory = memory.branch();
  if (!shell.rehearsing) runUncounted(shell, command, run);
  shell.memory = memory;
  memory.settle([known], '');
}

/** The memory after all rounds; null: it is not known. */
function runRounds(shell: Shell, { rounds, body }: Rounds, run: Run): Memory | null {
  const { memory, doubt, rehearsing, loop, conditional } = shell;
  const end = memory.branch();
  shell.memory = end;
  shell.doubt = { ...doubt };
  shell.rehearsing = true;
  shell.loop = conditional;
  try {
    for (const round of rounds) {
      shell.steps.take(5);
      for (const [name, value] of round) shell.set(name, value);
      if (!runRound(shell, body, run)) break;
    }
    return shell.doubt.unit === doubt.unit && shell.doubt.file === doubt.file ? end : null;
  } catch (error) {
    if (error instanceof RoundEnd || error instanceof Stop || error instanceof Discard) return null;
    throw error;
  } finally {
    Object.assign(shell, { memory, doubt, rehearsing, loop, conditional });
  }
}

/** False: it ends the loop. */
function runRound(shell: Shell, body: Command, run: Run): boolean {
  try {
    run(shell, body);
  } catch (error) {
    if (!(error instanceof RoundEnd) || error.how === 'maybe') throw error;
    return error.how === 'continue';
  }
  return true;
}

/** A loop runs any number of times: the variables its body assigns are unknown in it and after it. */
function runUncounted(shell: Shell, command: Loop, run: Run): void {
  for (const word of command.words) expandValue(shell, word);
  const assigned = shell.assignedIn(command);
  if (/\b(?:shift|set)\b/.test(shell.text.slice(command.start, command.end))) shell.memory.args = null;
  const outer = shell.touched;
  const unknown = { unknown: `a ${command.keyword} loop sets it` };
  const kept = new Prefixes(shell, command);
  const follow = () => {
    for (const name of assigned) shell.memory.change(name, { value: kept.within(name, unknown) });
    shell.steps.take(assigned.size);
    shell.touched = new Set();
    const before = assigned.size;
    const keptBefore = kept.count;
    const body = () => {
      run(shell, command.body);
      kept.check(assigned);
    };
    alternatives(shell, [body, () => undefined]);
    for (const name of shell.touched) assigned.add(name);
    return assigned.size > before || kept.count < keptBefore;
  };
  const settle = () => {
    while (follow());
  };
  if (shell.rehearsing) settle();
  else {
    shell.rehearse(settle);
    follow();
  }
  for (const name of assigned) {
    shell.memory.change(name, { value: kept.behind(name, unknown) });
    outer.add(name);
  }
  shell.touched = outer;
  shell.memory.status = null;
}
