/** Settings beside those of another reading of the same words. */
import type { Conf } from '../facts/facts.js';
import type { settingsOfWords } from './argv/node.js';

type Alternative = NonNullable<Conf['alternatives']>[number];

/** The conf, with the worst reading of its words as an alternative. */
export function withWorst<T extends Conf>(conf: T, worst: ReturnType<typeof settingsOfWords>['worst']): T {
  if (worst === null) return conf;
  const { when, ...started } = worst;
  const other = { ...conf, settings: { ...conf.settings, ...started } };
  return { ...conf, alternatives: [{ when, conf: other }] };
}

/** What a conf is where a condition holds, and where its own conditions hold too. */
export function alternativesOf(when: string, { alternatives = [], ...conf }: Conf): Alternative[] {
  return [{ when, conf }, ...alternatives.map((one) => ({ ...one, when: `${when} and ${one.when}` }))];
}
