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

const start = 'geth --http --http.addr 0.0.0.0';
const exported = 'export GETH_HTTP_API=eth,admin';

test.each<[name: string, isOffered: boolean, script: string, others?: Record<string, string>]>([
  ['braces', true, `${start} --http.api={eth,admin}`],
  [
    'an element that printf sets',
    true,
    `A=(--http)\nprintf -v "A[1]" %s --http.api=admin\n${start} "\${A[@]}"`,
  ],
  ['a loop over words', true, `M=eth\nfor m in net admin; do M="$M,$m"; done\n${start} --http.api $M`],
  [
    'a loop that counts',
    true,
    `M=; A=(eth admin)\nfor ((i=0; i<2; i++)); do M+="\${A[i]},"; done\n${start} --http.api $M`,
  ],
  [
    'lines of a here-string',
    true,
    `M=; while read -r m; do M+=",$m"; done <<< "admin"\n${start} --http.api eth$M`,
  ],
  ['an exported variable', true, `${exported}\nenv A=b ${start}`],
  ['env -u', false, `${exported}\nenv -u GETH_HTTP_API ${start}`],
  ['env --unset', false, `${exported}\nenv --unset=GETH_HTTP_API ${start}`],
  ['env -u of another name', true, `${exported}\nenv -u GETH_WS_API ${start}`],
  ['env -i', false, `${exported}\nenv -i PATH=/bin ${start}`],
  ['env -', false, `${exported}\nenv - ${start}`],
  ['env -i with the variable', true, `env -i GETH_HTTP_API=admin ${start}`],
  ['export -n', false, `${exported}\nexport -n GETH_HTTP_API\n${start}`],
  [
    'BASH_ENV of bash -c',
    true,
    `export BASH_ENV=./b.sh\nbash -c '${start} --http.api $M'`,
    { 'b.sh': 'M=admin\n' },
  ],
  [
    'BASH_ENV of a script',
    true,
    'BASH_ENV=b.sh ./c.sh',
    { 'b.sh': 'M=admin\n', 'c.sh': `#!/bin/bash\n${start} --http.api $M\n` },
  ],
  [
    'BASH_ENV, which sh does not read',
    false,
    `export M=eth BASH_ENV=b.sh\nsh -c '${start} --http.api $M'`,
    { 'b.sh': 'M=admin\n' },
  ],
])('%s', async (_name, isOffered, script, others = {}) => {
  const { targets } = await reportOf({ 'run.sh': `#!/bin/bash\n${script}\n`, ...others });
  const findings = targets
    .flatMap((target) => target.findings)
    .map(({ rule, subject }) => `${rule} ${subject}`);
  expect(findings.includes('privileged-module http admin')).toBe(isOffered);
});

test.each([
  '"$(dirname "$0")"',
  '`dirname $0`',
  '"${0%/*}"',
  '"$(cd "$(dirname "$0")" && pwd)"',
  '"$(cd -P "$(dirname "${BASH_SOURCE[0]}")" >/dev/null 2>&1 && pwd)"',
  '"$(dirname "$(readlink -f "$0")")"',
  '"$(dirname "$(realpath "$0")")"',
  '"$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"',
  '"${BASH_SOURCE[0]%/*}"',
  '"$(cd "${0%/*}"; pwd -P)"',
])('a file below the folder %s is the one beside the script', async (folder) => {
  for (const script of [
    `D=${folder}\nexec geth --config "$D/c.toml"`,
    `cd ${folder}\ngeth --config c.toml`,
  ]) {
    const { targets } = await reportOf({
      'run.sh': `#!/bin/bash\n${script}\n`,
      'c.toml': '[Node]\nHTTPHost = "0.0.0.0"\nHTTPModules = ["admin"]\n',
    });
    expect(targets.flatMap(({ findings }) => findings).map(({ subject }) => subject)).toContain('http admin');
    expect(targets.flatMap(({ undetermined }) => undetermined)).toEqual([]);
  }
});

test.each([
  ['--http.corsdomain *', true],
  ['--http.corsdomain $CORS', true],
  ['--http.corsdomain "*"', false],
  ["--http.corsdomain '*'", false],
  ['--http.corsdomain \\*', false],
  ['--http.corsdomain=*', false],
  ['--http.corsdomain "$CORS"', false],
])('geth --http %s: names of files are told: %s', async (words, isTold) => {
  const { targets } = await reportOf({ 'run.sh': `#!/bin/bash\nCORS="*"\ngeth --http ${words}\n` });
  const findings = targets.flatMap((target) => target.findings);
  expect(
    findings.some(({ rule, message }) => rule === 'malformed-flag' && message.includes('The shell')),
  ).toBe(isTold);
  expect(findings.map(({ rule }) => rule)).toContain('wildcard-cors');
});

const conf = 'RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nDATA_DIR=/d\nNETWORK=mainnet\nRPC_API=klay\n';
const local = { 'etc/kend/conf/local.conf': 'ADDITIONAL="--rpcapi klay,admin"\n' };

test.each<[name: string, isOffered: boolean, lines: string, others?: Record<string, string>]>([
  ['a function', true, 'open(){ RPC_API=$1,admin; }\nopen klay'],
  ['element 0 of an array', true, 'RPC_API[0]=klay,admin'],
  ['a loop', true, 'for m in net admin; do RPC_API="${RPC_API:+$RPC_API,}$m"; done'],
  [
    'a file that may be sourced',
    true,
    '[ -r /etc/kend/conf/local.conf ] && . /etc/kend/conf/local.conf',
    local,
  ],
  ['a sourced file', true, 'source /etc/kend/conf/local.conf', local],
  ['a variable of the caller', true, 'if [ "$DEV" = 1 ]; then RPC_API=klay,admin; fi'],
  ['a case of the caller', true, 'case "$DEV" in 1) RPC_API=klay,admin ;; esac'],
  ['a variable of the caller in [[ ]]', true, '[[ $DEV == 1 ]] && RPC_API=klay,admin'],
  ['a default', false, 'if [ "${DEV:-0}" = 1 ]; then RPC_API=klay,admin; fi'],
  ['a variable that the file sets', false, 'DEV=0; if [ "$DEV" = 1 ]; then RPC_API=klay,admin; fi'],
])('a conf with %s', async (_name, isOffered, lines, others = {}) => {
  const { targets } = await reportOf({ 'kend.conf': `${conf}${lines}\n`, ...others });
  const findings = targets
    .flatMap((target) => target.findings)
    .map(({ rule, subject }) => `${rule} ${subject}`);
  expect(findings.includes('privileged-module http admin')).toBe(isOffered);
  if (!isOffered) expect(targets.flatMap(({ undetermined }) => undetermined)).toEqual([]);
});
