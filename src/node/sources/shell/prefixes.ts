/** The known beginnings of values that a loop makes longer: ARGS="$ARGS --bootnodes $p". */

import type { Range } from '../text/line-index.js';
import { unfilled } from '../text/placeholders.js';
import type { Shell } from './state.js';
import { partOf, type Unknown } from './value.js';

/** Values to which a loop of a script only appends. */
export class Prefixes {
  private readonly values = new Map<string, string>();
  private readonly glued = new Set<string>();
  private readonly shell: Shell;

  constructor(shell: Shell, { start, end }: Range) {
    this.shell = shell;
    if (shell.observer === null) return;
    for (const [, name = ''] of shell.text.slice(start, end).matchAll(/\b([A-Za-z_]\w*)\+?=/g)) {
      const { value } = shell.memory.of(name);
      if (typeof value === 'string' && value !== '') this.values.set(name, value);
    }
  }

  get count(): number {
    return this.values.size;
  }

  /** The value within the loop: the prefix, and what the loop appends. */
  within(name: string, unknown: Unknown): Unknown {
    const value = this.values.get(name);
    return value === undefined ? unknown : { ...unknown, partly: `${value}${unfilled}` };
  }

  /** Forgets the values of these names that the body, which began with those of `within`, changes otherwise. */
  check(names: ReadonlySet<string>): void {
    for (const [name, value] of this.values) {
      if (!names.has(name)) continue;
      const part = partOf(this.shell.memory.of(name).value ?? '');
      if (!part.startsWith(`${value}${unfilled}`)) this.values.delete(name);
      else if (/^\S/.test(part.slice(value.length + unfilled.length))) this.glued.add(name);
    }
  }

  behind(name: string, unknown: Unknown): Unknown {
    const value = this.values.get(name);
    if (value === undefined) return unknown;
    return { ...unknown, partly: `${value}${this.glued.has(name) ? '' : ' '}${unfilled}` };
  }
}
