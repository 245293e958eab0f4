/** The methods that tests speak of by their part. */
import { kaia } from '../../src/node/kinds/kaia/index.js';

const { probes } = kaia;
const { unsafeDebug } = probes;
if (unsafeDebug === null) throw new Error('Kaia has the unsafe-debug switch');

export const alwaysPresent = unsafeDebug.stays;
export const unsafeDebugMethods = unsafeDebug.moved;
export const namespaceMethods = probes.namespaces;
