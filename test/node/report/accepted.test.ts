/** A target with a suppressed critical is never called clean, whatever the format. */

import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { summarise } from '../../../src/node/summarise.js';
import { exampleFacts } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

const conf = (reason: string) =>
  `RPC_ENABLE=1\nRPC_ADDR=0.0.0.0 # kaiactl-ignore public-bind reason="firewall"\nRPC_API="klay,personal" # kaiactl-ignore privileged-module(personal) reason="${reason}"\nNETWORK=mainnet\nDATA_DIR=/srv/kend\n`;
const options = { columns: 80, verbose: false, kinds };

async function rendered(name: string, count = 1): Promise<string> {
  const targets = Array.from({ length: count }, () =>
    judgeTarget(exampleFacts({ conf: conf('an accepted risk') }), { failOn: 'high' }),
  );
  const report = summarise(targets, { version: '1', startedAt: 0, finishedAt: 0, failOn: 'high' });
  expect(report.exitCode).toBe(0);
  return await collected((await formats[name]!(false))(report, options));
}

test.each<[string, RegExp]>([
  ['text', /1 critical\s+suppressed/],
  ['concise', /^kend.conf:3:15 suppressed privileged-module critical: .* Reason: an accepted risk\.?$/m],
  ['html', /suppressed, 1 critical suppressed/],
  ['markdown', /suppressed, 1 critical suppressed/],
  ['junit', /suppressed critical: an accepted risk/],
  ['github', /1 critical suppressed/],
  ['checkstyle', /severity="info" message="suppressed critical/],
  ['gitlab', /suppressed critical: http offers personal/],
  ['rdjson', /suppressed critical: http offers personal/],
  ['sarif', /"justification": ?"an accepted risk"/],
  ['csv', /"?critical"?,"?privileged-module[^\n]*an accepted risk/],
  ['json', /"severity": ?"critical"/],
])('%s never calls a target with a suppressed critical clean', async (name, expected) => {
  const text = await rendered(name);
  expect(text).toMatch(expected);
  expect(text).not.toMatch(/\bclean\b/);
});

test('the roll-up of many targets counts a suppressed critical apart', async () => {
  expect(await rendered('text', 7)).toMatch(
    /^suppressed +kend.conf +(?:\w+ .*)?1 critical suppressed.* · and\s+6 more like this$/m,
  );
});
