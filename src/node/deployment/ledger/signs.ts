/**
 * Scans the text of a file of any format for signs: words that say an RPC or admin interface is started, opened or
 * widened. It knows vocabulary and places, and no grammar; it takes time linear in the length of the text.
 */
import type { Range } from '../../sources/text/line-index.js';
import { lineStart, statementAt } from './blocks.js';
import { familyOf } from './family.js';
import { processes, scriptSigns } from './scripts.js';
import { codeSigns } from './search/code.js';
import { containerSigns } from './search/containers.js';
import { notebookCommands, withJoins } from './search/embedded.js';
import { flagSigns, otherFlagSigns } from './search/flags.js';
import { imageSigns } from './search/images.js';
import { generatorSigns, programSigns } from './search/programs.js';
import { serviceSigns } from './search/services.js';
import { keySigns, variableSigns } from './search/settings.js';
import { matchesIn, type Sign, signAt } from './search/sign.js';
import type { Vocabulary } from './vocabulary.js';

/** The help of a program, saved in a file. */
const printedHelp = /^\s*NAME:\r?\n(?:[^\n]*\n){1,6}?\s*USAGE:\r?\n/;

/** What a key says to people: that of an alert, of a parameter, of a role. */
const description =
  /^([ \t]*)(?:- +)?["']?(?:summary|description|title|help)["']?[ \t]*:[ \t]+(?:[|>][-+\d]*[ \t]*(?:\n(?:\1[ \t]+[^\n]*|[ \t]*(?=\n)))*|[^\n]*)$/gm;

/** The signs of a text in the order of their places, those within the start of another one left out. */
export function signsIn(vocabulary: Vocabulary, path: string, written: string): Sign[] {
  if (path.endsWith('.ipynb')) return signsIn(vocabulary, '', notebookCommands(written));
  const family = familyOf(path);
  const joined = withJoins(written);
  const text =
    family === 'code' ? joined : joined.replaceAll(description, (all) => all.replaceAll(/[^\n]/g, ' '));
  if (family === 'document' || printedHelp.test(text)) return [];
  if (family === 'code')
    return [
      ...codeSigns(vocabulary, text),
      ...(isConsoleScript(path, text) ? callSigns(text) : []),
      ...(processes.test(path) ? scriptSigns(vocabulary, path, text) : []),
    ];
  const starts = imageSigns(vocabulary, text);
  const clients = starts.filter(({ other }) => other !== undefined);
  starts.push(...programSigns(vocabulary, text).filter((one) => !isWithin(one, clients)));
  starts.push(...generatorSigns(vocabulary, text));
  const ofKinds = starts.filter(({ other }) => other === undefined);
  starts.push(...scriptSigns(vocabulary, path, text).filter((one) => !isWithin(one, ofKinds)));
  starts.push(...serviceSigns(vocabulary, path, text).filter((one) => !isWithin(one, starts)));
  for (const sign of otherFlagSigns(vocabulary, text)) if (!isWithin(sign, starts)) starts.push(sign);
  starts.push(
    ...containerSigns(vocabulary, text).filter((one) => !starts.some((start) => isWithin(start, [one]))),
  );
  const others = [
    ...flagSigns(vocabulary, text),
    ...variableSigns(vocabulary, text),
    ...keySigns(vocabulary, text),
    ...(family === 'data'
      ? []
      : callSigns(text).filter((one) => !path.endsWith('.txt') || !isProse(text, one))),
  ];
  return [...starts, ...others.filter((one) => !isWithin(one, starts))].sort((a, b) => a.start - b.start);
}

function isWithin({ start }: Range, starts: readonly Sign[]): boolean {
  return starts.some(({ within }) => within.start <= start && start < within.end);
}

/** Calls that open an interface, or unlock an account, of a running node. */
const calls =
  /\bmethod\\*["']?[ \t]*:[ \t]*\\*["'](admin_start(?:HTTP|RPC|WS)|personal_unlockAccount|debug_startPProf)\b|(?<![\w.])(admin\.start(?:HTTP|RPC|WS)|(?<=\battach\b[^\n]{0,200})personal\.unlockAccount)[ \t]*\(/g;
function callSigns(text: string): Sign[] {
  return [...matchesIn(text, calls)].map(({ 1: method, 2: member = '', index }) =>
    signAt('call', index, method ?? member, { within: statementAt(text, index) }),
  );
}

/** Whether the call is in a sentence, or in a numbered list of sentences. */
function isProse(text: string, { start, within }: Sign): boolean {
  const before = text.slice(lineStart(text, start), start);
  return (
    /^\s*\d+[.)]\s|[a-z]\s+[a-z]+\s+$/i.test(before) ||
    /^[^)\n]*\)[ \t]+[a-z]+[ \t]+[a-z]/i.test(text.slice(start, within.end))
  );
}

/** A script for the console of a node; programs that use a library import it. */
function isConsoleScript(path: string, text: string): boolean {
  return path.endsWith('.js') && !/\brequire\(|^[ \t]*(?:import|export)\b/m.test(text);
}
