/** Expansions of scripts that are followed, beside bash itself. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { reportOf } from '../../deployment/lint-folder.js';

test.each([
  ['${API,,}', 'API=ETH,ADMIN'],
  ['${API,}', 'API=Eth,admin'],
  ['${API:2}', 'API=x,eth,admin'],
  ['${API:2:9}', 'API=x,eth,admin,net'],
  ['${!V}', 'dev_api=eth,admin; E=dev; V=${E}_api'],
  ['$API', 'printf -v API "%s,%s" eth admin'],
])('%s after %s is what bash makes of it', async (word, before) => {
  const printed = execFileSync('bash', ['-c', `${before}\necho ${word}`], { encoding: 'utf8' }).trim();
  expect(printed).toBe('eth,admin');
  const files = { 'run.sh': `#!/bin/bash\n${before}\ngeth --http --http.addr 0.0.0.0 --http.api ${word}\n` };
  const findings = (await reportOf(files)).targets.flatMap((target) => target.findings);
  expect(findings.map(({ rule, subject }) => `${rule} ${subject}`)).toContain('privileged-module http admin');
});

test('an element that printf sets leaves the array open', async () => {
  const files = {
    'run.sh': '#!/bin/bash\nA=(--http)\nprintf -v "A[1]" %s --http.api=admin\ngeth "${A[@]}"\n',
  };
  expect((await reportOf(files)).exitCode).toBe(3);
});
