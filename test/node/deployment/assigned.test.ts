/** Values that files assign to the names of a compose project, where no command hands them over. */
import { expect, test } from 'vitest';
import { assignmentsIn } from '../../../src/node/deployment/ledger/assignments.js';
import { LineIndex } from '../../../src/node/sources/text/line-index.js';
import { type Folder, gravely } from './lint-folder.js';

const unknown = '\uFDD0';
test.each<[string, string]>([
  ['API=eth,admin', 'eth,admin'],
  ['API="eth,admin" # x', 'eth,admin'],
  ['export API=eth,admin; run', 'eth,admin'],
  ['API: eth,admin # x', 'eth,admin'],
  ['"API": "eth,admin",', 'eth,admin'],
  ['{API: eth, B: 1}', 'eth'],
  ['docker run -e API=eth,admin x', 'eth,admin'],
  ['helm upgrade --set API=eth\\,admin x', 'eth,admin'],
  ['ENV API eth,admin', 'eth,admin'],
  ['API := eth,admin', 'eth,admin'],
  ['process.env.API = "eth,admin"', 'eth,admin'],
  ['- name: API\n  value: "eth,admin"', 'eth,admin'],
  ['set: [{name: API, value: "eth,admin"}]', 'eth,admin'],
  ['  name = "API"\n  value = "eth,admin"', 'eth,admin'],
  ['API: [eth, admin]', 'eth,admin'],
  ['API:\n  - eth\n  - "admin"\nB: 1', 'eth,admin'],
  ['API:\n  - eth\n  - "{{ more }}"\n', unknown],
  ['cat <<E > .env\nAPI=eth,admin up\nE\n', 'eth,admin'],
  ['cat <<E\nAPI=eth,admin\nE\n', 'eth,admin'],
  ['API=$(cat x)', unknown],
  ['API: ${{ secrets.API }}', unknown],
  ['API = var.modules', unknown],
  ['export TF_VAR_API=eth,admin', 'eth,admin'],
  ['up $API="eth,admin":', 'eth,admin'],
  ['$env.API = "eth,admin"', 'eth,admin'],
  ['os.Setenv("API", "eth,admin")', 'eth,admin'],
  ['setx API eth,admin', 'eth,admin'],
  ['set --global --export API eth,admin', 'eth,admin'],
  ['$API = "eth,admin"', 'eth,admin'],
  ['Set-Item -Path Env:API -Value "eth,admin"', 'eth,admin'],
  ['echo API=eth,admin> .env', 'eth,admin'],
  ['$ENV{API} = "eth,admin"', 'eth,admin'],
  ['set(ENV{API} "eth,admin")', 'eth,admin'],
  ['Deno.env.set("API", "eth,admin")', 'eth,admin'],
  ['Command::new("docker").env("API", "eth,admin")', 'eth,admin'],
  ['env::set_var("API", "eth,admin")', 'eth,admin'],
  ['System.put_env("API", "eth,admin")', 'eth,admin'],
  ['p.environment().put("API", "eth,admin")', 'eth,admin'],
  ["set_key('.env', 'API', 'eth,admin')", 'eth,admin'],
  ['string(name: "API", defaultValue: "eth,admin")', 'eth,admin'],
  ['<env name="API" value="eth,admin" />', 'eth,admin'],
  ['API:\n  description: x\n  value: eth,admin', 'eth,admin'],
  ['variable "API" {\n  type = string\n  default = "eth,admin"', 'eth,admin'],
])('%j assigns a value', (text, value) => {
  const [found] = assignmentsIn(new LineIndex('x', text), new Set(['API']));
  expect(found?.value.text).toBe(value);
});

test.each([
  '# API=eth',
  'echo API=eth',
  'API=${API:-eth}',
  'API: ${API}',
  'MY_API=eth',
  'API_URL=eth',
  '--api=eth',
  '$API = x',
  'API:',
  "cat >&2 <<-'E'\n\tor API=eth,admin docker compose up\n\tE\n",
  'API:\n  - name: x',
  'the API is eth',
])('%j assigns no value', (text) => {
  expect(assignmentsIn(new LineIndex('x', text), new Set(['API', 'api']))).toEqual([]);
});

const compose = `services:\n  n:\n    image: ethereum/client-go:v1.13.14
    command: --http --http.addr 0.0.0.0 --http.api \${API:-eth}\n    ports: ["\${BIND:-127.0.0.1}:8545:8545"]\n`;
const project = { 'compose.yaml': compose };

test.each<[string, Folder, string]>([
  [
    'an env file',
    { 'prod.env': '\n\nBIND=0.0.0.0\nAPI=eth,admin\n' },
    'prod.env:3 sets BIND, which compose.yaml:5 reads: `docker compose --env-file prod.env config | kaiactl node lint -`',
  ],
  [
    'a file below',
    { 'deploy/x.cfg': 'API: eth,admin\nBIND: 0.0.0.0\n' },
    'deploy/x.cfg:1 sets API, which compose.yaml:4 reads: pass the output of `docker compose config` with it',
  ],
  [
    'a justfile',
    { justfile: 'export API := "eth,admin"\nexport BIND := "0.0.0.0"\nup:\n  docker compose up -d\n' },
    'justfile:1 sets API, which compose.yaml:4 reads: pass the output of `docker compose config` with it',
  ],
  [
    'a program that runs compose',
    {
      'up.py':
        'environ["API"] = "eth,admin"\nenviron["BIND"] = "0.0.0.0"\nrun(["docker", "compose", "up"])\n',
    },
    'up.py:1 sets API, which compose.yaml:4 reads: pass the output of `docker compose config` with it',
  ],
  [
    'a script in another language than its name says',
    { 'up.sh': '#!/usr/bin/fish\nset -gx API eth,admin\nset -gx BIND 0.0.0.0\ndocker compose up -d\n' },
    'up.sh:2 sets API, which compose.yaml:4 reads: pass the output of `docker compose config` with it',
  ],
  [
    'a value that cannot be read',
    { 'x.cfg': 'API: $(cat y)\n' },
    'x.cfg:1 sets API, which compose.yaml:4 reads: pass the output of `docker compose config` with it',
  ],
])('%s asks', async (_, files, question) => {
  expect((await gravely({ ...project, ...files })).split('\n')).toEqual([question, 'exit 3']);
});

test.each<[string, Folder]>([
  ['a document', { 'README.md': 'API=eth,admin BIND=0.0.0.0\n' }],
  ['a test', { 'src/api.test.js': 'process.env.API = "eth,admin"; process.env.BIND = "0.0.0.0"' }],
  [
    'a program that runs no compose',
    { 'src/api.js': 'process.env.API = "eth,admin"; process.env.BIND = "0.0.0.0"' },
  ],
  [
    'another project below',
    { 'b/compose.yaml': 'services: {web: {image: nginx}}\n', 'b/x.env': 'API=eth,admin\nBIND=0.0.0.0\n' },
  ],
  ['a harmless value', { 'web.env': 'API=https://api.example.org\n' }],
  [
    'a usage text of a script',
    { 'help.sh': '#!/bin/bash\ncat <<EOF\nusage: up.sh [--http.api eth,admin]\nEOF\n' },
  ],
  ['a value that changes no interface', { 'x.env': 'TAG=$(date)\n' }],
])('%s asks nothing', async (_, files) => {
  expect(await gravely({ ...project, ...files })).toBe('exit 0');
});

test('a value of an env file has the values that stand before it', async () => {
  const env = (first: string) => ({ ...own, 'prod.env': `${first}API=eth,$MORE\n`, 'x.sh': 'echo $MORE\n' });
  expect(await gravely(env('MORE=net\n'))).toContain('prod.env:2 sets API, ');
  const named = { 'compose.yaml': `${own['compose.yaml']}    hostname: $MORE\n` };
  expect(await gravely({ ...env('MORE=net\n'), ...named })).toBe('exit 0');
  expect(await gravely({ ...env('MORE=admin\n'), ...named })).toContain('exit 3');
});

const own = { 'compose.yaml': compose.replace('${BIND:-127.0.0.1}:', '') };
const makefile = 'up:\n\tdocker compose up -d\n';
test.each<[string, (api: string) => Folder]>([
  ['a Makefile that runs make', (api) => ({ Makefile: `${makefile}prod:\n\t$(MAKE) up API=${api}\n` })],
  ['an environment of make', (api) => ({ Makefile: `${makefile}prod:\n\tAPI=${api} \${MAKE} up\n` })],
  [
    'a script that runs make',
    (api) => ({ Makefile: makefile, 'up.sh': `#!/bin/sh\nmake -s up API=${api}\n` }),
  ],
  [
    'a default of a parameter of just',
    (api) => ({ justfile: `up $API="${api}":\n  docker compose up -d\n` }),
  ],
])('%s asks where the value is worse', async (_, files) => {
  expect(await gravely({ ...own, ...files('eth,admin') })).toMatch(/ sets API, .*\nexit 3$/);
  expect(await gravely({ ...own, ...files('eth,net') })).toBe('exit 0');
});

test('the environment that pm2 gives a script asks where it is worse', async () => {
  const files = (api: string) => ({
    'run.sh': `#!/bin/sh\nexec geth --http --http.addr 0.0.0.0 --http.api \${API:-eth}\n`,
    'ecosystem.config.js': `module.exports = {apps: [{script: "./run.sh", env_prod: {API: "${api}"}}]}\n`,
  });
  expect(await gravely(files('eth,admin'))).toContain('ecosystem.config.js:1 sets API, which run.sh:2 reads');
  expect(await gravely(files('eth,net'))).toBe('exit 0');
});

const script = { 'run.sh': '#!/bin/sh\nexec geth --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n' };

const just = { justfile: 'up net api:\n  API={{api}} docker compose up -d\n' };

test.each<[string, (api: string) => Folder]>([
  [
    'a variable of GitLab with a description',
    (api) => ({
      ...own,
      '.gitlab-ci.yml': `variables:\n  API: {value: "${api}", description: x}\nup:\n  script: [docker compose up]\n`,
    }),
  ],
  [
    'a variable of Task',
    (api) => ({
      ...own,
      'Taskfile.yml': `vars: {MODULES: "${api}"}\ntasks:\n  up:\n    cmds: ["API={{.MODULES}} docker compose up -d"]\n`,
    }),
  ],
  [
    'docker compose run',
    (api) => ({
      'compose.yaml': own['compose.yaml'].replace(' --http.api ${API:-eth}', ''),
      'up.sh': `#!/bin/sh\ndocker compose run --service-ports -e GETH_HTTP_API=${api} n\n`,
    }),
  ],
  ['docker exec', (api) => ({ ...script, 'up.sh': `#!/bin/sh\ndocker exec -e API=${api} n ./run.sh\n` })],
  ['a call of just', (api) => ({ ...own, ...just, 'up.sh': `#!/bin/sh\njust -q up main ${api}\n` })],
  ['a workflow that runs just', (api) => ({ ...own, ...just, 'up.yml': `- run: just up main "${api}"\n` })],
  ['a recipe of just', (api) => ({ ...own, justfile: `${just.justfile}prod: (up "main" "${api}")\n` })],
  [
    'a template with a variable of Ansible',
    (api) => ({ ...own, 'env.j2': 'API={{ modules }}\n', 'group_vars/all.yml': `modules: ${api}\n` }),
  ],
  [
    'a workflow with a default of an input',
    (api) => ({
      ...own,
      'up.yml': `inputs:\n  modules:\n    default: "${api}"\njobs:\n  a:\n    env:\n      API: \${{ inputs.modules }}\n`,
    }),
  ],
  [
    'Flux, over a default in a manifest',
    (api) => ({
      'pod.yaml': pod('[]', '${API:=eth}'),
      'flux.yaml': `kind: Kustomization\nspec:\n  postBuild:\n    substitute:\n      API: "${api}"\n`,
    }),
  ],
])('what %s sets counts', async (_, files) => {
  expect(await gravely(files('eth,admin'))).toMatch(/exit [13]$/);
  expect(await gravely(files('eth,net'))).toBe('exit 0');
});

test('a program that names a start asks where the value is worse', async () => {
  const files = (api: string) => ({
    'run.sh': `#!/bin/sh\nexec geth --http --http.addr 0.0.0.0 --http.api \${API:-eth}\n`,
    'up.py': `os.environ["API"] = "${api}"\nos.system("./run.sh")\n`,
  });
  expect(await gravely(files('eth,admin'))).toContain('up.py:1 sets API, which run.sh:2 reads');
  expect(await gravely(files('eth,net'))).toBe('exit 0');
});

test('a file above asks where it names the folder of the project', async () => {
  const files = {
    'a/compose.yaml': compose,
    'main.tf': 'source = "./a"\nAPI = "eth,admin"\nBIND = "0.0.0.0"\n',
  };
  expect(await gravely(files)).toMatch(/^main\.tf:2 sets API, .*\nexit 3$/);
  expect(await gravely({ ...files, 'main.tf': files['main.tf'].replace('./a', './b') })).toBe('exit 0');
});

const words = '--http --http.addr 0.0.0.0 --http.api';
const run = `#!/bin/sh\nexec geth ${words} "\${API:-eth}"\n`;
const unit = (environment: string) => `[Service]\n${environment}\nExecStart=/usr/bin/geth ${words} $API\n`;
const pod = (env: string, api: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:
  containers:\n  - name: n\n    image: ethereum/client-go:v1.13.14\n    env: ${env}
    args: [--http, --http.addr=0.0.0.0, "--http.api=${api}"]\n`;
const ofMap = '[{name: API, valueFrom: {configMapKeyRef: {name: c, key: api}}}]';
const map = (api: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {api: "${api}"}\n`;
const image = `FROM ethereum/client-go:v1.13.14\nARG API=eth\nENV API=$API\nCMD exec geth ${words} $API\n`;
const command = 'pass the node’s command with --command-line';
const conf = (api: string) =>
  `NETWORK=mainnet\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=${api}\nDATA_DIR=/data\n`;
const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: n\nversion: 1.0.0\n',
  'chart/values.yaml': 'api: eth\n',
  'chart/templates/p.yaml': pod('[]', '{{ .Values.api }}'),
};

test.each<[string, Folder, string]>([
  [
    'a default of a script',
    { 'run.sh': run, 'prod.env': 'API=eth,admin\n' },
    `prod.env:1 sets API, which run.sh:2 reads: ${command}`,
  ],
  [
    'a file in the place of that of a unit',
    {
      'etc/systemd/system/n.service': unit('EnvironmentFile=/etc/n/node.env'),
      'etc/n/node.env': 'API=eth\n',
      'etc/n/prod.env': 'API=eth,admin\n',
    },
    `etc/n/prod.env:1 sets API, which etc/n/node.env:1 reads: ${command}`,
  ],
  [
    'a drop-in that a script writes',
    {
      'n.service': unit('Environment=API=eth'),
      'up.sh': 'printf "[Service]\\nEnvironment=API=eth,admin\\n" > /etc/systemd/system/n.service.d/x.conf\n',
    },
    `up.sh:1 sets API, which n.service:2 reads: ${command}`,
  ],
  [
    'an argument of a build',
    { Dockerfile: image, Makefile: 'all:\n\tdocker build --build-arg API=eth,admin .\n' },
    `Makefile:2 sets API, which Dockerfile:2 reads: ${command}`,
  ],
  [
    'a ConfigMap in the place of another',
    { 'p.yaml': pod(ofMap, '$(API)'), 'base/c.yaml': map('eth'), 'prod/c.yaml': map('eth,admin') },
    'prod/c.yaml:4 sets api, which p.yaml:8 reads: pass the manifests as kubectl applies them',
  ],
  [
    'an environment of a conf',
    { 'kend.conf': conf('"${API:-eth}"'), 'prod.env': 'API=eth,admin\n' },
    'prod.env:1 sets API, which kend.conf:4 reads: pass --env with the value that the node is started with',
  ],
  [
    'a variable of Terraform that it hands to a chart',
    {
      ...chart,
      'main.tf':
        'resource "helm_release" "n" {\n chart = "./chart"\n set {\n  name = "api"\n  value = var.api\n }\n}\n',
    },
    'main.tf:5 sets api, which chart/templates/p.yaml:9 reads: pass the output of `helm template` with it',
  ],
  [
    'a file that a helmfile names',
    {
      ...chart,
      'd/helmfile.yaml': 'releases:\n- chart: ../chart\n  values: [../values/{{ .Environment.Name }}.yaml]\n',
      'values/prod.yaml': 'api: eth,admin\n',
    },
    'values/prod.yaml:1 sets api, which chart/templates/p.yaml:9 reads: `helm template -f values/prod.yaml CHART | kaiactl node lint -`',
  ],
  [
    'a ConfigMap whose values Flux substitutes',
    {
      ...chart,
      'chart/maps.yaml': map('eth,admin'),
      'chart/release.yaml': 'spec: {valuesFrom: [{kind: ConfigMap, name: c, valuesKey: api}]}\n',
    },
    'chart/maps.yaml:4 sets api, which chart/templates/p.yaml:9 reads: pass the output of `helm template` with it',
  ],
])('%s asks', async (_, files, question) => {
  expect((await gravely(files)).split('\n')).toEqual(expect.arrayContaining([question, 'exit 3']));
});

test.each<[string, string]>([
  ['helmfile.yaml', 'helmDefaults: {postRenderer: ./x}\nreleases:\n- chart: ./chart\n'],
  ['skaffold.yaml', 'flags: [--post-renderer=./x]\nreleases:\n- chartPath: chart\n'],
  ['release.yaml', 'spec:\n  chart: {spec: {chart: ./chart}}\n  postRenderers: [{kustomize: {}}]\n'],
])('a program of %s that changes what a chart renders asks', async (file, text) => {
  expect(await gravely({ ...chart, [file]: text })).toMatch(
    /a program of its command may change .*\nexit 3$/,
  );
  const plain = text.replace(/post-?[rR]ender/, 'x');
  expect(await gravely({ ...chart, [file]: plain })).toBe('exit 0');
});

test.each<[string, Folder]>([
  [
    'a ConfigMap that no container of the chart names',
    { ...chart, 'chart/maps.yaml': map('eth,admin').replace('name: c', 'name: website') },
  ],
  [
    'a conf that no file sets a variable of',
    { 'kend.conf': conf('"${API:-eth}"'), 'x.env': 'URL=eth,admin\n' },
  ],
  [
    'another conf',
    {
      'kend.conf': conf('"${RPC_API:-eth}"'),
      'off/kcnd.conf': 'NETWORK=mainnet\nRPC_ENABLE=0\nRPC_API=personal\n',
      'off/old.kend.conf': 'NETWORK=mainnet\nRPC_ENABLE=0\nRPC_API=personal\n',
    },
  ],
  [
    'a variable that the script sets first',
    { 'run.sh': run.replace('exec', 'API=eth\nexec'), 'prod.env': 'API=eth,admin\n' },
  ],
  ['no value of a unit', { 'n.service': unit('Environment=API=eth'), 'x.env': 'API=eth,net\n' }],
  ['no argument of a build', { Dockerfile: image, Makefile: 'all:\n\tdocker build .\n' }],
  ['a variable of another name', { 'run.sh': run, 'x.env': 'API_URL=eth,admin\n' }],
])('%s asks nothing', async (_, files) => {
  expect(await gravely(files)).toBe('exit 0');
});

test('kubectl set env counts', async () => {
  const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:
  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers:
      - name: n\n        image: ethereum/client-go:v1.13.14\n        env: [{name: API, value: eth}]
        args: [--http, --http.addr=0.0.0.0, --http.api=$(API)]\n`;
  const script = '#!/bin/sh\nkubectl set env deploy/n API=eth,admin\n';
  expect(await gravely({ 'd.yaml': deployment, 'up.sh': script })).toBe('high at up.sh:2\nexit 1');
});

test.each(['--post-renderer ./x.sh', '--post-renderer=./x.sh', '-f <(./x.sh)'])(
  'helm %s may change any setting',
  async (option) => {
    const script = (words: string) => ({
      'up.sh': `#!/bin/bash\nhelm upgrade --install n ./chart${words}\n`,
    });
    expect(await gravely({ ...chart, ...script(` ${option}`) })).toMatch(/may change any setting.*\nexit 3$/);
    expect(await gravely({ ...chart, ...script('') })).toBe('exit 0');
  },
);

test('what envsubst fills in is unknown, and asks for the value of a caller', async () => {
  const files = {
    'p.yaml': pod('[]', '${API}'),
    'up.sh': 'API=eth,admin envsubst <p.yaml | kubectl apply -f -\n',
  };
  expect(await gravely(files)).toContain(
    'up.sh:1 sets API, which p.yaml:9 reads: pass the manifests as kubectl',
  );
});

test.each<[string, Folder]>([
  [
    'a template of Terraform',
    { 'main.tf': 'user_data = templatefile("run.sh", {\n  HTTP_API = "eth,net"\n})\n' },
  ],
  ['a script that is not sourced', { 'vars.sh': 'export HTTP_API=eth,net\n' }],
])('a list that another file sets does not count as unset: %s', async (_, files) => {
  const start = { 'run.sh': '#!/bin/bash\ngeth --http --http.addr 0.0.0.0 --http.api=${HTTP_API}\n' };
  expect(await gravely(start)).toMatch(/^critical at run\.sh:2\n/);
  const [name = ''] = Object.keys(files);
  const said = await gravely({ ...start, ...files });
  expect(said).not.toMatch(/critical|high/);
  expect(said).toMatch(new RegExp(`${name}:\\d sets HTTP_API, and whether the start gets it is not known`));
});
