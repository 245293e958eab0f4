/** The environment that scripts give a node, by the ways in which scripts read it from a file. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../../../../src/node/kinds/index.js';
import { Follower } from '../../../../src/node/sources/script/follow.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';
import { everyNth } from '../../../seed.js';

const start = 'ken --datadir /d --rpc';

/** The ways, each as a script that then starts the node. */
const idioms: readonly string[] = [
  "export $(grep -v '^#' .env | xargs)",
  "export $(grep -v '^#' .env | xargs -d '\\n')",
  "export $(grep -v '^#' .env | xargs -0)",
  "export $(egrep -v '(^#|^$)' .env | xargs)",
  "export $(grep -vE '^\\s*(#|$)' .env)",
  "export $(grep -E '^KAIA_' .env | tr '\\n' ' ')",
  'export $(cat .env)',
  'export `cat .env`',
  'export $(<.env)',
  'export $(xargs < .env)',
  "export $(sed '/^#/d' .env)",
  "export $(sed -e '/^#/d' -e 's/#.*//' .env | xargs)",
  "export $(cat .env | sed 's/#.*//g' | xargs)",
  "export $(awk '!/^#/ && NF' .env)",
  "export $(cat .env | tr -d '\\r' | xargs -n1)",
  'declare -x $(cat .env)',
  "typeset -x $(grep -v '^#' .env)",
  'set -a\nsource .env\nset +a',
  'set -o allexport; . ./.env; set +o allexport',
  "set -a; source <(grep -v '^#' .env); set +a",
  "set -a; . <(sed -e 's/\\r$//' .env); set +a",
  "source <(sed 's/^/export /' .env)",
  'eval "$(sed \'s/^/export /\' .env)"',
  "eval \"$(grep -v '^#' .env | sed 's/^/export /')\"",
  'eval "$(sed -E \'s/^([A-Z_]+)=/export \\1=/\' .env)"',
  'eval "$(awk \'!/^#/ {print "export " $0}\' .env)"',
  'eval export $(cat .env)',
  'set -a; eval "$(cat .env)"; set +a',
  'while read -r l; do export "$l"; done < .env',
  'while IFS= read -r line || [ -n "$line" ]; do\n  [[ $line =~ ^# ]] && continue\n  export "$line"\ndone < .env',
  'while IFS== read -r key value; do\n  [[ -z "$key" || $key == \\#* ]] && continue\n  export "$key=$value"\ndone < .env',
  'while read -r l; do\n  case "$l" in \\#*|"") continue;; esac\n  eval "export $l"\ndone < .env',
  'while read -r l; do export "$l"; done < <(grep -v "^#" .env)',
  'for l in $(cat .env); do export $l; done',
  'for v in $(grep -v \'^#\' .env); do export "$v"; done',
];

/** Commands that get the variables with the node's own. */
const commands: readonly string[] = [
  'env $(cat .env) ken --datadir /d',
  "env $(grep -v '^#' .env | xargs) ken --datadir /d",
  "sh -c 'set -a; . ./.env; exec ken --datadir /d'",
];

const files: Readonly<Record<string, string>> = {
  plain: 'KAIA_RPCAPI=eth,personal\nKAIA_WS=true\n',
  'without a last line end': 'KAIA_RPCAPI=eth,personal\nKAIA_WS=true',
  commented: '# set=1\nKAIA_RPCAPI=eth,personal # KAIA_RPC=true\n#KAIA_WS=true\n\nKAIA_WSADDR=0.0.0.0\n',
  quoted: `KAIA_RPCAPI="eth,personal"\nKAIA_RPCVHOSTS='a,b'\nKAIA_IDENTITY="a b"\n`,
  'with a wildcard': 'KAIA_RPCVHOSTS=*\nKAIA_RPCCORSDOMAIN=*\n',
  'with line ends of Windows': 'KAIA_RPCAPI=eth\r\nKAIA_WS=true\r\n',
  'with expansions': 'KAIA_RPCAPI=eth\nKAIA_WSAPI=$KAIA_RPCAPI,a\\b\n',
  'set twice': 'KAIA_RPCAPI=eth\nKAIA_RPCAPI=personal\n',
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-exported-'));
  writeFileSync(join(folder, 'ken'), '#!/bin/sh\nenv -0\n');
  chmodSync(join(folder, 'ken'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The variables of the node, null for those that are not known, and with `*` for any other one. */
function read(script: string, file: string | null): Record<string, string | null> | null {
  const open = (path: string) =>
    path === '.env' && file !== null ? Placed.at(new LineIndex('.env', file)) : null;
  const follower = new Follower({ kinds, steps: new Steps(), open });
  follower.follow(Placed.at(new LineIndex('run.sh', `#!/bin/bash\n${script}\n`)), new Map(), { folder: '.' });
  const [first] = follower.starts;
  if (first === undefined) return null;
  const entries = [...first.exported].map(([name, { value }]) => [name, value?.text ?? null] as const);
  return Object.fromEntries(entries.filter(([name]) => /^(?:KAIA_|\*)/.test(name)));
}

/** What bash gives the node; null: it does not start it. */
function given(script: string, file: string): Record<string, string> | null {
  writeFileSync(join(folder, '.env'), file);
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  try {
    const shell = execFileSync('bash', ['-c', script], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pairs = shell
      .toString()
      .split('\0')
      .map((one) => /^(KAIA_\w*)=(.*)$/s.exec(one));
    const known = pairs.flatMap((one) => (one === null ? [] : [[one[1] ?? '', one[2] ?? ''] as const]));
    return Object.fromEntries(known);
  } catch {
    return null;
  }
}

/** `npm run test:bash` runs each script with each file; otherwise each with the plain file, and half of them with another one. */
const isLong = process.env.KAIACTL_TEST_BASH_CONFS !== undefined;
const scripts = [...idioms.map((one) => `${one}\n${start}`), ...commands];
const others = Object.keys(files).length - 1;

describe.each(Object.entries(files))('a file %s', (name, file) => {
  const isEach = isLong || name === 'plain';
  test.each(isEach ? scripts : everyNth(2 * others, scripts, Object.keys(files).indexOf(name)))(
    '%s',
    (script) => {
      const [ours, bash] = [read(script, file), given(script, file)];
      if (name === 'plain') expect(ours).toEqual(bash);
      if (ours === null || bash === null || '*' in ours) return;
      const known = Object.entries(ours).filter(([, value]) => value !== null);
      expect(Object.keys(ours).sort()).toEqual(Object.keys(bash).sort());
      for (const [variable, value] of known) expect([variable, value]).toEqual([variable, bash[variable]]);
    },
  );
});

test.each(idioms.map((one) => `${one}\n${start}`))(
  'without the file any variable may be set: %s',
  (script) => {
    expect(read(script, null)).toHaveProperty('*', null);
  },
);
