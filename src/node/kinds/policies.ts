/** The built-in policies of all kinds, by name, without the kinds. */
import type { Policy } from '../facts/policy.js';
import { executionPolicies } from './execution-policies.js';
import { policies as kaia } from './kaia/policies.js';

export const policies: Readonly<Record<string, Policy>> = { ...kaia, ...executionPolicies };
