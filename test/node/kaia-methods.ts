/** The methods that tests speak of by their part. */
import { probes } from '../../src/node/kinds/kaia/probes.js';

const { unsafeDebug } = probes;
if (unsafeDebug === null) throw new Error('Kaia has the unsafe-debug switch');

export const alwaysPresent = unsafeDebug.stays;
export const unsafeDebugMethods = unsafeDebug.moved;
export const namespaceMethods = probes.namespaces;
