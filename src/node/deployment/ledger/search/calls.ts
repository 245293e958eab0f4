/** Calls that open an interface, or unlock an account, of a running node. */
import { lineStart, statementAt } from '../blocks.js';
import { found } from './found.js';
import { type Sign, signAt } from './sign.js';

const calls =
  /\bmethod\\*["']?[ \t]*:[ \t]*\\*["'](admin_start(?:HTTP|RPC|WS)|personal_unlockAccount|debug_startPProf)\b|(?<![\w.])(admin\.start(?:HTTP|RPC|WS)|personal\.unlockAccount)[ \t]*\(/g;
export function callSigns(text: string): Sign[] {
  return [...found(text, calls)].map(({ 1: method, 2: member = '', index }) =>
    signAt('call', index, method ?? member, { within: statementAt(text, index) }),
  );
}

/** True for a call in a sentence, or in a numbered list of them. */
export function isProse(text: string, { start, within }: Sign): boolean {
  const before = text.slice(lineStart(text, start), start);
  return (
    /^\s*\d+[.)]\s|[a-z]\s+[a-z]+\s+$/i.test(before) ||
    /^[^)\n]*\)[ \t]+[a-z]+[ \t]+[a-z]/i.test(text.slice(start, within.end))
  );
}

/** A script for the console of a node; programs that use a library import it. */
export function isConsoleScript(path: string, text: string): boolean {
  return path.endsWith('.js') && !/\brequire\(|^[ \t]*(?:import|export)\b/m.test(text);
}
