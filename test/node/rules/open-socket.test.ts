/** The sockets whose mode a flag of the node sets; what a running node shows is in live.test.ts. */

import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { exampleFacts } from '../editables.js';
import { run } from '../offline.js';
import { type Outcome, outcomeOf, sentencesOf } from './outcome.js';

const factsOf = (words: string) => exampleFacts({ command: `reth node${words}` });
const at = { at: '1:29' };
const [all, engine] = ['/tmp/reth.ipc', '/tmp/reth_engine_api.ipc'];
const edits = [{ at: '1:29-1:32', text: '600' }];

test.each<[words: string, outcome: (string | Outcome)[]]>([
  ['', ['not-applicable']],
  [' --ipc.permissions 600', ['pass']],
  [' --ipc.permissions 0o755', ['pass']],
  [' --ipc.permissions rw-rw-rw-', ['not-applicable']],
  [' --ipc.permissions 668', ['not-applicable']],
  [' --ipc.permissions 666 --ipcdisable', ['not-applicable']],
  [
    ' --ipc.permissions 666',
    ['fail', { severity: 'high', subject: all, ...at, evidence: { interface: 'ipc', mode: '0666' }, edits }],
  ],
  [
    ' --ipc.permissions 660',
    [
      'fail',
      { severity: 'medium', subject: all, ...at, evidence: { interface: 'ipc', mode: '0660' }, edits },
    ],
  ],
  [
    ' --ipc.permissions 666 --ipcdisable --auth-ipc',
    [
      'fail',
      {
        severity: 'high',
        subject: engine,
        ...at,
        evidence: { interface: 'engine-ipc', mode: '0666' },
        edits,
      },
    ],
  ],
])('reth node%s', (words, outcome) => {
  expect(outcomeOf('open-socket', factsOf(words))).toEqual(outcome);
});

test('an octal mode may have a prefix, and the message says what the socket serves', () => {
  const said = sentencesOf('open-socket', factsOf(' --ipc.permissions=0o666 --auth-ipc'));
  expect(said).toMatch(/mode 0666: every user of the machine can call all modules/);
  expect(said).toMatch(/mode 0666: every user of the machine can choose the head of the chain/);
});

test('a mode that a variable holds is not known', async () => {
  const words = ['--command-line', 'reth node --ipc.permissions "$MODE"', '--format', 'json'];
  const { out } = await run(['node', 'lint', ...words]);
  const [target] = (JSON.parse(out) as Report).targets;
  expect(target?.undetermined.filter(({ rule }) => rule === 'open-socket')).toMatchObject([{ about: 'ipc' }]);
});
