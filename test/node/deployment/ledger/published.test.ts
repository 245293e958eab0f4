import { expect, test } from 'vitest';
import { Coverage } from '../../../../src/node/deployment/ledger/coverage.js';
import { openSigns } from '../../../../src/node/deployment/ledger/open.js';
import { environmentIn, publishedIn, targetsIn } from '../../../../src/node/deployment/ledger/published.js';
import { vocabularyOf } from '../../../../src/node/deployment/ledger/vocabulary.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

test.each([
  ['ports:\n  - "8545:8545"', 'any'],
  ['ports: ["8545:8545"]', 'any'],
  ['ports: ["127.0.0.1:8545:8545"]', 'loopback'],
  ['ports:\n  - 127.0.0.1:8545:8545\n  - 8546:8546', 'any'],
  ['docker run -p 127.0.0.1:8545:8545 x', 'loopback'],
  ['docker run --publish=8545:8545 x', 'any'],
  ['docker run -P x', 'any'],
  ['network_mode: host', 'host'],
  ['docker run --network host x', 'host'],
  ['hostNetwork: true', 'host'],
  ['- containerPort: 8545\n  hostPort: 8545', 'any'],
  ['ports:\n  - "${CONSENSUS_P2P_PORT}:${CONSENSUS_P2P_PORT}/tcp"', 'none'],
  ['ports:\n  - "${PORT}:${PORT}/tcp"\n  - 9000:9000', 'any'],
  ['ports: ["9001:9001/udp"]', 'none'],
  ['[Container]\nPublishPort=8545:8545', 'any'],
  ['[Container]\nPublishPort=127.0.0.1:8545:8545', 'loopback'],
  ['[Container]\nNetwork=host', 'host'],
  ['volumes:\n  - ./data:/data', 'none'],
  ['command: reth node', 'none'],
])('%j publishes to %s', (text, expected) => {
  expect(publishedIn(text)).toBe(expected);
});

test.each([
  ['ports: ["8546:8546", "127.0.0.1:1:9003/tcp", "30303:30303/udp", 7:8-9]', [8546, 9003]],
  ['ports:\n  - ${P}:8545\n  - ${Q}:${Q}', [8545]],
  ['command: op-node', []],
])('%j publishes the ports %j', (text, expected) => {
  expect(targetsIn(text)).toEqual(expected);
});

test.each([
  ['8546:8546', 'rpc on an unknown address · published'],
  ['80:9545', 'rpc on an unknown address, port 9545 · published'],
  ['9222:9222', 'rpc on an unknown address'],
])('with ports: %s an unknown word leaves %s', (ports, expected) => {
  const service = `services:\n  x:\n    image: ghcr.io/acme/op-node:v1\n    command: $ARGS\n    ports: ["${ports}"]\n`;
  const coverage = new Coverage({ keyOf: (path) => path, holds: () => false });
  const { questions } = openSigns(vocabularyOf(kinds), new LineIndex('compose.yml', service), coverage);
  expect(questions.map(({ reason }) => reason)).toEqual([expect.stringContaining(`· ${expected} ·`)]);
});

test('a client in the container of a quadlet is published by the ports of its section', () => {
  const coverage = new Coverage({ keyOf: (path) => path, holds: () => false });
  const section = (ports: string) =>
    `[Container]\nImage=docker.io/library/node:20\nExec=anvil\n${ports}\n[Install]\nWantedBy=default.target\n`;
  const asked = (ports: string) =>
    openSigns(vocabularyOf(kinds), new LineIndex('a.container', section(ports)), coverage).questions.map(
      ({ subject }) => subject,
    );
  expect(asked('PublishPort=8545:8545')).toEqual(['anvil@any']);
  expect(asked('')).toEqual([]);
});

test.each([
  [
    'environment:\n  RPC_ADDR: 0.0.0.0\n  RPC_PORT: "8545"',
    [
      ['RPC_ADDR', '0.0.0.0'],
      ['RPC_PORT', '8545'],
    ],
  ],
  ['Environment=OP_NODE_RPC_ADDR=$IP', [['OP_NODE_RPC_ADDR', null]]],
  ['env:\n  - name: EN_HTTP_PORT\n    value: "3060"', [['EN_HTTP_PORT', '3060']]],
])('%j sets %j', (text, expected) => {
  expect([...environmentIn(text)]).toEqual(expected);
});
