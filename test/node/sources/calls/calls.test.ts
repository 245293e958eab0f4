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
    'docker stack',
    { 'up.sh': script('export API=eth,admin\ndocker stack deploy -c compose.yml n') },
    'critical at up.sh:2',
  ],
])('a compose project is judged with what %s gives it', async (_, files, expected) => {
  expect((await gravely({ 'compose.yml': compose(), ...files })).split('\n')).toEqual([expected, 'exit 1']);
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
