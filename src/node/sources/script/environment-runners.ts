/** Programs that run a command in an environment of their own making: from a secret manager, a file or a folder. */
import { pairs } from '../../../util/pairs.js';
import { otherVariables } from '../../facts/settings.js';
import { Placed } from '../text/placed.js';

/** A variable set for one command alone, or with `otherVariables` as its name, all those that a program may set. */
export interface Given {
  readonly name: string;
  /** With `otherVariables`: the command that may set them. */
  readonly value: Placed;
  /** The path of a file with the variables, if there is one. */
  readonly file?: Placed;
  /** The variable, or all of them, is taken away. */
  readonly isGone?: true;
}

/** By name: the word before the command, if there is one, and the number of its arguments before the command. */
const runners = new Map(
  pairs(`
    aws-vault=exec,1 berglas=exec bws=run chamber=exec,1 direnv=exec,1 doppler=run dotenv=run dotenvx=run env-cmd= envchain=,1
    envconsul= envdir=,1 godotenv= infisical=run op=run s6-envdir=,1 secrethub=run sops=exec-env,1 summon= teller=run vals=exec
    vault-env= with-contenv=
  `).map(([name, how]) => {
    const [verb = '', own = 0] = how.split(',');
    return [name, { verb, own: Number(own) }];
  }),
);

/** Runners that read a file of variables, and the option that names it. */
const readsFile = /^(?:dotenvx?|env-cmd|godotenv)$/;
const fileOption = /^(?:-[ef]|--(?:env-)?file)$/;

/** Options with a value of their own, where the program takes several. */
const valued = /^(?:-[a-z]|--(?:env-file|file|config|project|path|environment|env|prefix|profile|token))$/;

/** The command that a runner runs, and the variables it sets; null for another program, or no command. */
export function environmentRun(name: string, words: readonly Placed[]) {
  const [program] = words;
  const runner = runners.get(name);
  if (program === undefined || runner === undefined) return null;
  const at = commandAt(words, runner);
  const command = words[at];
  if (command === undefined) return null;
  const [, text] = /^--command=(.*)$/s.exec(command.text) ?? [];
  const own = words.slice(0, at);
  const set = { name: otherVariables, value: Placed.join(own, ' ') };
  const given = readsFile.test(name) ? { ...set, file: fileIn(own, program) } : set;
  const rest = text === undefined ? words.slice(at) : [command.slice(command.text.length - text.length)];
  return { words: rest, given };
}

/** The place of the command: after `--`, else after the options, the verb and the arguments. */
function commandAt(
  words: readonly Placed[],
  { verb, own }: { readonly verb: string; readonly own: number },
): number {
  const end = words.findIndex(({ text }) => text === '--');
  if (end > 0) return end + 1;
  const script = words.findIndex(({ text }) => /^--command(?:=|$)/.test(text));
  if (script > 0) return words[script]?.text === '--command' ? script + 1 : script;
  let left = own;
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as Placed;
    if (text.startsWith('-')) at += valued.test(text) ? 1 : 0;
    else if (text === verb) continue;
    else if (left === 0) return at;
    else left -= 1;
  }
  return -1;
}

function fileIn(words: readonly Placed[], program: Placed): Placed {
  const at = words.findIndex(({ text }) => fileOption.test(text.split('=')[0] ?? ''));
  const [given, next = program.as('.env')] = at < 0 ? [program.as('=.env')] : words.slice(at);
  return given?.text.includes('=') ? given.slice(given.text.indexOf('=') + 1) : next;
}
