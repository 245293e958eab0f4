import { expect, test } from 'vitest';
import { registryOf } from '../../../src/node/simulator/registry.js';
import { type Caller, subscribe, unsubscribe } from '../../../src/node/simulator/subscriptions.js';
import { quietAnswers } from '../../peers/shape.js';

test('a subscription ends once, and only on its connection', () => {
  const { services, aliases, wire } = quietAnswers();
  const registry = registryOf(services('ws', ['eth']), aliases);
  const connection = (): Caller => ({ canSubscribe: true, maxSubscriptions: 1, subscriptions: new Set() });
  const [caller, other] = [connection(), connection()];
  const start = () => subscribe(registry, wire, ['newHeads'], { caller, method: 'eth_subscribe' });
  const end = (id: string, on: Caller) => unsubscribe([id], { caller: on, method: 'eth_unsubscribe' });
  const id = start();
  expect(start).toThrow('Maximum 1 subscriptions');
  expect(() => end(id, other)).toThrow('subscription not found');
  expect(end(id, caller)).toBe(true);
  expect(() => end(id, caller)).toThrow('subscription not found');
  expect(start()).not.toBe(id);
});
