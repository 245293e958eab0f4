/** Files of every kind that ask for more work than is done: none of them passes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tooManySteps } from '../../src/node/sources/text/steps.js';
import { kaiactl } from '../peers/run.js';
import { everyNth } from '../seed.js';

describe('an evaluation with too many steps never passes', () => {
  // Each node takes a tenth of a second to judge: `npm run test:bash` reads more.
  const nodes = process.env.KAIACTL_TEST_BASH_CONFS === undefined ? 4 : 2_000;
  const hostile = 'x && V=1\n'.repeat(16_000);
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-limits-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const cases = [
    ['kend.conf', `RPC_ENABLE=1\nRPC_API=eth\n${hostile}`],
    ['start.sh', `#!/bin/sh\nken --rpc --rpcapi eth\n${hostile}ken --rpc --rpcapi admin\n`],
    ['late.sh', `#!/bin/sh\n${hostile}ken --rpc --rpcapi admin\n`],
    ['Dockerfile', `FROM kaia\nRUN ${hostile.replaceAll('\n', '; ')} x\nCMD ["kend", "start"]\n`],
    [
      'node.service',
      `[Service]\nExecStart=/bin/sh -c '${hostile.replaceAll('\n', '; ')} ken --rpc --rpcapi eth'\n`,
    ],
    [
      'compose.yaml',
      `services:\n  en:\n    image: kaia\n    command: [sh, -c, "${hostile.replaceAll('\n', '; ')} ken --rpc --rpcapi eth"]\n`,
    ],
    ['many.sh', `#!/bin/sh\n${'ken --rpc --rpcapi eth\n'.repeat(2_000)}`],
    ['calls.sh', '#!/bin/sh\nf() { f; f; ken --rpc; }\nf\n'],
    [
      'starts.service',
      `[Service]\n${'ExecStart=/usr/bin/ken --rpc\n'.repeat(nodes)}${'ExecStart=/bin/true\n'.repeat(3_000)}`,
    ],
    [
      'variables.Dockerfile',
      `FROM kaia\n${Array.from({ length: 5_000 }, (_, at) => `ENV V${at}=1\n`).join('')}CMD ["ken", "--rpc"]\n`,
    ],
  ] as const;
  const chosen = process.env.KAIACTL_TEST_BASH_CONFS === undefined ? everyNth(2, cases) : cases;
  test.each(chosen)('%s', async (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const { code, stdout, stderr } = await kaiactl(['node', 'lint', path]);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(tooManySteps);
    expect([2, 3]).toContain(code);
  });
});

test('a value that doubles repeatedly becomes unknown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-limits-'));
  try {
    const path = join(folder, 'Dockerfile');
    writeFileSync(
      path,
      `FROM kaia\nENV A=xxxxxxxx\n${'ENV A=$A$A\n'.repeat(60)}ENV KAIA_RPCAPI=$A\nCMD ["ken", "--rpc"]\n`,
    );
    const { code, stdout } = await kaiactl(['node', 'lint', path]);
    expect(stdout.replace(/\s+/g, ' ')).toContain('Dockerfile:62) is not known');
    expect(code).toBe(3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
