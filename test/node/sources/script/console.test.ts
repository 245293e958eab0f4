/** Calls to a running node: what they open is judged, and the advice names the call. */
import { expect, test } from 'vitest';
import { reportOf } from '../../deployment/lint-folder.js';

const open = `admin.startHTTP("0.0.0.0", 8551, "", "eth,debug")`;

test.each([
  [
    'a program',
    { 'start.sh': `geth --http --http.addr 127.0.0.1 --http.api eth &\ngeth attach --exec '${open}'\n` },
  ],
  [
    'a launcher',
    {
      'kend.conf': 'NETWORK=mainnet\nDATA_DIR=/data\nRPC_ENABLE=0\nRPC_API="klay"\n',
      'start.sh': `cp kend.conf /etc/kend/conf/kend.conf\nkend start\nken attach --exec '${open}'\n`,
    },
  ],
])('a call overrides no setting of the start of %s, and is what the advice changes', async (_, files) => {
  const { targets } = await reportOf(files);
  const findings = targets.flatMap((one) => one.findings);
  expect(findings.map(({ rule }) => rule)).not.toContain('overriding-flag');
  const [worst] = findings;
  expect(worst?.severity).toBe('critical');
  expect(worst?.fix).toMatch(/ in the call\.$/);
});
