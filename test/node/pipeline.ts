/** The pipeline with every kind of node, as commands call it. */
import type { Facts } from '../../src/node/facts/facts.js';
import { kinds } from '../../src/node/kinds/index.js';
import * as pipeline from '../../src/node/pipeline.js';
import { editables } from './editables.js';

export * from '../../src/node/pipeline.js';

type WithoutKinds<T> = Omit<T, 'kinds'> & Partial<Pick<pipeline.JudgeOptions, 'kinds'>>;

export function judgeTarget(facts: Facts, options: WithoutKinds<pipeline.JudgeOptions>) {
  return pipeline.judgeTarget(facts, { kinds, editables, ...options });
}

type Proposing = Parameters<typeof pipeline.propose>;

export function propose(facts: Facts, options: WithoutKinds<Proposing[1]>, purpose?: Proposing[2]) {
  return pipeline.propose(facts, { kinds, ...options }, purpose);
}
