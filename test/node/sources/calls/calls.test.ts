/**
 * What commands of a folder give to the compose project that they start. The precedence is that of docker compose: the
 * environment of the command, then `--env-file` (the last one wins; `.env` is not read with it), then `.env`, then the
 * default in the file. https://docs.docker.com/compose/how-tos/environment-variables/envvars-precedence/
 */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

const compose = (
  api = '${API:-eth}',
  bind = '',
) => `services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${api}
    ports: ["${bind}8545:8545"]\n`;
const script = (text: string) => `#!/bin/bash\n${text}\n`;

test.each<[string, Folder, string]>([
  [
    'an exported variable',
    { 'up.sh': script('export API=eth,admin\ndocker compose up -d') },
    'critical at up.sh:2',
  ],
  [
    'a variable before the command, over .env',
    { '.env': 'API=eth\n', 'up.sh': script('API=eth,admin docker-compose up -d') },
    'critical at up.sh:2',
  ],
  [
    'the last --env-file',
    {
      'a.env': 'API=eth,net\n',
      'b.env': 'API=eth,admin\n',
      'up.sh': script('docker compose --env-file a.env --env-file b.env up -d'),
    },
    'critical at b.env:1',
  ],
  [
    'COMPOSE_ENV_FILES',
    { 'b.env': 'API=eth,admin\n', 'up.sh': script('COMPOSE_ENV_FILES=b.env docker compose up -d') },
    'critical at b.env:1',
  ],
  [
    'COMPOSE_FILE',
    {
      'o.yml': compose('eth,admin'),
      'up.sh': script('export COMPOSE_FILE=compose.yml:o.yml\ndocker compose up'),
    },
    'critical at o.yml:4',
  ],
  [
    'a file of variables that is sourced',
    { 'p.env': 'API=eth,admin\n', 'up.sh': script('set -a\n. ./p.env\ndocker compose up') },
    'critical at p.env:1',
  ],
  [
    'a .env that a script writes',
    { 'up.sh': script('cat > .env <<E\nAPI=eth,admin\nE\ndocker compose up') },
    'critical at up.sh:3',
  ],
  [
    'a line that a script appends to .env',
    { '.env': 'API=eth\n', 'up.sh': script("echo 'API=eth,admin' >> .env\ndocker compose up") },
    'critical at up.sh:2',
  ],
  [
    'a condition that is not known',
    { 'up.sh': script('if [ "$1" = x ]; then export API=eth,admin; fi\ndocker compose up') },
    'critical at up.sh:2',
  ],
  [
    'a script in a folder below',
    { 'scripts/up.sh': script('cd "$(dirname "$0")/.."\nAPI=eth,admin docker compose up') },
    'critical at scripts/up.sh:3',
  ],
  [
    'a Makefile',
    { Makefile: 'export API := eth,admin\nup:\n\tdocker compose up -d\n' },
    'critical at Makefile:1',
  ],
  ['a recipe', { Makefile: 'up:\n\t@API=eth,admin docker compose up -d\n' }, 'critical at Makefile:2'],
  [
    'a unit',
    {
      'n.service':
        '[Service]\nEnvironment=API=eth,admin\nWorkingDirectory=/srv/n\nExecStart=/usr/bin/docker compose up\n',
    },
    'critical at n.service:2',
  ],
  [
    'a workflow',
    {
      '.github/workflows/d.yml':
        'env: {API: "eth,admin"}\njobs:\n  d:\n    steps:\n      - run: docker compose up -d\n',
    },
    'critical at .github/workflows/d.yml:1',
  ],
  [
    'package.json',
    { 'package.json': '{"scripts": {\n"up": "API=eth,admin docker compose up"}}' },
    'critical at package.json:2',
  ],
  [
    'a script that edits it',
    {
      'compose.yml': compose('eth'),
      'up.sh': script("sed -i 's/--http.api eth/--http.api eth,admin/' compose.yml\ndocker compose up"),
    },
    'critical at compose.yml:4',
  ],
  [
    'a script that edits a file which it mounts',
    {
      'compose.yml': compose('eth').replace(
        'command: ',
        'volumes: ["./c.toml:/c.toml"]\n    command: --config /c.toml ',
      ),
      'c.toml': '[Node]\nHTTPModules = ["eth"]\nWSHost = "0.0.0.0"\nWSModules = ["eth"]\n',
      'up.sh': script('sed -i \'s/WSModules = .*/WSModules = ["admin"]/\' c.toml\ndocker compose up'),
    },
    'critical at c.toml:4',
  ],
  [
    'docker stack',
    { 'up.sh': script('export API=eth,admin\ndocker stack deploy -c compose.yml n') },
    'critical at up.sh:2',
  ],
])('a compose project is judged with what %s gives it', async (_, files, expected) => {
  expect((await gravely({ 'compose.yml': compose(), ...files })).split('\n')).toEqual([expected, 'exit 1']);
});

test.each([
  ['--env-file that is not there', 'docker compose --env-file p.env up'],
  ['a file that is sourced and not there', 'set -a\n. ./p.env\nset +a\ndocker compose up'],
])('%s may set any variable', async (_, text) => {
  expect(await gravely({ 'compose.yml': compose(), 'up.sh': script(text) })).toMatch(
    /API.*is not known[\s\S]*exit 3$/,
  );
});

test('a manifest that a script edits is judged as it leaves it', async () => {
  const files = {
    'k.yaml': `apiVersion: v1
kind: Pod
metadata: {name: n}
spec:
  hostNetwork: true
  containers: [{name: g, image: ethereum/client-go:v1.13.14, args: [--http, --http.addr=0.0.0.0, "--http.api=eth"]}]
`,
    'up.sh': script("sed -i 's/api=eth/api=eth,admin/' k.yaml\nkubectl apply -f k.yaml"),
  };
  expect(await gravely(files)).toMatch(/^critical at (?:k\.yaml:6|up\.sh:2)\nexit 1$/);
});

test('a compose file that a script changes in an unknown way is an open question', async () => {
  const files = {
    'compose.yml': compose('eth'),
    'up.sh': script('sed -i -f edits compose.yml\ndocker compose up'),
  };
  expect(await gravely(files)).toMatch(
    /up\.sh changes compose\.yml in a way that is not followed[\s\S]*exit 3$/,
  );
});

test('a compose file and its .env that a script writes to one folder belong together', async () => {
  const text = `mkdir -p /opt/n\ncat > /opt/n/.env <<E\nAPI=eth,admin\nE\ncat > /opt/n/compose.yml <<'E'\n${compose()}E`;
  const files = { 'up.sh': script(`${text}\ncd /opt/n && docker compose up`) };
  expect(await gravely(files)).toMatch(/^critical at up\.sh:4\n[\s\S]*exit 1$/);
});

test('the address of a published port is that of the command', async () => {
  const files = {
    'compose.yml': compose('eth,admin', '${BIND:-127.0.0.1}:'),
    'up.sh': script('BIND=0.0.0.0 docker compose up'),
  };
  expect(await gravely(files)).toContain('critical');
});

test('a default counts beside the command that sets something else', async () => {
  const files = { 'compose.yml': compose('${API:-eth,admin}'), 'up.sh': script('API=eth docker compose up') };
  expect(await gravely(files)).toContain('critical at compose.yml:4');
});

test.each<[string, Folder]>([
  [
    'another project',
    {
      'b/compose.yml': 'services: {web: {image: nginx}}\n',
      'b/up.sh': script('API=eth,admin docker compose up'),
    },
  ],
  ['a harmless value', { 'up.sh': script('API=eth,net docker compose up') }],
  ['a comment', { 'up.sh': script('# API=eth,admin docker compose up\ndocker compose up') }],
  [
    '.env beside --env-file',
    {
      '.env': 'API=eth\n',
      'p.env': 'API=eth,net\n',
      Makefile: 'up:\n\tdocker compose --env-file p.env up\n',
    },
  ],
])('%s changes nothing', async (_, files) => {
  expect(await gravely({ 'compose.yml': compose(), ...files })).toBe('exit 0');
});

test.each(['pull', '-f compose.yaml logs -f', 'down'])('%s starts nothing', async (words) => {
  const text = script(`API=eth,admin docker compose ${words}\ndocker compose up -d`);
  expect(await gravely({ 'compose.yaml': compose(), 'up.sh': text })).toBe('exit 0');
});

test('a file that a command adds to the project and that is not there is named', async () => {
  const files = {
    'compose.yml': compose(),
    'up.sh': script('docker compose -f compose.yml -f prod.yml up -d'),
  };
  expect(await gravely(files)).toMatch(/with another file too: prod\.yml is not read.*\nexit 3$/);
});

const chart = (values: string, api: string): Folder => ({
  'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
  'c/values.yaml': values,
  'c/templates/p.yaml': `apiVersion: v1
kind: Pod
metadata: {name: n}
spec:
  hostNetwork: true
  containers:
    - name: geth
      image: ethereum/client-go:v1.13.14
      args: ["--http", "--http.addr=0.0.0.0", "--http.api=${api}"]
`,
});
const plain = chart('rpc: {api: eth}\n', '{{ .Values.rpc.api }}');

test.each<[string, Folder, RegExp]>([
  [
    '-f of a script',
    { ...plain, 'v/p.yaml': 'rpc: {api: "eth,admin"}\n', 'up.sh': script('helm upgrade -i n c -f v/p.yaml') },
    /^critical at v\/p\.yaml:1\nexit 1$/,
  ],
  [
    '--set of a Makefile',
    { ...plain, Makefile: 'up:\n\thelm install n ./c --set rpc.api=eth\\\\,admin\n' },
    /^critical at Makefile:2\nexit 1$/,
  ],
  [
    '--set-json',
    { ...plain, 'up.sh': script(`helm install n c --set-json 'rpc.api="eth,admin"'`) },
    /^critical at up\.sh:2\nexit 1$/,
  ],
  [
    '--set-file',
    { ...plain, 'api.txt': 'eth,admin', 'up.sh': script('helm install n c --set-file rpc.api=api.txt') },
    /^critical at api\.txt:1\nexit 1$/,
  ],
  [
    '--set-literal after the others',
    {
      ...plain,
      'up.sh': script('helm install n c --set-literal rpc.api=eth,admin --set rpc.api=eth'),
    },
    /^critical at up\.sh:2\nexit 1$/,
  ],
  [
    'two files of -f in one word',
    {
      ...plain,
      'v/a.yaml': 'rpc: {api: eth}\n',
      'v/b.yaml': 'rpc: {api: "eth,admin"}\n',
      'up.sh': script('helm install n c --values=v/a.yaml,v/b.yaml'),
    },
    /^critical at v\/b\.yaml:1\nexit 1$/,
  ],
  [
    'a file of -f that is not there',
    { ...plain, 'up.sh': script('helm install n c -f v/secret.yaml') },
    /^.*v\/secret\.yaml of its command is not among the files.*\nexit 3$/,
  ],
  [
    'a file of -f that a variable names',
    {
      ...plain,
      'v/prod.yaml': 'rpc: {api: "eth,admin"}\n',
      'up.sh': script('helm install n c -f "v/$ENV.yaml"'),
    },
    /^critical at v\/prod\.yaml:1\nexit 1$/,
  ],
  [
    'a file of -f that a variable names, and a harmless one that is there',
    { ...plain, 'v/dev.yaml': 'rpc: {api: net}\n', 'up.sh': script('helm install n c -f "v/$ENV.yaml"') },
    /^exit 0$/,
  ],
  [
    'a file of -f that a variable names, and none that is there',
    { ...plain, 'up.sh': script('helm install n c -f "v/$ENV.yaml"') },
    /^.*v\/\$ENV\.yaml of its command is not among the files.*\nexit 3$/,
  ],
  [
    'an item of a list in --set',
    { ...plain, 'up.sh': script(`helm install n c --set 'rpc.api[1]=admin'`) },
    /^.*rpc\.api\[1\]=admin of its command sets an item of a list.*\nexit 3$/,
  ],
  [
    'a file that no command hands over',
    { ...plain, 'c/ci/x.yaml': 'rpc:\n  api: eth,admin\n' },
    /^c\/ci\/x\.yaml:2 sets rpc\.api, .*\nexit 3$/,
  ],
  ['merge', chart('a: {api: "eth,admin"}\n', '{{ (merge (dict "api" "") .Values.a).api }}'), /^critical/],
  [
    'mergeOverwrite',
    chart('a: {api: "eth,admin"}\n', '{{ (mergeOverwrite (dict "api" "eth") .Values.a).api }}'),
    /^critical/,
  ],
  [
    'set',
    chart('', '{{ $a := dict "api" "eth" }}{{ $_ := set $a "api" "eth,admin" }}{{ $a.api }}'),
    /^critical/,
  ],
  ['unset', chart('', '{{ $a := dict "api" "eth" }}{{ $_ := unset $a "api" }}{{ $a.api }}'), /exit 3$/],
  ['lookup', chart('', '{{ if lookup "v1" "Secret" "a" "b" }}eth,admin{{ else }}eth{{ end }}'), /^critical/],
  [
    '.Capabilities',
    chart('', '{{ if .Capabilities.APIVersions.Has "a/v1" }}eth,admin{{ else }}eth{{ end }}'),
    /^critical/,
  ],
  [
    '.Release.IsUpgrade',
    chart('', '{{ if .Release.IsUpgrade }}eth{{ else }}eth,admin{{ end }}'),
    /^critical/,
  ],
  [
    'the namespace',
    chart('', '{{ if eq .Release.Namespace "prod" }}eth,admin{{ else }}eth{{ end }}'),
    /^critical/,
  ],
])('a chart is judged with %s', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});

test('a value of another chart asks nothing', async () => {
  const files = { ...plain, 'd/Chart.yaml': 'name: d\n', 'd/values.yaml': 'rpc: {api: "eth,admin"}\n' };
  expect(await gravely(files)).toBe('exit 0');
});

const playbook = (vars: string) => `- hosts: all
${vars}  tasks:
    - docker_container:
        name: n
        image: ethereum/client-go:v1.13.14
        command: "--http --http.addr 0.0.0.0 --http.api {{ api | default('eth') }}"
        published_ports: ["8545:8545"]
`;

test.each<[string, Folder, RegExp]>([
  [
    '-e of a Makefile',
    {
      'site.yml': playbook('  vars: {api: eth}\n'),
      Makefile: 'up:\n\tansible-playbook site.yml -e api=eth,admin\n',
    },
    /^critical at Makefile:2\nexit 1$/,
  ],
  [
    '-e @file',
    {
      'site.yml': playbook('  vars: {api: eth}\n'),
      'p.yml': 'api: eth,admin\n',
      'up.sh': script('ansible-playbook -i inv site.yml -e @p.yml'),
    },
    /^critical at p\.yml:1\nexit 1$/,
  ],
  [
    'a file of -e that is not there',
    {
      'site.yml': playbook('  vars: {api: eth}\n'),
      'up.sh': script('ansible-playbook site.yml -e @secret.yml'),
    },
    /^api \(site\.yml:7\) is not known\nexit 3$/,
  ],
  [
    'include_vars',
    {
      'site.yml': playbook('  vars: {api: eth}\n').replace('tasks:', 'tasks:\n    - include_vars: v.yml'),
      'v.yml': 'api: eth,admin\n',
    },
    /^critical at v\.yml:1\nexit 1$/,
  ],
  [
    'a value in the vault',
    {
      'site.yml': playbook(''),
      'group_vars/all.yml': 'api: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  3132\n',
    },
    /is not known\nexit 3$/,
  ],
  [
    'a file of variables in the vault',
    {
      'site.yml': playbook('  vars_files: [v.yml]\n'),
      'v.yml': '$ANSIBLE_VAULT;1.1;AES256\n3132\n',
    },
    /is not known\nexit 3$/,
  ],
  [
    'a statement of Jinja2 in a task',
    { 'site.yml': playbook('').replace("{{ api | default('eth') }}", 'eth{% if dev %},admin{% endif %}') },
    /^(?:critical|.*is not known)/,
  ],
  [
    'host_vars',
    { 'site.yml': playbook(''), 'group_vars/all.yml': 'api: eth\n', 'host_vars/h1.yml': 'api: eth,admin\n' },
    /^critical at host_vars\/h1\.yml:1\nexit 1$/,
  ],
  [
    'an inventory in INI',
    { 'site.yml': playbook(''), 'inventory.ini': '[all]\nh1 api=eth,admin\n' },
    /^critical at inventory\.ini:2\nexit 1$/,
  ],
  [
    'an inventory in YAML',
    { 'site.yml': playbook(''), 'hosts.yml': 'all:\n  hosts:\n    h1: {api: "eth,admin"}\n' },
    /^critical at hosts\.yml:3\nexit 1$/,
  ],
  [
    'vars of the play over those of a host',
    { 'site.yml': playbook('  vars: {api: eth}\n'), 'host_vars/h1.yml': 'api: eth,admin\n' },
    /^exit 0$/,
  ],
  [
    'a file that no command hands over',
    { 'site.yml': playbook('  vars: {api: eth}\n'), 'p.yml': 'api: eth,admin\n' },
    /^p\.yml:1 sets api, which site\.yml:.* reads: .*\nexit 3$/,
  ],
])('a playbook is judged with %s', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});

const environment = 'environment: {GETH_HTTP_API: "eth,admin"}';
test.each([
  ['the play', `- hosts: all\n  ${environment}\n  tasks:\n    - shell: geth --http --http.addr 0.0.0.0 &\n`],
  [
    'the task',
    `- hosts: all\n  tasks:\n    - shell: geth --http --http.addr 0.0.0.0 &\n      ${environment}\n`,
  ],
  [
    'the block, as a list',
    `- hosts: all\n  vars: {e: {GETH_HTTP_API: "eth,admin"}}\n  tasks:\n    - environment: ["{{ e }}"]
      block:\n        - command: geth --http --http.addr 0.0.0.0\n`,
  ],
])('a command of Ansible has the environment of %s', async (_, text) => {
  expect(await gravely({ 'site.yml': text })).toMatch(/^critical at site\.yml:\d\nexit 1$/);
});

const facts = (tasks: string) => `- hosts: all
  vars: {api: eth}
  pre_tasks:
${tasks}  tasks:
    - docker_container:
        name: n
        image: ethereum/client-go:v1.13.14
        command: "--http --http.addr 0.0.0.0 --http.api {{ api }}"
        published_ports: ["8545:8545"]
`;
test.each([
  ['another list of tasks', '    - set_fact: {api: "eth,admin"}\n', /^critical at site\.yml:4\nexit 1$/],
  ['a block', '    - block:\n        - set_fact: {api: "eth,admin"}\n', /^critical at site\.yml:5\nexit 1$/],
  ['its own value', '    - set_fact: {api: "{{ api }},admin"}\n', /^critical at site\.yml:\d\nexit 1$/],
  [
    'a condition that is not known, as a safe value over a grave one',
    '    - set_fact: {api: "eth,admin"}\n    - set_fact: {api: eth}\n      when: prod\n',
    /^critical at site\.yml:4\nexit 1$/,
  ],
])('a fact of %s counts', async (_, tasks, expected) => {
  expect(await gravely({ 'site.yml': facts(tasks) })).toMatch(expected);
});

test.each(['vars_files: [secret.yml]\n  tasks:', 'tasks:\n    - include_vars: secret.yml'])(
  'a file of variables that is not there may set any: %s',
  async (text) => {
    const files = { 'site.yml': playbook('  vars: {api: eth}\n').replace('tasks:', text) };
    expect(await gravely(files)).toMatch(/api .*is not known\nexit 3$/);
  },
);
