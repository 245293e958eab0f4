import { expect, test } from 'vitest';
import { environmentIn, publishedIn } from '../../../../src/node/deployment/ledger/published.js';

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
  ['volumes:\n  - ./data:/data', 'none'],
  ['command: reth node', 'none'],
])('%j publishes to %s', (text, expected) => {
  expect(publishedIn(text)).toBe(expected);
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
