/** Services of a swarm that commands create and update. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'docker service create with fields',
    {
      'up.sh':
        '#!/bin/bash\ndocker service create --name n --publish published=8545,target=8545,mode=host ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^high at up.sh/,
  ],
  [
    'docker service create with -p',
    {
      'up.sh':
        '#!/bin/sh\ndocker service create --name n -p 8545:8545 ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^high at up.sh/,
  ],
  [
    'docker service update with fields',
    {
      'up.sh':
        '#!/bin/sh\ndocker service create --name n ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\ndocker service update --publish-add published=8545,target=8545 n\n',
    },
    /^high at up.sh/,
  ],
  [
    'docker service update with ports',
    {
      'up.sh':
        '#!/bin/sh\ndocker service create --replicas 1 --name n ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\ndocker service update --detach --publish-add 8545:8545 n\n',
    },
    /^high at up.sh/,
  ],
  [
    'docker service create with a target port',
    {
      'up.sh':
        '#!/bin/sh\ndocker service create --publish target=8545,published=18545 --constraint node.role==manager --name n ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^high at up.sh/,
  ],
  [
    'docker service create in a Makefile',
    {
      Makefile:
        'up:\n\tdocker service create --name n --publish published=8545,target=8545,mode=host \\\n\t  ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^high at Makefile/,
  ],
  [
    'docker service create without ports',
    {
      'up.sh':
        '#!/bin/sh\ndocker service create --name n ghcr.io/paradigmxyz/reth:v1.6.0 node --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^exit 0$/,
  ],
])('%s says who reaches its ports', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
