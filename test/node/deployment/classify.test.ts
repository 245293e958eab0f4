import { describe, expect, test } from 'vitest';
import { recognise as recogniseAmong } from '../../../src/node/deployment/classify.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { maskPlaceholders } from '../../../src/node/sources/text/placeholders.js';
import { readConf } from '../editables.js';

/** What a text is, the kinds of node left out. */
function recognise(path: string, text: string, asked = false): object {
  const found = recogniseAmong(kinds, path, text, asked);
  return found.kind === null ? found : { kind: found.kind, certain: found.certain };
}

test.each([
  ['kend.conf', '', 'it is empty'],
  ['x', ' \n\t\n', 'it is empty'],
  ['kend.conf', '\uFEFF', 'it is empty'],
  ['values.yaml', 'rpc:\n  enable: true\n  api: admin,personal\n', 'it is YAML'],
  ['kend.conf', '---\nkind: ConfigMap\ndata:\n  RPC_API: admin\n', 'it is YAML'],
  ['a.json', '{"RPC_API": "admin"}', 'it is JSON'],
  ['a.json', '{"RPC_API=1": ', 'it is JSON'],
  ['a.json', ' \n { "RPC_API=1": ', 'it is JSON'],
  ['README.md', '# Node\n\nWrite:\n\n```\nRPC_ENABLE=1\nRPC_API=admin\n```\n', 'it is Markdown'],
  ['page.html', '<!DOCTYPE html><p>RPC_API=x', 'it is markup'],
  ['a.txt', 'hello, world\n', 'no launcher reads any of its variables'],
  ['kend.conf', '# RPC_API=admin\nFOO=1\n', 'no launcher reads any of its variables'],
  ['x', `${'well\n'.repeat(9)}REWARDBASE=x\n`, 'most of its lines are not shell'],
  ['x', 'See where ExecStart=/usr/bin/ken stands\n', 'no launcher reads any of its variables'],
  ['x', 'rpcapi:\n  - eth\nother: 1\n', 'it is YAML'],
  ['notes.txt', 'Start the node with: ken --rpc\n', 'no launcher reads any of its variables'],
  ['.npmrc', 'fund=false\n', 'no launcher reads any of its variables'],
  ['.npmrc', 'rpc_api=admin\n', 'no launcher reads any of its variables'],
  ['.env', 'KLAYTN_RPC_URL=https://en.example\nPRIVATE_KEY=\n', 'no launcher reads any of its variables'],
  ['.env', 'KAIA_RPC=https://en.example\n', 'no launcher reads any of its variables'],
  ['.env', 'KAIA_RPC="https://en.example"\nA=1\n', 'no launcher reads any of its variables'],
  ['.env', 'KAIA_RPCAPI=wss://en.example\n', 'no launcher reads any of its variables'],
  ['.env', 'KLAYTN_NETWORKID=8217\nKAIA_PASSWORD=x\n', 'no launcher reads any of its variables'],
  [
    '.env',
    'PORT=3000\nKAIA_RPC=https://en.example\n',
    'other programs use all of its variables: add --launcher or --stdin-filename',
  ],
  [
    '.env',
    'PORT=3000\nDATABASE_URL=x\n',
    'other programs use all of its variables: add --launcher or --stdin-filename',
  ],
  [
    '.env',
    'NETWORK=mainnet\nDATA_DIR=/x\nPORT=1\n',
    'other programs use all of its variables: add --launcher or --stdin-filename',
  ],
  [
    '.env',
    'RPC_API=https://en.example/kaia\n',
    'other programs use all of its variables: add --launcher or --stdin-filename',
  ],
  [
    '-',
    'RPC_ENABLE=1\nRPC_API=klaytn,kaia-x\n',
    'other programs use all of its variables: add --launcher or --stdin-filename',
  ],
])('%s is not a source of settings: %j', (path, text, why) => {
  expect(recognise(path, text)).toEqual({ kind: null, why });
});

test.each([
  ['kend.conf', 'RPC_API=x', true],
  ['kend.conf', '#!/bin/bash\nPORT=1\n', true],
  ['kend.conf', '. /etc/common.conf\n', true],
  ['x', 'REWARDBASE = "0x1"\n', true],
  ['x', 'PORT=1\nREWARDBASE=x\n', true],
  ['x', 'PORT=1\nREWARDBASE=x\nsome words\nmore words\n', false],
  ['x', 'REWARDBASE=x\n{% endif %}\nkey: 1\n', true],
  ['x', ': ${ADDITIONAL:=--rpc}\n', true],
  ['x', 'true;ADDITIONAL+=" --rpc"\n', true],
  ['x', 'export KAIA_RPC=1\nRPC_ENABLE=1\n', true],
  ['x', 'MAIN_BRIDGE=1\n', true],
  ['x', '{% if a %}\nREWARDBASE="{{ address }}"\n{% endif %}\n', true],
  ['x', 'RPC_API="klay,eth"\n', true],
  ['x', 'WS_API=eth,kaia\n', true],
  ['public.kend.conf', 'RPC_API=x\n', true],
  ['kend_kairos.conf.j2', 'NETWORK=x\n', true],
  ['kend.conf', 'NETWORK=x\n', true],
])('%s with %j is a conf, certain: %s', (path, text, certain) => {
  expect(recognise(path, text)).toEqual({ kind: 'conf', certain });
});

test.each([
  ['compose.yml', 'services:\n  en:\n    command: ken --rpc\n', 'compose', true],
  ['compose.yml', 'services:\n  db:\n    image: postgres\n', 'compose', false],
  ['x', '  services :\n    en: { command: ken }\n', 'compose', true],
  ['compose.yaml', '# all\ninclude:\n  - node.yml\n', 'compose', true],
  ['docker-compose.yml', 'en:\n  image: x\n  command: ken --rpc\n', 'compose', true],
  ['docker-compose.yml', 'web:\n  # the page\n\n  build: .\n', 'compose', true],
  ['x', '"services" :\n  en: { command: ken }\n', 'compose', true],
  ['x', 'kind : Pod\n"metadata" : { name: ken }\n', 'kubernetes', true],
  ['x', 'rpc.gascap: 1\n', 'yaml', false],
  ['x', "http-rpc:\n  'api': eth\n", 'yaml', true],
  ['values.yaml', 'rpcapi: eth\n', 'yaml', false],
  ['roles/en/defaults/main.yml', 'rpcapi: eth\n', 'yaml', false],
  ['x', '# of geth\nrpcapi: eth\n', 'yaml', false],
  ['start.sh', 'cat <<E | kubectl apply -f -\nkind: Pod\nmetadata: {}\ncommand: [ken]\nE\n', 'script', true],
  ['Makefile', 'up:\n\t./start.sh\n', 'command line', false],
  ['crontab', '@reboot ken --rpc\n', 'command line', true],
  ['x.json', '{\n "services": {"en": {"command": ["ken", "--rpc"]}}}\n', 'compose', true],
  ['x', 'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - command: [ken]\n', 'kubernetes', true],
  ['x', 'FROM a\nCMD ["ken", "--rpc"]\n', 'dockerfile', true],
  ['x', '[Service]\nExecStart=/usr/bin/ken --rpc\n', 'systemd', true],
  ['start.sh', '#!/bin/sh\nRPC_API=admin\nexec ken --rpc\n', 'script', true],
  ['start.sh', '#!/bin/sh\nexec nginx\n', 'script', false],
  ['x', 'nohup ./bin/ken --rpc --rpcapi eth &\n', 'command line', true],
  ['x', 'KAIA_WS=true KAIA_RPC=true ken --rpc\n', 'command line', true],
  ['x', 'sudo -u kaia -- nohup env -u X KAIA_WS=true /opt/bin/ken --rpc\n', 'command line', true],
  ['x', 'FROM  a\nENTRYPOINT ["ken", "--rpc"]\n', 'dockerfile', true],
  ['x', 'sudo docker run kaiachain/kaia ken\n', 'command line', true],
  ['x', '\t@podman --log-level x create \\\n  -p 1:1 \\\n  kaiachain/kaia\n', 'command line', true],
  ['x', '- hosts: nodes\n  tasks: []\n  vars: { a: ken --rpc }\n', 'ansible', true],
  ['x', '- name: a\n  shell: ken --rpc\n', 'ansible', true],
  ['x', '#cloud-config\nruncmd:\n  - ken --rpc\n', 'cloud-init', true],
  ['x', '[program:ken]\ncommand=ken --rpc\n', 'systemd', true],
  ['x', 'rpcapi: eth\nrpc.gascap: 1\n', 'yaml', true],
  ['x', 'a:\n  rpcapi: eth\nb: 1\nrpc.gascap: 1\n', 'yaml', false],
  ['x', 'ken attach x\n', 'command line', true],
  ['x', 'kend: ken --rpc\n', 'command line', true],
  ['.env', 'KAIA_RPC=true\nOTHER=/usr/bin/ken --rpc\n', 'environment', true],
  ['.env', 'KAIA_RPC=true\nOTHER=1\n', 'environment', true],
] as const)('%s with %j is %s, certain: %s', (path, text, kind, certain) => {
  expect(recognise(path, text)).toEqual({ kind, certain });
});

test('a launcher given by the user makes variables shared with other software sufficient', () => {
  expect(recognise('.env', 'RPC_ENABLE=1\n', true)).toEqual({ kind: 'conf', certain: true });
  expect(recognise('.env', 'REWARDBASE=1\nwords\nmore words\n', true)).toEqual({
    kind: 'conf',
    certain: true,
  });
  expect(recognise('.env', 'DATABASE_URL=x\n', true)).toMatchObject({ kind: null });
});

describe('a placeholder of a template is indeterminate', () => {
  const read = (text: string) => readConf('kend.conf', Buffer.from(text));

  test.each([
    'RPC_API="{{ rpc_api }}"',
    'RPC_API={{ rpc_api }}',
    "RPC_API='{{ .Values.api }}'",
    'RPC_API="klay,{{ .Values.api | default "eth,admin" }}"',
    'RPC_API="${var.rpc_api}"',
    'RPC_API=${join(",", var.apis)}',
    'RPC_API=<%= api %>',
    'RPC_API=@RPC_API@',
    'RPC_API=$A\nA={{ a }}\nRPC_API=$A',
    '{% if debug %}\nRPC_API=admin\n{% else %}\nRPC_API=klay\n{% endif %}',
    '{{- if .Values.debug }}\nRPC_API=admin\n{{- end }}',
    'RPC_API=klay\n{{ more_lines }}',
  ])('%j', (text) => {
    const conf = read(`RPC_ENABLE=1\n${text}\nNETWORK=mainnet\n`);
    expect(conf.shell.variables.RPC_API).toBeNull();
    expect(conf.settings.values.rpcapi).toMatchObject({ value: null });
    expect(conf.settings.listeners[0]).toMatchObject({ kind: 'http', modules: null });
  });

  test('everything else in the template is read with its place', () => {
    const conf = read(
      '# {{ ansible_managed }}\n{# note: RPC_API=x #}\nRPC_ENABLE={{ on }} # yes\nRPC_API="admin"\n',
    );
    expect(conf.shell.variables).toMatchObject({ RPC_ENABLE: null, RPC_API: 'admin' });
    expect(conf.shell.assignments[1]?.at).toMatchObject({ line: 4, column: 1 });
    expect(conf.settings.source.lines[2]).toBe('RPC_ENABLE={{ on }} # yes');
    expect(conf.settings.source.comments[0]?.text).toBe('# {{ ansible_managed }}');
    expect(conf.shell.syntaxIssues).toEqual([]);
  });

  test.each(['A=${#B}', 'A=${B%x}', 'A={1..2}', 'A=${B:-{{}', 'A={{ never closed', 'kni://a@b@c'])(
    'bash’s own braces are left alone: %s',
    (text) => {
      expect(maskPlaceholders(text)).toEqual({ text, optional: null });
    },
  );
});

test.each([
  ['.gitlab-ci.yml', 'include:\n  - local: /compose.yml\n'],
  ['values.yaml', 'geth:\n  image: ethereum/client-go\n'],
  ['compose.yml', 'en:\n  command: x\n'],
])('%s with %j is no compose file', (path, text) => {
  expect(recognise(path, text)).not.toMatchObject({ kind: 'compose' });
});

test.each<[string, object]>([
  ['REWARDBASE=x\nSCSIGNER=y\na: 1\nb: 2\n', { kind: 'conf', certain: false }],
  ['a: 1\nb: 2\nc: 3\nREWARDBASE=x\nSCSIGNER=y\n', { kind: null, why: 'it is YAML' }],
  ['REWARDBASE=x\nSCSIGNER=y\na: 1\n \n', { kind: 'conf', certain: true }],
  ['other=1 REWARDBASE=x\n', { kind: 'conf', certain: true }],
  ['REWARDBASE=x\n{ "a": 1 }\n', { kind: 'conf', certain: false }],
  ['FROM here on\nREWARDBASE=x\n', { kind: 'conf', certain: false }],
  ['CMD me\nREWARDBASE=x\n', { kind: 'conf', certain: false }],
  ['[1, 2]\n', { kind: null, why: 'it is JSON' }],
  ['[ -f x ] && REWARDBASE=1\n', { kind: 'conf', certain: true }],
])('a file that fits two kinds is classified: %j', (text, expected) => {
  expect(recognise('x', text)).toEqual(expected);
});
