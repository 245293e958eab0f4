/** The methods that tell whether the unsafe-debug switch is on, and the one that stays whatever it says. */
import { alwaysPresent, unsafeDebugMethods } from '../../../jsonrpc/methods.js';
import { existence } from './existence.js';
import { unlessMissing } from './offers.js';

export const unsafeDebug = ([alwaysPresent, ...unsafeDebugMethods] as const).map((method) =>
  existence(method, 'debug is offered', unlessMissing('debug')),
);
