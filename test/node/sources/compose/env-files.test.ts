/**
 * What files of variables give to a service. https://github.com/compose-spec/compose-go/tree/main/dotenv: a colon assigns
 * too, single quotes keep `$`, and a name without a value takes that of `.env`.
 */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

const service = (more: string, api = '') =>
  `services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    ports: ["8545:8545"]\n    command: --http --http.addr 0.0.0.0${api}\n    ${more}\n`;
const envFile = service('env_file: n.env');

test.each<[string, Folder, RegExp]>([
  ['a colon', { 'compose.yml': envFile, 'n.env': 'GETH_HTTP_API: eth,admin\n' }, /^critical at n\.env:1\n/],
  [
    'a variable of the same file',
    { 'compose.yml': envFile, 'n.env': 'M=admin\nGETH_HTTP_API=eth,${M}\n' },
    /^critical at n\.env:[12]\n/,
  ],
  [
    'single quotes',
    { 'compose.yml': service('', ' --http.api ${API}'), '.env': "M=admin\nAPI='eth,$M'\n" },
    /^exit 0$/,
  ],
  [
    'a name without a value',
    { 'compose.yml': service('environment: [GETH_HTTP_API]'), '.env': 'GETH_HTTP_API=eth,admin\n' },
    /^critical at \.env:1\n/,
  ],
  [
    'a file that need not be there',
    { 'compose.yml': service('env_file: [{path: n.env, required: false}]') },
    /^env_file: n\.env is not read.*\nexit 3$/,
  ],
])('a service is judged with %s', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
