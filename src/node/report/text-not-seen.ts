/** Undetermined checks as text, grouped by reason. */
import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count, listedFirst } from '../../util/words.js';
import type { Targets, Undetermined } from '../facts/report.js';
import { acknowledging } from '../facts/sign.js';
import type { RollUp } from './roll-up.js';
import { nameOf, roomy, tight } from './text-finding.js';

interface Reason {
  readonly text: string;
  /** An open question of the files, or a target that was not read: always shown. */
  readonly whole: boolean;
  readonly about: Set<string>;
  readonly rules: Set<string>;
  readonly names: Set<string>;
  /** The places in files that say it. */
  readonly places: Set<string>;
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
  const { reasons, left, clients } = await reasonsOf(targets);
  const checks = reasons.filter(({ whole }) => !whole).sort((a, b) => b.rules.size - a.rules.size);
  const shown = verbose ? reasons : [...reasons.filter(({ whole }) => whole), ...checks.slice(0, maxShown)];
  const hidden = reasons.length - shown.length + left;
  const indent = (width < narrow ? tight : roomy).place;
  const texts = shown.map((one) => textOf(one, width, indent, all));
  if (clients.size > 0) texts.push(wrap(acknowledging([...clients]), width, indent, indent));
  if (hidden > 0)
    texts.push(wrap(`not seen ${count(hidden, 'more reason')}: --verbose lists them`, width, 0, indent));
  return texts.join('\n');
}

const narrow = 60;

/** `clients`: those that are not judged, as acknowledgements name them. */
async function reasonsOf(targets: Targets) {
  const byText = new Map<string, Reason>();
  const clients = new Set<string>();
  let left = 0;
  for await (const { undetermined, name } of targets) {
    for (const one of undetermined) {
      const text = withoutPlace(one);
      const known = byText.get(text);
      if (known === undefined && byText.size >= maxReasons) left += 1;
      else byText.set(text, added(known ?? reasonOf(text, one), one, name));
      if (one.rule === 'unjudged-node' && one.suppressed == null)
        clients.add(visible(one.subject ?? '', 200));
    }
  }
  return { reasons: [...byText.values()], left, clients };
}

/** Equal for one reason at several places; what to do about clients is told once. */
function withoutPlace({ reason, at, subject = '' }: Undetermined): string {
  const bare = reason.replace(`. ${acknowledging([subject])}`, '');
  const place = at === undefined ? '' : `${nameOf(at)}: `;
  return bare.startsWith(place) ? bare.slice(place.length) : bare;
}

function reasonOf(text: string, { rule, at }: Undetermined): Reason {
  const whole = at !== undefined || rule === 'gather';
  return { text, whole, about: new Set(), rules: new Set(), names: new Set(), places: new Set() };
}

function added(reason: Reason, { about, rule, at }: Undetermined, name: string): Reason {
  if (about !== null) reason.about.add(about);
  if (at !== undefined) reason.places.add(nameOf(at));
  reason.rules.add(visible(rule));
  reason.names.add(name);
  return reason;
}

function textOf(
  { text, about, rules, names, places }: Reason,
  width: number,
  indent: number,
  all: RollUp | null,
): string {
  if (places.size > 0) {
    const where = listedFirst(
      [...places].map((place) => visible(place, 400)),
      maxNames,
    );
    return wrap(`not seen ${where}: ${visible(text, 500)} (${[...rules].join(', ')})`, width, 0, indent);
  }
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
