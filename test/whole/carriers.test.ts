/**
 * Generated folders: a value, what carries it, who hands it over or writes the carrier, and the kind of start. Dangerous
 * ones never pass.
 */
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { type Folder, reportOf } from '../node/deployment/lint-folder.js';
import { Random } from '../node/sources/random.js';
import { seed } from '../seed.js';

const runs = Number(process.env.KAIACTL_TEST_CARRIERS ?? 30);
const dangerous = ['eth,admin', 'admin', 'eth,net,admin', 'admin,web3'];
const harmless = ['eth', 'eth,net', 'net,web3'];
const words = (api: string) => `--http --http.addr 0.0.0.0 --http.api ${api}`;
const image = 'ethereum/client-go:v1.13.14';

/** How a kind of start refers to a variable, and the file that starts it. */
interface Kind {
  readonly file: string;
  text(api: string): string;
  /** A reference with a default. */
  refer(name: string, value: string): string;
  /** The command that starts it. */
  readonly command: string;
  /** Files beside it. */
  more?(value: string): Folder;
}

const kinds: Readonly<Record<string, Kind>> = {
  compose: {
    file: 'compose.yaml',
    text: (api) =>
      `services:\n  n:\n    image: ${image}\n    command: ${words(api)}\n    ports: ["8545:8545"]\n`,
    refer: (name, value) => `\${${name}:-${value}}`,
    command: 'docker compose up -d',
  },
  script: {
    file: 'start.sh',
    text: (api) => `#!/bin/sh\nexec geth ${words(api)}\n`,
    refer: (name, value) => `"\${${name}:-${value}}"`,
    command: './start.sh',
  },
  conf: {
    file: 'kend.conf',
    text: (api) => `NETWORK=mainnet\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nDATA_DIR=/data\nRPC_API=${api}\n`,
    refer: (name, value) => `"\${${name}:-${value}}"`,
    command: 'systemctl restart kend',
  },
  unit: {
    file: 'geth.service',
    text: (api) => `[Service]\nEnvironmentFile=/etc/node.env\nExecStart=/usr/bin/geth ${words(api)}\n`,
    refer: (name) => `$${name}`,
    command: 'systemctl restart geth',
    more: (value) => ({ 'etc/node.env': `API=${value}\n` }),
  },
  kubernetes: {
    file: 'pod.yaml',
    text: (api) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n  - name: n\n    image: ${image}\n` +
      '    env: [{name: API, valueFrom: {configMapKeyRef: {name: c, key: API}}}]\n' +
      `    args: [${words(api)
        .split(' ')
        .map((word) => JSON.stringify(word))
        .join(', ')}]\n`,
    refer: (name) => `$(${name})`,
    command: 'kubectl apply -f pod.yaml',
    more: (value) => ({
      'map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  API: "${value}"\n`,
    }),
  },
  helm: {
    file: 'templates/pod.yaml',
    text: (api) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n  - name: n\n    image: ${image}\n` +
      `    args: [--http, --http.addr=0.0.0.0, "--http.api=${api}"]\n`,
    refer: (name) => `{{ .Values.${name} }}`,
    command: 'helm upgrade n .',
    more: (value) => ({
      'Chart.yaml': 'apiVersion: v2\nname: n\nversion: 1.0.0\n',
      'values.yaml': `API: "${value}"\n`,
    }),
  },
  ansible: {
    file: 'play.yml',
    text: (api) =>
      `- hosts: all\n  vars_files: [vars.yml]\n  tasks:\n    - ansible.builtin.shell: geth ${words(api)}\n`,
    refer: (name) => `{{ ${name} }}`,
    command: 'ansible-playbook play.yml',
    more: (value) => ({ 'vars.yml': `API: ${value}\n` }),
  },
};

/** What gives the variable a value that the start does not show; null: the kind has no such way. */
const carriers: Readonly<Record<string, (kind: Kind, name: string, value: string) => Folder | null>> = {
  'an env file': (_, name, value) => ({ 'prod.env': `${name}=${value}\n` }),
  '.env': ({ file }, name, value) => (file === 'compose.yaml' ? { '.env': `${name}=${value}\n` } : null),
  'a file of settings': (_, name, value) => ({ 'deploy/node.cfg': `${name}: "${value}"\n` }),
  JSON: (_, name, value) => ({ 'settings.json': `{"${name}": "${value}"}\n` }),
  'an exported variable': ({ command }, name, value) => ({
    'up.sh': `#!/bin/sh\nexport ${name}=${value}\n${command}\n`,
  }),
  'a prefix of the command': ({ command }, name, value) => ({
    'up.sh': `#!/bin/sh\n${name}=${value} ${command}\n`,
  }),
  'a Makefile': ({ command }, name, value) => ({
    Makefile: `export ${name} = ${value}\nup:\n\t${command}\n`,
  }),
  'a workflow': ({ command }, name, value) => ({
    '.github/workflows/up.yml': `on: push\njobs:\n  up:\n    runs-on: self-hosted\n    env:\n      ${name}: ${value}\n    steps:\n      - run: ${command}\n`,
  }),
  'an option': ({ command }, name, value) =>
    command.startsWith('helm')
      ? { 'up.sh': `#!/bin/sh\n${command} --set '${name}=${value.replaceAll(',', '\\,')}'\n` }
      : command.startsWith('ansible')
        ? { 'up.sh': `#!/bin/sh\n${command} -e ${name}=${value}\n` }
        : null,
  'a line that a script writes': ({ file, command }, name, value) =>
    file === 'compose.yaml' ? { 'up.sh': `#!/bin/sh\necho "${name}=${value}" >> .env\n${command}\n` } : null,
};

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** What writes a carrier that does not lie in the folder, before it starts the node. */
const writers: Readonly<Record<string, (path: string, text: string, command: string) => Folder>> = {
  'a here-document': (path, text, command) => ({
    'deploy.sh': `#!/bin/sh\nmkdir -p ${posix.dirname(path)}\ncat > ${path} <<'EOF'\n${text}EOF\n${command}\n`,
  }),
  printf: (path, text, command) => ({
    'deploy.sh': `#!/bin/bash\nprintf '%s\\n' ${text.trimEnd().split('\n').map(quoted).join(' ')} > ${path}\n${command}\n`,
  }),
  tee: (path, text, command) => ({
    Makefile: `up:\n${[
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => `echo ${quoted(line.replaceAll('$', '$$$$'))} | tee -a ${path}`),
      command,
    ]
      .map((line) => `\t${line}\n`)
      .join('')}`,
  }),
  'a step of a workflow': (path, text, command) => ({
    '.github/workflows/deploy.yml': `on: push\njobs:\n  up:\n    steps:\n      - run: |\n${`cat > ${path} <<'EOF'\n${text}EOF\n${command}\n`.replace(/^/gm, '          ').trimEnd()}\n`,
  }),
  'a task of Ansible': (path, text) => ({
    'deploy.yml': `- hosts: all\n  tasks:\n    - copy:\n        dest: /srv/${path}\n        content: |\n${text.replace(/^/gm, '          ').trimEnd()}\n`,
  }),
};

/** Values of a chart come from no environment. */
const ofEnvironment = /variable|prefix|Makefile|workflow/;

/** Files that are no carriers. */
const others: Folder = {
  'README.md': 'Set API=eth,admin to open the console.\n',
  'web/app.js': 'export const API = "https://example.org";\n',
  'web/.env': 'API_URL=https://example.org\n',
};

test(`of ${runs} generated folders no dangerous one passes, and no harmless one fails`, async () => {
  const wrong: string[] = [];
  const random = new Random(seed);
  const seen = new Set<string>();
  for (let run = 0; run < runs; run += 1) {
    const [kindName, kind] = random.pick(Object.entries(kinds));
    const isDangerous = random.chance(0.7);
    const value = random.pick(isDangerous ? dangerous : harmless);
    const safe = random.pick(harmless);
    const [carrierName, carrier] = random.pick([...Object.entries(carriers), ['the start', null] as const]);
    const carried = carrier === null ? {} : carrier(kind, 'API', value);
    if (carried === null || (kindName === 'helm' && ofEnvironment.test(carrierName))) continue;
    const own = carrier === null ? value : safe;
    const [writerName, writer] = random.pick([...Object.entries(writers), ['nothing', null] as const]);
    const [[path, text] = ['', '']] = Object.entries(carried);
    const command = path.endsWith('.sh') ? `sh ${path}` : path === 'Makefile' ? 'make up' : kind.command;
    const handed = writer === null || path === '' ? carried : writer(path, text, command);
    const isReferred = carrier !== null || random.chance(0.5);
    const files = {
      [kind.file]: kind.text(isReferred ? kind.refer('API', own) : own),
      ...kind.more?.(own),
      ...(random.chance(0.5) ? others : {}),
      ...handed,
    };
    seen.add(`${kindName} ${carrierName} ${writerName} ${isReferred} ${value}`);
    const { exitCode } = await reportOf(files);
    const isRight = isDangerous ? exitCode === 1 || exitCode === 3 : exitCode !== 1;
    if (!isRight)
      wrong.push(
        `${kindName}, ${carrierName} by ${writerName}, ${value}: exit ${exitCode}\n${JSON.stringify(files)}`,
      );
  }
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(Math.min(40, runs / 3));
}, 600_000);
