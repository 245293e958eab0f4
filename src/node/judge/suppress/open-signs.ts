/** Open questions of the files, and the comments and settings that acknowledge them. */
import { shortHash } from '../../../util/hash.js';
import { redact } from '../../../util/redact.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding, Undetermined } from '../../facts/report.js';
import { type LedgerRule, ledgerRules, type OpenSign } from '../../facts/sign.js';
import { squeeze } from '../finding.js';
import { isSuppression, parseSuppression } from './suppression.js';

/** `unjudged-node(lighthouse)`, from the settings of a repository. */
export interface Acknowledgement {
  readonly rule: LedgerRule;
  readonly subjects: readonly string[];
}

export function isLedgerRule(name: string): name is LedgerRule {
  return ledgerRules.some((rule) => rule === name);
}

/** The open questions of the files of a target. What grows beyond an acknowledgement is open again. */
export function openSignsOf(
  { name, signs = [], gatheredAt }: Facts,
  acknowledged: readonly Acknowledgement[],
): Undetermined[] {
  const today = gatheredAt.slice(0, 10);
  return signs.map((sign) => ({
    rule: sign.rule,
    code: 'unfollowed',
    about: null,
    reason: redact(sign.reason),
    ...(sign.at === null ? {} : { at: sign.at }),
    subject: redact(sign.subject),
    fingerprint: shortHash(sign.rule, sign.at?.file ?? name, sign.subject, squeeze(sign.source ?? '')),
    suppressed: byComment(sign, today) ?? bySettings(sign, acknowledged),
  }));
}

function byComment({ rule, subject, comments }: OpenSign, today: string): Finding['suppressed'] {
  for (const text of comments.filter(isSuppression)) {
    const parsed = parseSuppression(text);
    if ('problem' in parsed) continue;
    const match = parsed.named.find(
      (one) =>
        one.rule === rule && covers(one.subjects, subject) && (one.until === null || today <= one.until),
    );
    if (match !== undefined) return { reason: match.reason, until: match.until };
  }
  return null;
}

function bySettings({ rule, subject }: OpenSign, all: readonly Acknowledgement[]): Finding['suppressed'] {
  const isMatch = all.some((one) => one.rule === rule && covers(one.subjects, subject));
  return isMatch ? { reason: 'acknowledged in kaiactl.ini', until: null } : null;
}

/** `reth@any+admin+debug` covers `reth`, `reth@any` and `reth@any+admin`, and nothing that reaches further or offers more. */
function covers(subjects: readonly string[] | null, subject: string): boolean {
  const asked = parseSubject(subject);
  return (
    subjects
      ?.map(parseSubject)
      .some(
        (one) =>
          one.name === asked.name &&
          (one.reach === asked.reach || asked.reach === '') &&
          asked.modules.every((name) => one.modules.includes(name)),
      ) ?? false
  );
}

function parseSubject(subject: string): {
  readonly name: string;
  readonly reach: string;
  readonly modules: string[];
} {
  const [start = '', ...modules] = subject.split('+');
  const [name = '', reach = ''] = start.split('@');
  return { name, reach, modules };
}
