/** What an admin's action did, as sentences and as a document. */
import { field } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import { groupDigits } from '../../util/words.js';
import type { Policy } from '../store/policies.js';
import { policyRows } from './admin-policy.js';
import { rows } from './member-list.js';

interface Told {
  readonly document: unknown;
  readonly text: string;
}

function told(document: unknown, ...sentences: readonly (string | false)[]): Told {
  const lines = sentences.filter((one) => one !== false);
  return { document, text: lines.map((one) => `${visible(one, 400)}\n`).join('') };
}

const survey = (answer: unknown) => String(field(answer, 'survey'));
const counted = (answer: unknown, name: string, noun: string) => {
  const count = Number(field(answer, name) ?? 0);
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
};
const members = (answer: unknown) => counted(answer, 'members', 'member');

export function formatAdded(answer: unknown): Told {
  const policy = field(answer, 'policy') as Policy | null | undefined;
  const allowed = policy
    ? policyRows(policy).map(([name, value]) => `${name}: ${value}`)
    : ['it gets the policy of its server’s options'];
  const did = field(answer, 'wasKnown') === true ? 'was served already' : 'is added';
  return told(answer, `survey ${survey(answer)} ${did}; ${allowed.join(', ')}`);
}

export function formatChanged(answer: unknown): Told {
  const [before, after] = [field(answer, 'before'), field(answer, 'after')] as [Policy, Policy];
  const old = new Map(policyRows(before));
  const lines = policyRows(after)
    .filter(([name, value]) => old.get(name) !== value)
    .map(([name, value]) => `${name}: ${value} (was ${old.get(name)})`);
  if (after.allowlist && field(answer, 'listed') !== undefined)
    lines.push(`its list is replaced: ${counted(answer, 'listed', 'name')}`);
  return told(
    answer,
    `survey ${survey(answer)}: ${lines.join(', ') || 'nothing changed'}`,
    !before.onePerUser &&
      after.onePerUser &&
      'who joined before is not recorded: those users can join once more',
  );
}

/** `at`: the options that name the server or store, as words to paste. */
export function formatClosed(answer: unknown, at: string): Told {
  return told(
    answer,
    `closed survey ${survey(answer)}: it refuses joins and keeps its ${members(answer)}`,
    `“kaiactl survey admin open ${survey(answer)}${at}” opens it again; after an export, that takes --not-moved`,
  );
}

export function formatOpened(answer: unknown): Told {
  return told(answer, `opened survey ${survey(answer)}: it accepts joins, and has ${members(answer)}`);
}

/** The list as text or CSV; the document for `import`. */
export function formatExported(answer: unknown): Told & { csv: string } {
  const list = field(answer, 'members') as readonly string[];
  return { document: answer, text: rows(list, 'text'), csv: `index,commitment\n${rows(list, 'csv')}` };
}

export function formatImported(answer: unknown, at: string): Told {
  const users = counted(answer, 'participants', 'recorded user');
  return told(
    answer,
    `imported survey ${survey(answer)}: group ${field(answer, 'groupId')}, ${members(answer)}, ${users}`,
    field(answer, 'closed') === true &&
      `it is closed: “kaiactl survey admin open ${survey(answer)}${at}” opens it`,
  );
}

export function formatForgotten(answer: unknown): Told {
  const allowed = field(answer, 'wasAllowed') === true && 'took the user off the allowlist';
  if (field(answer, 'wasRecorded') !== true)
    return told(answer, `survey ${survey(answer)} has no record that this user joined`, allowed);
  return told(
    answer,
    `erased the record of this user from survey ${survey(answer)}`,
    allowed,
    field(answer, 'mayRejoin') === true
      ? 'the user may join again'
      : 'a keyed hash stays, which keeps the user from joining again (--allow-rejoin erases that too)',
    'the commitment stays on the list: nothing tells which one it is',
  );
}

export function formatRotated(keys: number): Told {
  return told(
    { keys },
    keys === 1
      ? 'rotated the participants’ secret: its file has one new key, and no record of a user is left'
      : `rotated the participants’ secret: its file has ${keys} keys, and all of them are needed`,
    'copy the file to every server before it starts again; a backup from before needs the file of that time',
  );
}
