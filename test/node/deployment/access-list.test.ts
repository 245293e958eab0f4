/** The file of methods that erigon answers. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from './lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'a file that allows a method of admin',
    {
      'compose.yml':
        'services:\n  n:\n    image: erigontech/erigon:v3.0.4\n    command: --http.addr 0.0.0.0 --http.api admin,eth --rpc.accessList /c/a.json\n    ports: ["8545:8545"]\n    volumes: [./a.json:/c/a.json]\n',
      'a.json': '{"allow":["eth_call","admin_addPeer"]}',
    },
    /^high at compose.yml/,
  ],
  [
    'a file that allows no method of admin',
    {
      'compose.yml':
        'services:\n  n:\n    image: erigontech/erigon:v3.0.4\n    command: --http.addr 0.0.0.0 --http.api admin,eth --rpc.accessList /c/a.json\n    ports: ["8545:8545"]\n    volumes: [./a.json:/c/a.json]\n',
      'a.json': '{"allow":["eth_call"]}',
    },
    /^exit 0$/,
  ],
  [
    'a file that is missing, not at all,',
    {
      'compose.yml':
        'services:\n  n:\n    image: erigontech/erigon:v3.0.4\n    command: --http.addr 0.0.0.0 --http.api admin,eth --rpc.accessList /c/a.json\n    ports: ["8545:8545"]\n    volumes: [./x.json:/c/a.json]\n',
    },
    /^high at compose.yml/,
  ],
  [
    'a file of the machine, not at all,',
    {
      'run.sh':
        '#!/bin/sh\nexec erigon --http.addr=0.0.0.0 --http.api=eth,admin --rpc.accessList=/etc/erigon/rules.json\n',
    },
    /^high at run.sh/,
  ],
  [
    'a file beside a unit',
    {
      'e.service':
        '[Service]\nExecStart=/usr/bin/erigon --http.addr=0.0.0.0 --http.api=eth,admin --rpc.accessList=rules.json\n',
      'rules.json': '{"allow":["admin_peers"]}',
    },
    /^high at e.service/,
  ],
  [
    'a file that the settings name',
    {
      'e.service': '[Service]\nExecStart=/usr/bin/erigon --config /etc/e.yaml\n',
      'etc/e.yaml': 'http.addr: 0.0.0.0\nhttp.api: [eth, admin]\nrpc.accessList: /etc/a.json\n',
    },
    /^high at etc.e.yaml/,
  ],
  [
    'a file of rpcdaemon',
    {
      'compose.yml':
        'services:\n  n:\n    image: erigontech/erigon:v3.0.4\n    command: rpcdaemon --http.addr=0.0.0.0 --http.api=eth,debug --rpc.accessList=/a.json\n    ports: ["8545:8545"]\n',
    },
    /^high at compose.yml/,
  ],
])('%s limits the modules', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});

test.each<[string, Folder, RegExp]>([
  [
    'sentry',
    {
      'compose.yml':
        'services:\n  s:\n    image: erigontech/erigon:v3.0.4\n    entrypoint: sentry\n    command: --sentry.api.addr=0.0.0.0:9091 --datadir=/d\n    ports: ["9091:9091"]\n',
    },
    /erigon sentry/,
  ],
  [
    'sentry in a pod',
    {
      'p.yaml':
        "apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n    - name: s\n      image: erigontech/erigon:v3.0.4\n      command: [sentry]\n      args: ['--sentry.api.addr=0.0.0.0:9091']\n      ports: [{containerPort: 9091, hostPort: 9091}]\n",
    },
    /erigon sentry/,
  ],
  [
    'sentry that docker runs',
    {
      'r.sh':
        '#!/bin/sh\ndocker run -d -p 9091:9091 --entrypoint sentry erigontech/erigon:v3.0.4 --sentry.api.addr=0.0.0.0:9091\n',
    },
    /erigon sentry/,
  ],
  [
    'downloader',
    {
      'compose.yml':
        "services:\n  s:\n    image: thorax/erigon:v2.48.1\n    entrypoint: [downloader]\n    command: [--downloader.api.addr, '0.0.0.0:9093', --datadir, /d]\n    ports: ['9093:9093']\n",
    },
    /erigon downloader/,
  ],
  [
    'txpool',
    {
      'compose.yml':
        "services:\n  e:\n    image: erigontech/erigon:v3.0.4\n  s:\n    image: erigontech/erigon:v3.0.4\n    entrypoint: txpool\n    command: >\n      --txpool.api.addr=0.0.0.0:9094\n      --datadir=/d\n    ports: ['9094:9094']\n",
    },
    /erigon txpool/,
  ],
])('%s of the image of erigon is named', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
