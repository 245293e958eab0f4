/** Documents of one compose file, and keys on lines of their own. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'a later document',
    {
      'compose.yml':
        '---\nservices:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http\n---\nservices:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ["8545:8545"]\n',
    },
    /^critical at compose.yml/,
  ],
  [
    'a document that adds a command',
    {
      'compose.yml':
        "services:\n  n:\n    image: ethereum/client-go:v1.13.14\n---\nservices:\n  n:\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ['8545:8545']\n",
    },
    /^critical at compose.yml/,
  ],
  [
    'a document of an extended file',
    {
      'compose.yml': "services:\n  n:\n    extends: {file: base.yml, service: b}\n    ports: ['8545:8545']\n",
      'base.yml':
        'services:\n  b:\n    image: ethereum/client-go:v1.13.14\n---\nservices:\n  b:\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^critical at base.yml/,
  ],
  [
    'a document of networks',
    {
      'compose.yml':
        "services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ['8545:8545']\n---\nnetworks:\n  default: {}\n",
    },
    /^critical at compose.yml/,
  ],
  [
    'a document with a name',
    {
      'compose.yml':
        "name: x\n---\nservices:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ['8545:8545']\n",
    },
    /^critical at compose.yml/,
  ],
  [
    'a file of complex keys',
    {
      'compose.yml':
        '? services\n: ? n\n  : image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ["8545:8545"]\n',
    },
    /^critical at compose.yml/,
  ],
  [
    'a complex key in a service',
    {
      'compose.yml':
        "services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    ? command\n    : --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ['8545:8545']\n",
    },
    /^critical at compose.yml/,
  ],
  [
    'a complex key in quotes',
    {
      'docker-compose.yaml':
        '? "services"\n:\n  ? "n"\n  :\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: [\'8545:8545\']\n',
    },
    /^critical at docker-compose.yaml/,
  ],
  [
    'a manifest of complex keys',
    {
      'p.yaml':
        '? apiVersion\n: v1\n? kind\n: Pod\n? metadata\n: {name: n}\n? spec\n: containers:\n    - name: g\n      image: ethereum/client-go:v1.13.14\n      ? args\n      : [--http, --http.addr=0.0.0.0, --http.api=debug,personal,admin]\n      ports: [{containerPort: 8545, hostPort: 8545}]\n',
    },
    /^critical at p.yaml/,
  ],
  [
    'a play of complex keys',
    {
      'play.yml':
        "- ? hosts\n  : all\n  tasks:\n    - docker_container:\n        name: g\n        image: ethereum/client-go:v1.13.14\n        ? command\n        : --http --http.addr 0.0.0.0 --http.api eth,admin\n        published_ports: ['8545:8545']\n",
    },
    /^critical at play.yml/,
  ],
])('%s is read as compose reads it', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
