/** Undetermined checks as text, grouped by reason. */
import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count, joinFirst } from '../../util/words.js';
import { type Targets, transports, type Undetermined } from '../facts/report.js';
import { acknowledging } from '../facts/sign.js';
import { withoutName } from './folder.js';
import { placelessReason, placeName } from './listing.js';
import type { RollUp } from './roll-up.js';
import { narrow, roomy, tight } from './text-finding.js';
import { byFile, joinPlaces, type Page } from './text-places.js';

interface Reason {
  readonly first: Undetermined;
  readonly about: Set<string>;
  /** How many checks of each rule it leaves open; none for a target or a file that is not read. */
  readonly rules: Map<string, number>;
  readonly names: Set<string>;
  /** With a place. */
  readonly questions: Undetermined[];
}

/** Reasons that are kept, those of checks that are shown without --verbose, and names in each. */
const maxReasons = 500;
const maxShown = 4;
const maxNames = 3;

/** Targets that a reason names; more are counted. */
const maxNamed = 10;

/**
 * What was not seen, and which checks that leaves open. With `all`, the targets are named. Empty if everything was seen.
 * Without `verbose`, alike reasons are one, and those that concern few checks are only counted.
 */
export async function notSeen(targets: Targets, page: Page): Promise<string> {
  const { verbose, width, lineWidth } = page;
  const reasons = new Map<string, Reason>();
  const clients = new Set<string>();
  let left = 0;
  for await (const { undetermined, name } of targets) {
    for (const one of undetermined) {
      const key = keyOf(one, verbose);
      const known = reasons.get(key);
      if (known === undefined && reasons.size >= maxReasons) left += 1;
      else reasons.set(key, added(known ?? reasonOf(one), one, name));
      if (one.rule === 'unjudged-node' && one.suppressed == null)
        clients.add(visible(one.subject ?? '', 200));
    }
  }
  const isQuestion = ({ questions }: Reason) => questions.length > 0;
  const isUnread = ({ rules, questions }: Reason) => questions.length + rules.size === 0;
  const all = [...reasons.values()];
  const checks = all
    .filter((one) => !isQuestion(one) && !isUnread(one))
    .sort((a, b) => b.rules.size - a.rules.size);
  const shown = verbose ? checks : checks.slice(0, maxShown);
  const hidden = checks.length - shown.length + left;
  const indent = (width < narrow ? tight : roomy).place;
  const isCut = !verbose && clients.size > maxClients;
  const advice = acknowledging(isCut ? [...[...clients].slice(0, maxClients), '…'] : [...clients]);
  const questions = all.filter(isQuestion).map((one) => questionText(one, page));
  const others = [...all.filter(isUnread), ...shown].map((one) => checkText(one, indent, page));
  if (clients.size > 0) questions.push(wrap(advice, lineWidth, 0, 2));
  if (hidden > 0)
    others.push(wrap(`not seen ${count(hidden, 'more reason')}: --verbose lists them`, width, 0, indent));
  return [questions, others]
    .filter((one) => one.length > 0)
    .map((one) => one.join('\n'))
    .join('\n\n');
}

/** Clients that the advice names. */
const maxClients = 3;

/** Equal for one reason at several places; unless `verbose`, also for alike ones, and for all clients that are not judged. */
function keyOf(one: Undetermined, verbose: boolean): string {
  const isUnread = one.rule === 'gather' && one.code !== 'missing-file';
  const text = `${one.at === undefined} ${isUnread} ${shortReason(one)}`;
  if (verbose || isUnread) return text;
  if (one.rule === 'unjudged-node') return one.rule;
  return text
    .replace(/\bin releases [^:]*: |, and \d+ more places?/g, '')
    .split(' ')
    .map((word) => (isOfSentence(word) ? word : '…'))
    .join(' ');
}

/** False for a value, such as a path, a variable or an interface; true for a number, such as that of an answer. */
function isOfSentence(word: string): boolean {
  return /^(?:\p{L}[\p{L}’-]*|-?\d+)[,.;:]?$/u.test(word) && !transports.some((one) => one === word);
}

/** Without the place, which is named, and without what to do about clients, which is told once. */
function shortReason(one: Undetermined): string {
  return placelessReason(one).replace(`. ${acknowledging([one.subject ?? ''])}`, '');
}

function reasonOf(first: Undetermined): Reason {
  return { first, about: new Set(), rules: new Map(), names: new Set(), questions: [] };
}

function added(reason: Reason, one: Undetermined, name: string): Reason {
  if (one.about !== null) reason.about.add(one.about);
  if (one.at !== undefined) reason.questions.push(one);
  if (one.rule !== 'gather') reason.rules.set(one.rule, (reason.rules.get(one.rule) ?? 0) + 1);
  reason.names.add(name);
  return reason;
}

/** `file:line:column undetermined rule reason`, as a finding; below it the places of alike ones. */
function questionText({ first, questions }: Reason, page: Page): string {
  const { folder, verbose, width, lineWidth } = page;
  const text = visible(withoutName(shortReason(first), folder), 500);
  const head = `${visible(first.at === undefined ? '' : placeName(first.at), 400)} undetermined ${visible(first.rule)}`;
  const line = wrap(`${head} ${text}`, verbose ? width : lineWidth, 0, 2);
  const rest = questions.slice(1).flatMap(({ at, subject = '' }) => {
    const label = first.rule === 'unjudged-node' ? visible(subject, 200) : '';
    return at === undefined ? [] : [{ file: at.file, place: `${at.line}:${at.column}`, label }];
  });
  const also = joinPlaces(byFile(rest, first.at?.file ?? null, folder));
  return also === '' ? line : `${line}\n${wrap(`also ${also}`, lineWidth, 2, 4)}`;
}

function checkText({ first, about, rules, names }: Reason, indent: number, page: Page): string {
  const { all, folder, lineWidth } = page;
  const text = withoutName(shortReason(first), folder);
  const isUnread = rules.size === 0;
  const named = isUnread && [...names].every((name) => first.reason.includes(name));
  const where = all === null || named ? '' : ` (${namesOf([...names], all)})`;
  const what = about.size === 0 || about.size > maxAbout ? '' : `${[...about].join(', ')}: `;
  const sum = [...rules.values()].reduce((all, one) => all + one, 0);
  const checks = rules.size > maxRules ? count(sum, 'check') : visible([...rules.keys()].join(', '));
  const open = isUnread ? '' : `; undetermined: ${checks}`;
  return wrap(`not seen ${visible(what + text, 500)}${open}${where}`, lineWidth, 0, indent);
}

/** Interfaces and checks that a reason names; more of them are most of what there is. */
const maxAbout = 4;
const maxRules = 3;

function namesOf(names: readonly string[], { count: targets, live, nameOf }: RollUp): string {
  if (names.length === targets) return `all ${count(targets, 'target')}`;
  if (names.length > maxNamed) return `${names.length} of ${targets} ${live ? 'nodes' : 'targets'}`;
  return joinFirst(
    names.map((name) => visible(nameOf(name), 200)),
    maxNames,
  );
}
