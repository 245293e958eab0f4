/** Combines the verdicts on settings, running process and live node. */
import { compareSeverity, type Severity } from '../facts/severity.js';
import type { Verdict } from './rule/rule.js';

/** Findings of the settings, the more severe of both per subject; then those of the running process alone. */
export function withStarted(declared: Verdict, started: Verdict, usual: Severity): Verdict {
  const more = new Map(started.findings.map((draft) => [draft.subject, draft]));
  const findings = declared.findings.map((draft) => {
    const running = more.get(draft.subject);
    more.delete(draft.subject);
    if (running === undefined) return draft;
    const isWorse = compareSeverity(running.severity ?? usual, draft.severity ?? usual) < 0;
    return isWorse ? running : draft;
  });
  return { ...declared, findings: [...findings, ...more.values()] };
}

/** Findings of the running process, at the places of the settings where these have the same subject. */
export function inForce(declared: Verdict, started: Verdict): Verdict {
  const places = new Map(declared.findings.map((draft) => [draft.subject, draft]));
  const findings = started.findings.map((draft) => {
    const { at, fix } = places.get(draft.subject) ?? draft;
    return { ...draft, at, fix };
  });
  return { ...declared, findings };
}

/** Findings of the settings, with evidence from the live node where there is any; then those of the live node alone. */
export function withLive(declared: Verdict, shown: Verdict): Verdict {
  const proofs = new Map(shown.findings.map((draft) => [draft.subject, draft]));
  const refuted = new Set(shown.refuted ?? []);
  const standing = declared.findings.filter(({ subject }) => !refuted.has(subject));
  const both = standing.map((draft) => {
    const proof = proofs.get(draft.subject);
    if (proof === undefined) return draft;
    proofs.delete(draft.subject);
    const { severity, message, evidence } = proof;
    const related = [...(draft.related ?? []), { at: proof.at, note: 'seen here' }];
    return {
      ...draft,
      message,
      related,
      ...(severity === undefined ? {} : { severity }),
      evidence: { ...draft.evidence, ...evidence },
    };
  });
  return {
    findings: [...both, ...proofs.values()],
    blindSpots: [...declared.blindSpots, ...shown.blindSpots],
    applicable: declared.applicable !== false || shown.applicable !== false,
  };
}
