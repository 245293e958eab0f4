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
  ['${A[@]}', 'A=(x); printf -v "A[0]" %s eth,admin'],
  ['${A[1]}', 'A=(x); declare "A[1]=eth,admin"'],
  ['$(IFS=,; echo "${A[*]}")', 'A=(eth admin)'],
  ['${A[*]:1}', 'A=(x eth,admin)'],
])('%s after %s is what bash makes of it', async (word, before) => {
  const printed = execFileSync('bash', ['-c', `${before}\necho ${word}`], { encoding: 'utf8' }).trim();
  expect(printed).toBe('eth,admin');
  const files = { 'run.sh': `#!/bin/bash\n${before}\ngeth --http --http.addr 0.0.0.0 --http.api ${word}\n` };
  const findings = (await reportOf(files)).targets.flatMap((target) => target.findings);
  expect(findings.map(({ rule, subject }) => `${rule} ${subject}`)).toContain('privileged-module http admin');
});
