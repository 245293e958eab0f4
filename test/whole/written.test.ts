/** Starts with literal words beside an unknown one: what is written counts, and the unknown word is named with its line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { run } from '../cli/run.js';

type Texts = Readonly<Record<string, string>>;

interface Found {
  readonly critical: readonly string[];
  readonly open: readonly string[];
  readonly said: string;
}

async function found(files: Texts): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-written-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  const { targets } = JSON.parse(out) as Report;
  const findings = targets.flatMap((one) => one.findings);
  const reasons = targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));
  return {
    critical: findings.filter(({ severity }) => severity === 'critical').map(({ subject }) => subject),
    // A newer release than those known may do more.
    open: reasons.filter((reason) => !/another release may/.test(reason)),
    said: [...findings.map(({ message }) => message), ...reasons].join('\n'),
  };
}

/** The words of a node that opens http to any address with admin, its program first. */
const starts = {
  geth: ['geth', '--http', '--http.addr', '0.0.0.0', '--http.api', 'admin,eth'],
  ken: ['ken', '--rpc', '--rpcaddr', '0.0.0.0', '--rpcapi', 'admin,klay'],
} as const;
const images = { geth: 'ethereum/client-go', ken: 'kaiachain/kaia' } as const;
const list = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(', ');
const service = (image: string, ...lines: string[]) =>
  [
    'services:',
    '  n:',
    `    image: ${image}`,
    '    network_mode: host',
    ...lines.map((line) => `    ${line}\n`),
  ].join('\n');
const pod = (image: string, ...lines: string[]) =>
  [
    'apiVersion: v1',
    'kind: Pod',
    'metadata: {name: n}',
    'spec:',
    '  hostNetwork: true',
    '  containers:',
    `  - {name: n, image: ${image}, ${lines.join(', ')}}`,
    '',
  ].join('\n');
const chart = (...templates: string[]): Texts => ({
  'Chart.yaml': 'apiVersion: v2\nname: n\nversion: 0.1.0\n',
  'values.yaml': 'a: 1\n',
  'templates/all.yaml': templates.join('---\n'),
});
const secret = (value: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: ${value}\n`;

describe.each(['geth', 'ken'] as const)('%s', (name) => {
  const [program, ...words] = starts[name];
  const all = starts[name].join(' ');
  const image = images[name];

  test.each<[string, Texts, string, string]>([
    ['a variable behind the words', { 'run.sh': `#!/bin/sh\n${all} $OPTS\n` }, '$OPTS', 'run.sh:2'],
    ['a quoted variable', { 'run.sh': `#!/bin/sh\n${all} "$OPTS"\n` }, '$OPTS', 'run.sh:2'],
    [
      'a variable before',
      { 'run.sh': `#!/bin/sh\n${program} $OPTS ${words.join(' ')}\n` },
      '$OPTS',
      'run.sh:2',
    ],
    ['arguments', { 'run.sh': `#!/bin/sh\nexec ${all} "$@"\n` }, '$@', 'run.sh:2'],
    ['the output of a command', { 'run.sh': `#!/bin/sh\n${all} $(cat opts)\n` }, '$(cat opts)', 'run.sh:2'],
    [
      'a variable of a variable',
      { 'run.sh': `#!/bin/bash\nARGS="${words.join(' ')}"\nARGS="$ARGS $MORE"\nexec ${program} $ARGS\n` },
      '$MORE',
      'run.sh:3',
    ],
    [
      'an element of an array',
      { 'run.sh': `#!/bin/bash\nA=(${words.join(' ')})\nA+=($(cat more))\nexec ${program} "\${A[@]}"\n` },
      '$(cat more)',
      'run.sh:3',
    ],
    [
      'a loop that appends',
      {
        'run.sh': `#!/bin/sh\nA="${words.join(' ')}"\nfor p in $(cat p); do A="$A --bootnodes $p"; done\n${program} $A\n`,
      },
      '$p',
      'run.sh:3',
    ],
    ['a variable of a Makefile', { Makefile: `run:\n\t${all} $(ARGS)\n` }, '$(ARGS)', 'Makefile:2'],
    ['a unit', { 'n.service': `[Service]\nExecStart=/usr/bin/${all} $OPTS\n` }, '$OPTS', 'n.service:2'],
    [
      'a variable of compose',
      { 'compose.yaml': service(image, `entrypoint: [${program}]`, `command: ${words.join(' ')} \${OPTS}`) },
      '${OPTS}',
      'compose.yaml:7',
    ],
    [
      'a variable of a shell in compose',
      { 'compose.yaml': service(image, `entrypoint: ["sh", "-c", "${all} $$OPTS"]`) },
      '$OPTS',
      'compose.yaml:5',
    ],
    [
      'a key of a Secret',
      {
        'pod.yaml': pod(
          image,
          `command: [${list([program, ...words, '$(OPTS)'])}]`,
          'env: [{name: OPTS, valueFrom: {secretKeyRef: {name: s, key: o}}}]',
        ),
      },
      '$(OPTS)',
      'pod.yaml:7',
    ],
    [
      'a random word of a chart',
      chart(pod(image, `command: [${list(starts[name])}, {{ randAlphaNum 5 | quote }}]`)),
      '{{ randAlphaNum 5 | quote }}',
      'templates/all.yaml:7',
    ],
    [
      'the shell form of an ENTRYPOINT',
      { Dockerfile: `FROM ${image}\nENTRYPOINT exec ${all} $OPTS\n` },
      '$OPTS',
      'Dockerfile:2',
    ],
    [
      'a condition of Jinja',
      {
        'tasks/main.yml': '- template:\n    src: n.service.j2\n    dest: /etc/systemd/system/n.service\n',
        'templates/n.service.j2': `[Service]\nExecStart=/usr/bin/${program} {% if testing %}--testnet{% endif %} ${words.join(' ')}\n`,
      },
      '{% if testing %}',
      'n.service.j2:2',
    ],
    [
      'a value of Jinja',
      { 'tasks/main.yml': `- shell: nohup ${all} {{ extra_opts }} &\n` },
      '{{ extra_opts }}',
      'main.yml:1',
    ],
  ])('%s changes nothing that is written, and is named', async (_, files, unknown, place) => {
    const { critical, said } = await found(files);
    expect(critical).toContain('http admin');
    expect(said).toContain(`${unknown} (`);
    expect(said).toContain(`${place})`);
    expect(said).toMatch(/Unless .* changes it: http offers admin/);
  });

  test.each<[string, Texts]>([
    ['an unknown folder', { 'run.sh': `#!/bin/sh\n${all} --datadir $DIR\n` }],
    ['an unknown name', { 'tasks/main.yml': `- shell: nohup ${all} --identity={{ host }} &\n` }],
    [
      'arguments of a shell in an entrypoint',
      {
        'compose.yaml': service(
          image,
          `entrypoint: ["sh", "-c", 'exec ${program} "$$@"', "--"]`,
          `command: [${list(words)}]`,
        ),
      },
    ],
    [
      'the program as $0',
      {
        'compose.yaml': service(
          image,
          `entrypoint: ["sh", "-c", 'exec $$0 "$$@"']`,
          `command: [${list(starts[name])}]`,
        ),
      },
    ],
    [
      'args of a pod',
      {
        'pod.yaml': pod(
          image,
          `command: ["sh", "-c", 'exec ${program} "$@"', "--"]`,
          `args: [${list(words)}]`,
        ),
      },
    ],
    [
      'CMD of a Dockerfile',
      {
        Dockerfile: `FROM ${image}\nENTRYPOINT ["sh", "-c", "exec ${program} \\"$@\\"", "--"]\nCMD [${list(words)}]\n`,
      },
    ],
    [
      'arguments in which a script replaces a word that none has',
      {
        Dockerfile: `FROM ${image}\nCOPY e.sh /e.sh\nENTRYPOINT ["/e.sh"]\nCMD [${list(words)}]\n`,
        'e.sh': `#!/bin/bash\nIP=$(hostname -i)\nexec ${program} "\${@/HOSTIP/$IP}"\n`,
      },
    ],
    [
      'arguments behind the first',
      {
        Dockerfile: `FROM ${image}\nCOPY e.sh /e.sh\nENTRYPOINT ["/e.sh"]\nCMD ["x", ${list(words)}]\n`,
        'e.sh': `#!/bin/bash\nexec ${program} "\${@:2}"\n`,
      },
    ],
    [
      'a random password of the chart',
      chart(secret('{{ randAlphaNum 16 | quote }}'), pod(image, `command: [${list(starts[name])}]`)),
    ],
    [
      'a certificate of the chart',
      chart(
        '{{- $ca := genCA "x" 365 }}\n{{- $old := lookup "v1" "Secret" .Release.Namespace "s" }}\n',
        secret('{{ if $old }}{{ $old.data.ca }}{{ else }}{{ $ca.Cert | b64enc }}{{ end }}'),
        pod(image, `command: [${list(starts[name])}]`),
      ),
    ],
    [
      'a required value of the chart',
      chart(pod(image, `command: [${list(starts[name])}, "--identity={{ required "x" .Values.name }}"]`)),
    ],
  ])('%s leaves no question open', async (_, files) => {
    const { critical, open } = await found(files);
    expect(critical).toContain('http admin');
    expect(open).toEqual([]);
  });

  test('an unknown word alone leaves the node undetermined', async () => {
    const { critical, said } = await found({ 'run.sh': `#!/bin/sh\n${program} $OPTS\n` });
    expect(critical).toEqual([]);
    expect(said).toContain('$OPTS (run.sh:2) is not known');
  });
});

const open = 'RPC_ENABLE=1\nRPC_ADDR="0.0.0.0"\nRPC_API="klay,admin"\n';

test.each<[string, Texts, string]>([
  [
    'a list with an unknown item',
    { 'run.sh': '#!/bin/sh\ngeth --http --http.addr 0.0.0.0 --http.api admin,$MORE\n' },
    '$MORE (run.sh:2)',
  ],
  [
    'a file of flags that is not there',
    { 'run.sh': `#!/bin/sh\n${starts.geth.join(' ')} --config /etc/g.toml\n` },
    '/etc/g.toml (run.sh:2)',
  ],
  [
    'a file of flags beside an unknown word',
    {
      'run.sh': '#!/bin/sh\ngeth --config g.toml $OPTS\n',
      'g.toml': '[Node]\nHTTPHost = "0.0.0.0"\nHTTPModules = ["admin"]\n',
    },
    '$OPTS (run.sh:2)',
  ],
  [
    'a sourced file that is not there',
    { 'kend.conf': `DATA_DIR=/d\n${open}. /etc/more.conf\n` },
    '. /etc/more.conf (kend.conf:5)',
  ],
  [
    'a condition of a template',
    { 'kend.conf.j2': `DATA_DIR=/d\n{% if rpc %}\n${open}{% endif %}\n` },
    '{% if rpc %} (kend.conf.j2:2)',
  ],
  [
    'the output of a command',
    { 'kend.conf': `DATA_DIR=/d\n${open}ADDITIONAL="--verbosity 3 $(cat opts)"\n` },
    '$(cat opts) (kend.conf:5)',
  ],
])('%s changes nothing that is written', async (_, files, name) => {
  const { critical, said } = await found(files);
  expect(critical).toContain('http admin');
  expect(said).toContain(name);
});

test.each<[string, Texts, string]>([
  [
    'an address',
    { 'run.sh': '#!/bin/sh\ngeth --http --http.addr $ADDR --http.api eth\n' },
    '$ADDR (run.sh:2)',
  ],
  ['a module list', { 'run.sh': '#!/bin/sh\nken --rpc --rpcapi $APIS\n' }, '$APIS (run.sh:2)'],
  [
    'a switch of a template',
    { 'kend.conf.j2': 'DATA_DIR=/d\nRPC_ENABLE={{ on }}\nRPC_API="klay,admin"\n' },
    '{{ on }} (kend.conf.j2:2)',
  ],
  [
    'a list that a script writes',
    {
      'setup.sh': `#!/bin/bash\nset_up() {\n  cp kend.conf /etc/kend/conf/kend.conf\n  sed -i "s/^RPC_API=.*/RPC_API=$APIS/" /etc/kend/conf/kend.conf\n}\nset_up\nsystemctl start kend\n`,
      'kend.conf': `DATA_DIR=/d\n${open}`,
    },
    'setup.sh:4',
  ],
])('%s that is not known is named, and no module is claimed', async (_, files, name) => {
  const { critical, open: reasons } = await found(files);
  expect(critical).toEqual([]);
  expect(reasons.join('\n')).toContain(name);
});

test.each([
  ['a variable', `KAIA_RPC=true KAIA_RPCADDR=0.0.0.0 KAIA_RPCAPI=admin`, 'ken --identity x'],
  ['an option', `OPTS="--rpc --rpcaddr 0.0.0.0 --rpcapi admin"`, 'ken $OPTS'],
])('the command that may change %s is named once', async (_, set, start) => {
  const { critical, said } = await found({
    'run.sh': `#!/bin/bash\nexport ${set}\nexport $(get-env)\n${start}\n`,
  });
  expect(critical).toContain('http admin');
  expect(said).toContain('Unless export $(…) (run.sh:3) changes it: http offers admin');
});

test('a flag behind an unknown word overrides it', async () => {
  const { critical, open: reasons } = await found({
    'run.sh': '#!/bin/sh\ngeth $OPTS --verbosity 3 --http=false --ws=false\n',
  });
  expect(critical).toEqual([]);
  expect(reasons.some((reason) => reason.startsWith('$OPTS'))).toBe(true);
  const { open: last } = await found({ 'run.sh': '#!/bin/sh\ngeth --http=false --ws=false $OPTS\n' });
  expect(last.length).toBeGreaterThan(reasons.length);
});
