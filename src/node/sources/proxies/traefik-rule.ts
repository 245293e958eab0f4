/**
 * Rules of Traefik's routers: which clients meet them. A client chooses the host, the path and the method itself.
 * Source: doc.traefik.io/traefik/routing/routers (rule: matchers, &&, ||, ! and parentheses).
 */
import { type Condition, noneOf, type Test } from '../../reach/conditions.js';
import { denied } from '../../reach/gate.js';
import type { Gate, Step } from '../../reach/hop.js';

/** At most so many alternatives, and parentheses in each other. */
const [maxAlternatives, maxDepth] = [64, 50];
const chosen = /^(?:Host\w*|Path\w*|Method)$/;
const token =
  /\s*(?:(?<operator>\|\||&&|[!()])|(?<name>[A-Z]\w*)\((?<values>(?:`[^`]*`|"[^"]*"|'[^']*'|[^)`"'])*)\))/y;

/** The gate of a rule; unread where a part that is not understood decides. */
export function gateOfRule(rule: string): Gate {
  if (rule.trim() === '') return [];
  const all = alternativesOf(rule);
  if (all === null) return { unread: 'its rule decides which requests get through' };
  if (all.some((one) => one.length === 0)) return [];
  const unknown = all.flat().find(({ of }) => of === 'unknown');
  if (unknown !== undefined) return { unread: `${unknown.values[0]} decides which requests get through` };
  const [only] = all;
  if (all.length === 1) return (only ?? []).map((one) => [stepOf(one), denied]);
  // Of several tests of one alternative the first counts: no reach is narrower than it is.
  return [[...all.flatMap(([first]) => (first === undefined ? [] : [stepOf(first)])), denied]];
}

function stepOf({ values, not = false }: Test): Step {
  return { does: 'admit', clients: values, ...(not ? { others: true } : {}) };
}

type Alternatives = readonly Condition[];
/** Reads a part of a rule, in parentheses of this depth. */
type Read = (depth: number) => Alternatives | null;

/** The conditions of which one holds; null if it is not a rule, or one of too many alternatives. */
function alternativesOf(rule: string): Alternatives | null {
  let at = 0;
  const next = () => {
    token.lastIndex = at;
    return token.exec(rule)?.groups ?? {};
  };
  const skip = () => {
    at = token.lastIndex;
  };
  const joined =
    (operator: string, read: Read, join: (one: Alternatives, other: Alternatives) => Alternatives): Read =>
    (depth) => {
      let found = read(depth);
      while (found !== null && next().operator === operator) {
        skip();
        const more = read(depth);
        found = more && join(found, more);
        if (found !== null && found.length > maxAlternatives) return null;
      }
      return found;
    };
  const single: Read = (depth) => {
    const { operator, name, values = '' } = next();
    if (depth > maxDepth || (operator === undefined && name === undefined)) return null;
    skip();
    if (operator === '!') {
      const inner = single(depth + 1);
      // What a client chooses, it also chooses not to have.
      return inner === null ? null : inner.some((one) => one.length === 0) ? [[]] : noneOf(inner);
    }
    if (operator === '(') {
      const inner = either(depth + 1);
      if (inner === null || next().operator !== ')') return null;
      skip();
      return inner;
    }
    return name === undefined ? null : [testsOf(name, values)];
  };
  const both = joined('&&', single, (one, other) =>
    one.flatMap((so) => other.map((more) => [...so, ...more])),
  );
  const either = joined('||', both, (one, other) => [...one, ...other]);
  const found = either(0);
  return found !== null && rule.slice(at).trim() === '' ? found : null;
}

function testsOf(name: string, values: string): Condition {
  if (chosen.test(name)) return [];
  if (name !== 'ClientIP') return [{ of: 'unknown', values: [name] }];
  return [{ of: 'client', values: values.split(',').map((one) => one.replace(/[`"'\s]/g, '')) }];
}
