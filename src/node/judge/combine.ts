/** Verdicts on one node joined: what the conf says, what runs, and what was seen. */
import { compareSeverity, type Severity } from '../facts/severity.js';
import type { Verdict } from './rule/rule.js';

/** Findings of the conf, each as severe as what runs makes it; then what only the running process opens. */
export function worse(declared: Verdict, started: Verdict, usual: Severity): Verdict {
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

/** Findings of the settings, each with its proof if the node shows one; then what only the node shows. */
export function either(declared: Verdict, shown: Verdict): Verdict {
  const proofs = new Map(shown.findings.map((draft) => [draft.subject, draft]));
  const refuted = new Set(shown.refuted ?? []);
  const standing = declared.findings.filter(({ subject }) => !refuted.has(subject));
  const both = standing.map((draft) => {
    const proof = proofs.get(draft.subject);
    if (proof === undefined) return draft;
    proofs.delete(draft.subject);
    const { severity, message, evidence } = proof;
    const related = [...(draft.related ?? []), { at: proof.at, note: 'seen there' }];
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
