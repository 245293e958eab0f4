/** Judges a node in each of its possible worlds, and joins what is found. */

import { groupBy } from '../../util/group-by.js';
import { oncePer } from '../../util/once-per.js';
import { withAssumed } from '../facts/assumed.js';
import type { Facts } from '../facts/facts.js';
import type { Policy } from '../facts/policy.js';
import type { Undetermined } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { worldsOf } from '../facts/worlds.js';
import type { Kind } from '../kinds/kind.js';
import { kindKnown } from '../kinds/node.js';
import { orderFindings, type Purpose } from './finding.js';
import { type Judgement, judge } from './judge.js';
import type { Rule } from './rule/rule.js';
import { Comments } from './suppress/suppress.js';
import { askedIn, openIn, worst } from './worst.js';

/** All findings and open questions of a node, with the verdict of each rule in the first world that it is asked in. */
export function judgeReadings(
  given: Facts,
  rules: readonly Rule[],
  kinds: readonly Kind[],
  policy: Policy | null,
  purpose: Purpose = 'report',
) {
  const facts = withAssumed(given);
  const comments = new Comments(facts, rules);
  const judgeOnce = (one: Facts, by: readonly Rule[]): Judgement[] => {
    const planned = () => judgeOnce({ ...one, live: null }, by).flatMap(({ findings }) => findings);
    return comments.mark(one, judge(one, by, kinds, policy, planned, purpose));
  };
  const conf = facts.conf?.state === 'seen' ? facts.conf.value : null;
  if (conf === null) {
    const judgements = judgeOnce(facts, rules);
    const findings = orderFindings(judgements.flatMap((one) => one.findings));
    return { judgements, findings, undetermined: judgements.flatMap(openQuestions), kind: null };
  }
  const kind = kindKnown(kinds, conf.settings);
  const worlds = worldsOf(conf);
  const asked = askedIn(worlds, facts.live !== null);
  const judged = worlds.map((world) => {
    const by = rules.filter((rule) => asked(rule, world));
    return { world, value: judgeOnce({ ...facts, conf: seen(world.conf) }, by) };
  });
  const all = judged.flatMap(({ world, value }) => value.map((one) => ({ world, value: one })));
  const tell = {
    kind,
    release: conf.settings.release,
    worlds,
    asked,
    get rules() {
      return byId(rules);
    },
  };
  const ofWorlds = <T>(some: (one: Judgement) => readonly T[]) =>
    all.flatMap(({ world, value }) => {
      const found = some(value);
      return found.length === 0 ? [] : found.map((one) => ({ world, value: one }));
    });
  const about = comments.about(
    facts,
    rules,
    all.map(({ value }) => value),
    (rule) => worlds.every((world) => asked(rule, world)),
    purpose,
  );
  const found = [
    ...worst(
      ofWorlds(({ findings }) => findings),
      tell,
    ),
    ...[...about.values()].flat(),
  ];
  const isLeft = ({ rule, verdict }: Judgement) =>
    verdict !== 'fail' || found.some((one) => one.rule === rule.id);
  return {
    get judgements() {
      const first = all.flatMap(({ world, value }) => (world.isFirst ? [value] : []));
      const byRule = groupBy(first, ({ rule }) => rule);
      return rules.flatMap((rule): Judgement[] => {
        const own = byRule.get(rule) ?? [];
        const judgement = own.find(isLeft) ?? own[0];
        const findings = about.get(rule);
        if (judgement === undefined || findings === undefined)
          return judgement === undefined ? [] : [judgement];
        return [{ ...judgement, verdict: 'fail', findings: [...judgement.findings, ...findings] }];
      });
    },
    findings: orderFindings(found),
    undetermined: openIn(ofWorlds(openQuestions), tell),
    kind,
  };
}

const byId = oncePer((rules: readonly Rule[]) => new Map(rules.map((rule) => [rule.id, rule])));

function openQuestions({ rule, verdict, open }: Judgement): Undetermined[] {
  if (open.length === 0) return [];
  const defect = verdict === 'defect' ? { defect: true as const } : {};
  return open.map((one) => ({ rule: rule.id, ...one, ...defect }));
}
