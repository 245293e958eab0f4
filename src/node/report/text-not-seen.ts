/** Undetermined checks as text, grouped by reason. */
import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { Targets, Undetermined } from '../facts/report.js';
import type { RollUp } from './roll-up.js';
import { roomy, tight } from './text-finding.js';

interface Reason {
  readonly text: string;
  /** An open question of the files, or a target that was not read: always shown. */
  readonly whole: boolean;
  readonly about: Set<string>;
  readonly rules: Set<string>;
  readonly names: Set<string>;
}

/** Reasons that are kept, and those of single checks that are shown without --verbose. */
const maxReasons = 500;
const maxShown = 4;
const maxNames = 10;

/**
 * What was not seen, and which checks that leaves open. With `all`, the targets are named. Empty if everything was seen.
 * Without `verbose`, reasons that concern few checks are counted only.
 */
export async function notSeen(
  targets: Targets,
  width: number,
  { all, verbose }: { readonly all: RollUp | null; readonly verbose: boolean },
): Promise<string> {
  const { reasons, left } = await reasonsOf(targets);
  const checks = reasons.filter(({ whole }) => !whole).sort((a, b) => b.rules.size - a.rules.size);
  const shown = verbose ? reasons : [...reasons.filter(({ whole }) => whole), ...checks.slice(0, maxShown)];
  const hidden = reasons.length - shown.length + left;
  const indent = (width < narrow ? tight : roomy).place;
  const texts = shown.map((one) => textOf(one, width, indent, all));
  if (hidden > 0)
    texts.push(wrap(`not seen ${count(hidden, 'more reason')}: --verbose lists them`, width, 0, indent));
  return texts.join('\n');
}

const narrow = 60;

async function reasonsOf(targets: Targets): Promise<{ reasons: Reason[]; left: number }> {
  const byText = new Map<string, Reason>();
  let left = 0;
  for await (const { undetermined, name } of targets) {
    for (const one of undetermined) {
      const known = byText.get(one.reason);
      if (known === undefined && byText.size >= maxReasons) left += 1;
      else byText.set(one.reason, added(known ?? reasonOf(one), one, name));
    }
  }
  return { reasons: [...byText.values()], left };
}

function reasonOf({ reason, rule, at }: Undetermined): Reason {
  const whole = at !== undefined || rule === 'gather';
  return { text: reason, whole, about: new Set(), rules: new Set(), names: new Set() };
}

function added(reason: Reason, { about, rule }: Undetermined, name: string): Reason {
  if (about !== null) reason.about.add(about);
  reason.rules.add(visible(rule));
  reason.names.add(name);
  return reason;
}

function textOf(
  { text, about, rules, names }: Reason,
  width: number,
  indent: number,
  all: RollUp | null,
): string {
  const isUnread = rules.has('gather');
  const named = isUnread && [...names].every((name) => text.includes(name));
  const where = all === null || named ? '' : ` (${namesOf([...names], all)})`;
  const what = about.size === 0 || about.size > maxAbout ? '' : `${[...about].join(', ')}: `;
  const checks = rules.size > 6 ? `${rules.size} checks` : [...rules].join(', ');
  const open = isUnread ? '' : `; undetermined: ${checks}`;
  return wrap(`not seen ${visible(what + text, 500)}${open}${where}`, width, 0, indent);
}

/** Interfaces that a reason names; more of them are most of what there is. */
const maxAbout = 4;

function namesOf(names: readonly string[], all: RollUp): string {
  if (names.length === all.count) return `all ${count(all.count, 'target')}`;
  const shown = names.slice(0, maxNames).map((name) => visible(all.nameOf(name), 200));
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}
