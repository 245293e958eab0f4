/** A rule's examples as facts: what explain shows is what lint says. */

import type { Facts } from '../facts/facts.js';
import { seen } from '../facts/seen.js';
import type { Example } from '../judge/rule.js';
import { kinds } from '../kinds/index.js';
import { readConf } from '../sources/conf/conf.js';

/** When examples are judged: any day between the past and the future their suppressions name. */
const day = '2026-01-01T00:00:00.000Z';

const usual = kinds.flatMap(({ launchers }) => launchers?.usual ?? [])[0] ?? '';

/** The facts an example stands for; a conf is read as the file it names would be. */
export function exampleFacts(example: Example): Facts {
  if ('facts' in example) return example.facts;
  const launcher = example.launcher ?? usual;
  const name = `${launcher}.conf`;
  const conf = readConf(name, Buffer.from(example.conf), {
    launcher,
    package: example.package ?? 'tar',
    ...(example.mode === undefined ? {} : { file: { mode: example.mode, uid: 0 } }),
  });
  return { name, role: example.role ?? null, conf: seen(conf), live: null, gatheredAt: day };
}
