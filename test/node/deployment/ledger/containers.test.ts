/** Containers whose image is not known are named where their own words tell a node or another client. */
import { expect, test } from 'vitest';
import { Coverage } from '../../../../src/node/deployment/ledger/coverage.js';
import { openSigns } from '../../../../src/node/deployment/ledger/open.js';
import { vocabularyOf } from '../../../../src/node/deployment/ledger/vocabulary.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

const vocabulary = vocabularyOf(kinds);

/** The open questions of a file that no target uses: their subjects and places. */
function said(text: string): string[] {
  const coverage = new Coverage({ keyOf: (path) => path, holds: () => false });
  const { questions } = openSigns(vocabulary, new LineIndex('a.yaml', text), coverage);
  return questions.map(({ subject, at, source }) => `${subject} ${at?.line}: ${source?.trim()}`);
}

const service = (name: string, image: string, more = '') =>
  `services:\n  ${name}:\n    image: ${image}\n${more === '' ? '' : `    ${more}\n`}`;

test.each<[string, string]>([
  [service('n', '${GETH_IMAGE}'), 'a.yaml 3: image: ${GETH_IMAGE}'],
  [service('n', '${KLAYTN_IMAGE}:${TAG}'), 'a.yaml 3: image: ${KLAYTN_IMAGE}:${TAG}'],
  [service('n', '"${OP_NODE_IMAGE}"'), 'op-node 3: image: "${OP_NODE_IMAGE}"'],
  [service('geth', '${IMAGE}'), 'a.yaml 3: image: ${IMAGE}'],
  [service('lighthouse', '$IMAGE'), 'lighthouse 3: image: $IMAGE'],
  [service('n', '${I}', 'container_name: my-besu'), 'besu 3: image: ${I}'],
  [service('n', '${I}', 'ports: ["8545:8545", "127.0.0.1:8551:8551"]'), 'a.yaml 3: image: ${I}'],
  [service('n', '${I}', 'command: ["--http", "--ws"]'), 'a.yaml 3: image: ${I}'],
  [service('n', '${I}', 'command: --rpc.enable-admin'), 'op-node+admin 3: image: ${I}'],
  [service('n', '${I}', 'environment: { RPC_ENABLE: 1, RPC_API: eth }'), 'a.yaml 3: image: ${I}'],
  ['containers:\n  - name: ken\n    image: {{ .Values.image }}\n', 'a.yaml 3: image: {{ .Values.image }}'],
  ['containers:\n  - image: " "\n    name: beacon-chain\n', 'prysm beacon-chain 2: - image: " "'],
  ['containers:\n  - image: ""\n    name: slasher\n', 'prysm slasher 2: - image: ""'],
])('the container %j leaves the question %j open', (text, expected) => {
  expect(said(text)).toEqual([expected]);
});

test.each([
  service('web', '${IMAGE}', 'command: npm start'),
  service('n', '${IMAGE}', 'ports: ["8545:8545"]'),
  service('n', '${IMAGE}', 'environment: ["RPC=http://node:8545", "WS=ws://node:8546"]'),
  service('geth-exporter', '${IMAGE}'),
  service('wait-for-geth', '${IMAGE}'),
  service('bsc-indexer', '${INDEXER_IMAGE}'),
  service('core', '${BASE_IMAGE}'),
  service('geth-init', '${GETH_IMAGE}', 'entrypoint: sh -c "geth init /genesis.json"'),
  service('n', '${GETH_IMAGE}', 'command:\n      - /bin/sh\n      - -c\n      - geth init /genesis.json'),
  service('n', '${IMAGE:-postgres:16}', 'ports: ["5432:5432"]'),
  service('geth', 'postgres:16'),
  '# image: ${GETH_IMAGE}\n',
  'geth:\n  image:\n    repository: example/app\n',
  'besu:\n  image:\n    tag: 1\n',
])('the container %j raises no question', (text) => {
  expect(said(text)).toEqual([]);
});
